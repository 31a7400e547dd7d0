package redact

import _ "embed" // the tables lie in the program as they are used

// The tables follow from the rules and from how often texts have which triples.
// The latter was measured once, over sources, manuals, build and test logs.
//
//go:generate go test -run TestTablesAreCurrent -update .

//go:embed frequency.bin
var tripleFrequencies string // two to the byte, the lower half first

//go:embed triple.bin
var builtinTriples []byte // never written to

//go:embed window.bin
var builtinWindows []byte // never written to
