package redact

// placeRules are the secrets that are known by where they stand.
var placeRules = []rule{
	// https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
	{
		name: "url-password", about: "passwords in URLs", rank: rankPlace, match: matchUserinfo,
		anchors: []string{"[a-z0-9+.-]://", `:\/\/`},
	},
	{
		name: "url-password", about: "", rank: rankPlace, match: matchEncodedUserinfo,
		anchors: []string{"%3a%2f%2f"},
	},
	// https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2
	{
		name: "authorization", about: "credentials in Authorization and Proxy-Authorization headers", rank: rankPlace, match: matchAuthorization,
		anchors: []string{"authorization"},
	},
	// https://www.rfc-editor.org/rfc/rfc6750
	{
		name: "bearer", about: "bearer tokens outside of a header", rank: rankPlace, match: matchBearer,
		anchors: []string{"bearer ", "bearer%20"},
	},
	// https://www.rfc-editor.org/rfc/rfc6265
	{
		name: "cookie", about: "values of cookies in Cookie and Set-Cookie headers", rank: rankPlace, match: matchCookie,
		anchors: []string{"cookie"},
	},
	// https://api.slack.com/messaging/webhooks
	{
		name: "slack-webhook", about: "addresses of Slack webhooks and workflow triggers", rank: rankPlace, match: matchWebhook,
		anchors: []string{"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"},
		parts:   []part{{set: wordSlash, min: 20}},
	},
	// https://discord.com/developers/docs/resources/webhook
	{
		name: "discord-webhook", about: "addresses of Discord webhooks", rank: rankPlace, match: matchWebhook,
		anchors: []string{"/api/webhooks/"},
		parts:   []part{{set: digits, min: 15, max: 22}, {text: "/"}, {set: wordDash, min: 40}},
	},
	// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
	{
		name: "teams-webhook", about: "addresses of Microsoft Teams webhooks", rank: rankPlace, match: matchWebhook,
		anchors: []string{"webhook.office.com/webhookb2/"},
		parts:   []part{{set: wordSlash, min: 36}},
	},
	// https://core.telegram.org/bots/api#authorizing-your-bot
	{
		name: "telegram-token", about: "Telegram bot tokens", rank: rankPlace, match: matchTelegram,
		anchors: []string{":AA[A-Za-z0-9_-]"},
		parts:   []part{{set: wordDash, min: 31}},
	},
	// https://learn.microsoft.com/entra/identity-platform/security-tokens
	{
		name: "azure-ad-secret", about: "client secrets of Microsoft Entra applications", rank: rankPlace, match: matchAfter, skip: 1,
		anchors: []string{"[0-9]Q~[A-Za-z0-9_.~-]"},
		parts:   []part{{set: class{lo: wordDot.lo, hi: wordDot.hi | tildeBits}, min: 30}},
	},
	// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
	// https://learn.microsoft.com/azure/storage/common/storage-sas-overview
	{
		name: "url-signature", about: "signatures in presigned URLs", rank: rankPlace, match: matchSignature,
		anchors: []string{"signature=", "sig="},
	},
	// https://dev.mysql.com/doc/refman/8.4/en/connection-options.html#option_general_password
	{
		name: "flag-password", about: "passwords behind the flags of mysql, sshpass, docker login, redis-cli", rank: rankPlace, match: matchPasswordFlag,
		anchors: []string{" -p[A-Za-z0-9\"'$ !@#%^&*_+=]", " -a ", " -w ", " -k "},
	},
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchListFlag,
		words: true, least: 3,
		anchors: []string{"\"-p[A-Za-z0-9\"\\!@#$%^&*_+=]", "'-p[A-Za-z0-9'!@#$%^&*_+=]", "\"-a\"", "'-a'", "\"-a\\\""},
	},
	// https://docs.docker.com/reference/cli/docker/login/#password-stdin
	// https://cli.github.com/manual/gh_auth_login
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchPipedLogin,
		anchors: []string{"echo ", "printf "},
	},
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchHereString,
		anchors: []string{"--password-stdin", "--with-token"},
	},
	// https://curl.se/docs/manpage.html#-b
	{
		name: "cookie", about: "", rank: rankPlace, match: matchCookieFlag,
		anchors: []string{" -b[A-Za-z\"' ]"},
	},
	{
		name: "cookie", about: "", rank: rankPlace, match: matchListFlag,
		anchors: []string{"\"-b\"", "'-b'", "\"-b\\\""},
	},
	// https://w3c.github.io/web-performance/specs/HAR/Overview.html#sec-har-object-types-cookies
	{
		name: "cookie", about: "", rank: rankPlace, match: matchCookieList,
		anchors: []string{"cookies"},
	},
	// https://developer.hashicorp.com/vault/docs/commands/login
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchLogin,
		anchors: []string{"vault login ", "cargo login "},
	},
	// https://httpd.apache.org/docs/2.4/programs/htpasswd.html
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchPasswordFile,
		anchors: []string{"htpasswd -"},
	},
	// https://learn.microsoft.com/windows-server/administration/windows-commands/net-use
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchNetUser,
		anchors: []string{" /user:"},
	},
	// https://redis.io/docs/latest/operate/oss_and_stack/management/config-file/
	{
		name: "flag-password", about: "", rank: rankPlace, match: matchDirective,
		anchors: []string{"requirepass ", "masterauth "},
	},
	// https://curl.se/docs/manpage.html#-u
	{
		name: "flag-user", about: "", rank: rankPlace, match: matchListFlag,
		words: true, least: 3,
		anchors: []string{"\"-u[A-Za-z0-9\"\\]", "'-u[A-Za-z0-9']", "\"--user[\"\\]", "'--user'", "\"--proxy-user[\"\\]"},
	},
	{
		name: "flag-user", about: "passwords behind curl -u and the like", rank: rankPlace, match: matchUserFlag,
		anchors: []string{" -u[A-Za-z0-9\"' ]", " --user[= ]", " --proxy-user[= ]", " -U[A-Za-z0-9\"' ]"},
	},
	// https://dev.mysql.com/doc/refman/8.4/en/create-user.html
	// https://dev.mysql.com/doc/refman/8.4/en/set-password.html
	{
		name: "sql-password", about: "passwords in SQL that makes or changes a user", rank: rankPlace, match: matchIdentified,
		words: true, least: 3,
		anchors: []string{"identified by ", "identified with ", "set password for "},
	},
	// https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
	{
		name: "netrc", about: "passwords in netrc files", rank: rankPlace, match: matchNetrc,
		anchors: []string{"password "},
	},
}
