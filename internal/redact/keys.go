package redact

// keyRules are the names behind which a secret stands: those that the
// configuration of common programs uses. The last part of a name decides.
var keyRules = []rule{
	{
		name: "password", about: "values of names that end in password, passwd, passphrase, passcode", rank: rankKey, match: matchKey,
		words: true, least: 3,
		anchors: []string{"password", "passwd", "passphrase", "passcode", "passwort"},
	},
	{
		name: "password", about: "", rank: rankKey, match: matchKey,
		words: true, least: 3, weak: true,
		anchors: []string{"pass[= :\"'?%>\\`\t,]", "pwd[= :\"'?%>\\`\t,]"},
	},
	{
		name: "secret", about: "values of names that end in secret, credentials, connection string", rank: rankKey, match: matchKey,
		words: true, least: 6,
		anchors: []string{
			"secret", "credential", "credentials", "connection_string", "connectionstring", "connection-string", "connstr", "conn_str",
		},
	},
	{
		name: "token", about: "values of names that end in token", rank: rankKey, match: matchKey,
		least:   6,
		anchors: []string{"token", "jwt[= :\"'?%>\\`\t,]", "_auth", "psk[= :\"'?%>\\`\t,]"},
	},
	{
		name: "key", about: "values of names that end in api key, access key, secret key, private key and the like", rank: rankKey, match: matchKey,
		least: 6,
		anchors: []string{
			"apikey", "api_key", "api-key", "api key", "accesskey", "access_key", "access-key", "secretkey", "secret_key", "secret-key",
			"privatekey", "private_key", "private-key", "signingkey", "signing_key", "signing-key", "encryptionkey", "encryption_key", "encryption-key",
			"authkey", "auth_key", "auth-key", "accountkey", "account_key", "account-key", "sharedkey", "shared_key", "shared-key",
			"masterkey", "master_key", "master-key", "subscriptionkey", "subscription_key", "subscription-key", "servicekey", "service_key", "service-key",
			"consumerkey", "consumer_key", "consumer-key", "deploykey", "deploy_key", "deploy-key", "licensekey", "license_key", "license-key",
			"key-data", "keydata", "storagekey", "storage_key", "storage-key", "sessionkey", "session_key", "session-key",
			"applicationkey", "application_key", "application-key", "appkey", "app_key", "app-key", "secret_key_base",
		},
	},
}

// placeRules are the secrets that are known by where they stand.
var placeRules = []rule{
	// https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
	{
		name: "url-password", about: "passwords in URLs", rank: rankPlace, match: matchUserinfo,
		anchors: []string{"[a-z0-9+.-]://"},
	},
	// https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2
	{
		name: "authorization", about: "credentials in Authorization and Proxy-Authorization headers", rank: rankPlace, match: matchAuthorization,
		anchors: []string{"authorization"},
	},
	// https://www.rfc-editor.org/rfc/rfc6750
	{
		name: "bearer", about: "bearer tokens outside of a header", rank: rankPlace, match: matchBearer,
		anchors: []string{"bearer "},
	},
	// https://www.rfc-editor.org/rfc/rfc6265
	{
		name: "cookie", about: "values of cookies in Cookie and Set-Cookie headers", rank: rankPlace, match: matchCookie,
		anchors: []string{"cookie"},
	},
}

// formatRules are the secrets that a standard gives their shape.
var formatRules = []rule{
	// https://www.rfc-editor.org/rfc/rfc7468
	{
		name: "private-key", about: "private keys in PEM, OpenSSH, PGP and PuTTY armour", rank: rankFormat, match: matchArmor,
		anchors: []string{"PRIVATE KEY"},
	},
	// https://www.rfc-editor.org/rfc/rfc7519
	{
		name: "jwt", about: "JSON Web Tokens", rank: rankFormat, match: matchJWT,
		anchors: []string{"eyJ[A-Za-z0-9]"},
		parts:   []part{{}},
	},
}
