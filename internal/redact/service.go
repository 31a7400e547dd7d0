package redact

// serviceRules are tokens of payment, mail, chat and office services. Above each rule stands where its
// vendor shows the shape.
var serviceRules = []rule{
	// https://api.slack.com/concepts/token-types
	{
		name: "slack-token", about: "Slack bot, user, app, refresh and configuration tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxs-", "xoxr-", "xoxd-", "xoxc-", "xapp-"},
		parts:   []part{{set: wordDot, min: 10}},
	},
	{
		name: "slack-token", about: "Slack bot, user, app, refresh and configuration tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"xoxe-", "xoxe.xox"},
		parts:   []part{{set: wordDot, min: 20}},
	},
	// https://docs.stripe.com/keys
	{
		name: "stripe-key", about: "Stripe secret and restricted keys, webhook secrets", rank: rankToken, match: matchToken,
		anchors: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_live_", "sk_org_test_"},
		parts:   []part{{set: alnum, min: 16}},
	},
	{
		name: "stripe-key", about: "Stripe secret and restricted keys, webhook secrets", rank: rankToken, match: matchToken,
		anchors: []string{"whsec_"},
		parts:   []part{{set: base64Std, min: 24}},
	},
	// https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
	{
		name: "sendgrid-key", about: "SendGrid API keys", rank: rankToken, match: matchToken,
		anchors: []string{"SG.[A-Za-z0-9_-]"},
		parts:   []part{{set: wordDash, min: 16, max: 32}, {text: "."}, {set: wordDash, min: 30}},
	},
	// https://www.twilio.com/docs/iam/api-keys
	{
		name: "twilio-key", about: "Twilio API key ids", rank: rankToken, match: matchToken,
		anchors: []string{"SK[0-9a-f][0-9a-f]"},
		parts:   []part{{set: lowerHex, min: 32, max: 32}},
	},
	// https://shopify.dev/docs/apps/build/authentication-authorization
	{
		name: "shopify-token", about: "Shopify access tokens and shared secrets", rank: rankToken, match: matchToken,
		anchors: []string{"shpat_", "shpca_", "shppa_", "shpss_", "shpua_"},
		parts:   []part{{set: anyHex, min: 32}},
	},
	// https://linear.app/developers/graphql
	{
		name: "linear-key", about: "Linear API keys and OAuth tokens", rank: rankToken, match: matchToken,
		anchors: []string{"lin_api_", "lin_oauth_"},
		parts:   []part{{set: alnum, min: 32}},
	},
	// https://developers.notion.com/docs/authorization
	{
		name: "notion-token", about: "Notion integration tokens", rank: rankToken, match: matchToken,
		anchors: []string{"ntn_"},
		parts:   []part{{set: alnum, min: 40}},
	},
	{
		name: "notion-token", about: "Notion integration tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"secret_"},
		parts:   []part{{set: alnum, min: 43, max: 43}},
	},
	// https://documentation.mailgun.com/docs/mailgun/api-reference/intro/
	{
		name: "mailgun-key", about: "Mailgun API keys", rank: rankToken, match: matchToken,
		anchors: []string{"key-[0-9a-f]"},
		parts:   []part{{set: lowerHex, min: 32, max: 32}},
	},
	// https://mailchimp.com/developer/transactional/docs/fundamentals/
	{
		name: "mailchimp-key", about: "Mailchimp Mandrill API keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"md-[A-Za-z0-9]"},
		parts:   []part{{set: wordDash, min: 22, max: 22}},
	},
	// https://developers.brevo.com/docs/getting-started
	{
		name: "brevo-key", about: "Brevo API keys", rank: rankToken, match: matchToken,
		anchors: []string{"xkeysib-", "xsmtpsib-"},
		parts:   []part{{set: wordDash, min: 64}},
	},
	// https://developers.asana.com/docs/personal-access-token
	{
		name: "asana-token", about: "Asana personal access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"2/1[0-9]"},
		parts:   []part{{set: digits, min: 10, max: 20}, {text: "/"}, {set: digits, min: 10, max: 20}, {text: ":"}, {set: lowerHex, min: 32}},
	},
	// https://developers.dropbox.com/oauth-guide
	{
		name: "dropbox-token", about: "Dropbox short-lived access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"sl.[A-Za-z0-9_-]"},
		parts:   []part{{set: wordDash, min: 100}},
	},
	// https://developers.facebook.com/docs/facebook-login/guides/access-tokens/
	{
		name: "facebook-token", about: "Facebook access tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"EAAC", "EAAB", "EAAG", "EAAM"},
		parts:   []part{{set: alnum, min: 60}},
	},
	// https://developer.squareup.com/docs/build-basics/access-tokens
	{
		name: "square-token", about: "Square access tokens and secrets", rank: rankToken, match: matchToken,
		anchors: []string{"sq0atp-"},
		parts:   []part{{set: wordDash, min: 22}},
	},
	{
		name: "square-token", about: "Square access tokens and secrets", rank: rankToken, match: matchToken,
		anchors: []string{"sq0csp-"},
		parts:   []part{{set: wordDash, min: 40}},
	},
	{
		name: "square-token", about: "Square access tokens and secrets", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"EAAA"},
		parts:   []part{{set: wordDash, min: 60, max: 60}},
	},
	// https://docs.easypost.com/docs/authentication
	{
		name: "easypost-key", about: "EasyPost API keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"EZAK", "EZTK"},
		parts:   []part{{set: alnum, min: 50}},
	},
	// https://developer.flutterwave.com/v3.0/docs/authentication
	{
		name: "flutterwave-key", about: "Flutterwave secret keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"FLWSECK-", "FLWSECK_TEST-"},
		parts:   []part{{set: wordDash, min: 12}},
	},
	// https://docs.goshippo.com/docs/guides_general/authentication/
	{
		name: "shippo-token", about: "Shippo API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"shippo_live_", "shippo_test_"},
		parts:   []part{{set: anyHex, min: 36}},
	},
	// https://www.contentful.com/developers/docs/references/authentication/
	{
		name: "contentful-token", about: "Contentful personal access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"CFPAT-"},
		parts:   []part{{set: wordDash, min: 40}},
	},
	// https://developers.hubspot.com/docs/api/private-apps
	{
		name: "hubspot-token", about: "HubSpot private app tokens", rank: rankToken, match: matchToken,
		anchors: []string{"pat-na1-", "pat-na2-", "pat-eu1-"},
		parts:   []part{{set: hexDash, min: 32}},
	},
	// https://www.figma.com/developers/api#access-tokens
	{
		name: "figma-token", about: "Figma personal access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"figd_", "figo_"},
		parts:   []part{{set: wordDash, min: 36}},
	},
	// https://docs.mapbox.com/help/getting-started/access-tokens/
	{
		name: "mapbox-token", about: "Mapbox secret tokens", rank: rankToken, match: matchToken,
		anchors: []string{"sk.eyJ", "tk.eyJ"},
		parts:   []part{{set: wordDot, min: 40}},
	},
	// https://resend.com/docs/dashboard/api-keys/introduction
	{
		name: "resend-key", about: "Resend API keys", rank: rankToken, match: matchToken,
		anchors: []string{"re_[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 8, max: 8}, {text: "_"}, {set: alnum, min: 22}},
	},
	// https://www.typeform.com/developers/get-started/personal-access-token/
	{
		name: "typeform-token", about: "Typeform personal access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"tfp_"},
		parts:   []part{{set: wordDot, min: 40}},
	},
	// https://duffel.com/docs/api/overview/making-requests
	{
		name: "duffel-token", about: "Duffel API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"duffel_live_", "duffel_test_"},
		parts:   []part{{set: wordDash, min: 40}},
	},
	// https://plaid.com/docs/api/items/
	{
		name: "plaid-token", about: "Plaid access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"access-production-", "access-sandbox-", "access-development-"},
		parts:   []part{{set: hexDash, min: 32}},
	},
}
