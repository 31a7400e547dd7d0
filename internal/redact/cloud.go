package redact

// cloudRules are tokens of clouds, infrastructure and data services. Above each rule stands where its
// vendor shows the shape.
var cloudRules = []rule{
	// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
	{
		name: "aws-access-key-id", about: "AWS access key ids", rank: rankToken, match: matchToken,
		anchors: []string{"AKIA", "ASIA", "ABIA", "ACCA", "AGPA", "AIDA", "AIPA", "ANPA", "ANVA", "AROA", "APKA", "ASCA"},
		parts:   []part{{set: base32, min: 16, max: 16}},
	},
	// https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
	{
		name: "aws-bedrock-key", about: "Amazon Bedrock API keys", rank: rankToken, match: matchToken,
		anchors: []string{"ABSK"},
		parts:   []part{{set: base64Std, min: 100}},
	},
	{
		name: "aws-bedrock-key", about: "Amazon Bedrock API keys", rank: rankToken, match: matchToken,
		anchors: []string{"bedrock-api-key-"},
		parts:   []part{{set: base64Std, min: 40}},
	},
	// https://cloud.google.com/docs/authentication/api-keys
	{
		name: "google-api-key", about: "Google API keys", rank: rankToken, match: matchToken,
		anchors: []string{"AIza"},
		parts:   []part{{set: wordDash, min: 35}},
	},
	// https://developers.google.com/identity/protocols/oauth2
	{
		name: "google-oauth", about: "Google OAuth client secrets, access and refresh tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"GOCSPX-"},
		parts:   []part{{set: wordDash, min: 28}},
	},
	{
		name: "google-oauth", about: "Google OAuth client secrets, access and refresh tokens", rank: rankToken, match: matchToken,
		anchors: []string{"ya29."},
		parts:   []part{{set: wordDot, min: 20}},
	},
	{
		name: "google-oauth", about: "Google OAuth client secrets, access and refresh tokens", rank: rankToken, match: matchToken,
		anchors: []string{"1//0"},
		parts:   []part{{set: wordDash, min: 30}},
	},
	// https://docs.digitalocean.com/reference/api/create-personal-access-token/
	{
		name: "digitalocean-token", about: "DigitalOcean personal, OAuth and refresh tokens", rank: rankToken, match: matchToken,
		anchors: []string{"dop_v1_", "doo_v1_", "dor_v1_"},
		parts:   []part{{set: anyHex, min: 32}},
	},
	// https://developers.cloudflare.com/fundamentals/api/get-started/
	{
		name: "cloudflare-token", about: "Cloudflare API tokens, keys and origin CA keys", rank: rankToken, match: matchToken,
		anchors: []string{"v1.0-"},
		parts:   []part{{set: lowerHex, min: 24, max: 24}, {text: "-"}, {set: lowerHex, min: 100}},
	},
	{
		name: "cloudflare-token", about: "Cloudflare API tokens, keys and origin CA keys", rank: rankToken, match: matchToken,
		anchors: []string{"cfut_", "cfat_", "cfk_"},
		parts:   []part{{set: word, min: 40}},
	},
	// https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair
	{
		name: "alibaba-key-id", about: "Alibaba Cloud access key ids", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"LTAI[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 16, max: 24}},
	},
	// https://www.tencentcloud.com/document/product/598/34228
	{
		name: "tencent-key-id", about: "Tencent Cloud secret ids", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"AKID[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 28, max: 40}},
	},
	// https://yandex.cloud/en/docs/iam/concepts/authorization/
	{
		name: "yandex-key", about: "Yandex Cloud API keys and IAM tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"AQVN[A-Za-z0-9]"},
		parts:   []part{{set: wordDash, min: 34}},
	},
	{
		name: "yandex-key", about: "Yandex Cloud API keys and IAM tokens", rank: rankToken, match: matchToken,
		anchors: []string{"t1.9eu"},
		parts:   []part{{set: wordDot, min: 60}},
	},
	// https://www.scaleway.com/en/docs/iam/concepts/
	{
		name: "scaleway-key-id", about: "Scaleway access key ids", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"SCW[A-Z0-9]"},
		parts:   []part{{set: upperNum, min: 17, max: 17}},
	},
	// https://developer.hashicorp.com/vault/docs/concepts/tokens
	{
		name: "vault-token", about: "HashiCorp Vault service, batch and recovery tokens", rank: rankToken, match: matchToken,
		anchors: []string{"hvs.", "hvb.", "hvr."},
		parts:   []part{{set: wordDash, min: 20}},
	},
	// https://tailscale.com/kb/1277/key-prefixes
	{
		name: "tailscale-key", about: "Tailscale auth, API and OAuth keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"tskey-"},
		parts:   []part{{set: wordDash, min: 16}},
	},
	// https://developer.1password.com/docs/service-accounts/
	{
		name: "1password-token", about: "1Password service account tokens and secret keys", rank: rankToken, match: matchToken,
		anchors: []string{"ops_eyJ"},
		parts:   []part{{set: base64Any, min: 40}},
	},
	{
		name: "1password-token", about: "1Password service account tokens and secret keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"A3-[A-Z0-9]"},
		parts:   []part{{set: upperNum, min: 6, max: 6}, {text: "-"}, {set: upperDash, min: 20}},
	},
	// https://github.com/C2SP/C2SP/blob/main/age.md
	{
		name: "age-secret-key", about: "age secret keys", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1"},
		parts:   []part{{set: upperNum, min: 50}},
	},
	{
		name: "age-secret-key", about: "age secret keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"AGE-PLUGIN-"},
		parts:   []part{{set: upperDash, min: 30}},
	},
	// https://docs.databricks.com/en/dev-tools/auth/pat.html
	{
		name: "databricks-token", about: "Databricks personal access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"dapi[0-9a-f]"},
		parts:   []part{{set: hexDash, min: 32}},
	},
	// https://grafana.com/docs/grafana/latest/administration/service-accounts/
	{
		name: "grafana-token", about: "Grafana service account, cloud and API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"glsa_"},
		parts:   []part{{set: word, min: 32}},
	},
	{
		name: "grafana-token", about: "Grafana service account, cloud and API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"glc_ey"},
		parts:   []part{{set: base64Std, min: 32}},
	},
	{
		name: "grafana-token", about: "Grafana service account, cloud and API tokens", rank: rankToken, match: matchToken,
		anchors: []string{"eyJrIjoi"},
		parts:   []part{{set: base64Std, min: 40}},
	},
	// https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/
	{
		name: "newrelic-key", about: "New Relic API keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"NRAK-", "NRAL-", "NRII-", "NRIQ-", "NRRA-", "NRSP-", "NRJS-"},
		parts:   []part{{set: wordDash, min: 24}},
	},
	// https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens
	{
		name: "dynatrace-token", about: "Dynatrace tokens", rank: rankToken, match: matchToken,
		anchors: []string{"dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."},
		parts:   []part{{set: upperNum, min: 24, max: 24}, {text: "."}, {set: upperNum, min: 60}},
	},
	// https://planetscale.com/docs/concepts/planetscale-api-oauth-applications
	{
		name: "planetscale-token", about: "PlanetScale tokens and passwords", rank: rankToken, match: matchToken,
		anchors: []string{"pscale_tkn_", "pscale_oauth_", "pscale_pw_"},
		parts:   []part{{set: wordDot, min: 32}},
	},
	// https://supabase.com/docs/guides/api/api-keys
	{
		name: "supabase-key", about: "Supabase access tokens and secret keys", rank: rankToken, match: matchToken,
		anchors: []string{"sbp_"},
		parts:   []part{{set: word, min: 36}},
	},
	{
		name: "supabase-key", about: "Supabase access tokens and secret keys", rank: rankToken, match: matchToken,
		anchors: []string{"sb_secret_"},
		parts:   []part{{set: wordDash, min: 20}},
	},
	// https://docs.pinecone.io/guides/projects/manage-api-keys
	{
		name: "pinecone-key", about: "Pinecone API keys", rank: rankToken, match: matchToken,
		anchors: []string{"pcsk_"},
		parts:   []part{{set: word, min: 40}},
	},
}
