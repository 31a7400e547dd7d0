package redact

// keyRules are the names behind which a secret stands: those that the
// configuration of common programs uses. The last part of a name decides.
var keyRules = []rule{
	{
		name: "password", about: "values of names that end in password, passwd, passphrase, passcode", rank: rankKey, match: matchKey,
		words: true, least: 3,
		anchors: []string{"password", "passwd", "passphrase", "passcode", "passwort", "storepass", "keypass"},
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
		name: "secret", about: "", rank: rankKey, match: matchKeyList,
		words: true, least: 6, weak: true,
		anchors: []string{"passwords", "passphrases"},
	},
	{
		name: "secret", about: "", rank: rankKey, match: matchKeyList,
		words: true, least: 6,
		anchors: []string{"secrets"},
	},
	{
		name: "secret", about: "", rank: rankKey, match: matchKeyList,
		least: 8, weak: true,
		anchors: []string{"tokens", "apikeys", "api_keys", "api-keys", "access_keys", "accesskeys", "secret_keys", "secretkeys"},
	},
	{
		name: "token", about: "values of names that end in token", rank: rankKey, match: matchKey,
		least:   6,
		anchors: []string{"token", "jwt[= :\"'?%>\\`\t,]", "_auth", "psk[= :\"'?%>\\`\t,]"},
	},
	{
		name: "token", about: "", rank: rankKey, match: matchKey,
		least: 8, weak: true,
		anchors: []string{"auth[= :\"'\\`]"},
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
