package redact

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
	// https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html
	{
		name: "private-key", about: "", rank: rankFormat, match: matchPuTTY,
		anchors: []string{"Private-Lines: "},
	},
}
