// Package completion turns the tables of options, as --help prints them, into
// completions for bash, zsh and fish.
//
// What a value may be stands in the help already: "auto|off|REGEX" is two words
// and something that cannot be completed, FILE a file, REF a reference. Where the
// help says no more than NAME, [Read] knows more.
//
// The caveat: it reads text for people. A test of the real tools holds the
// committed files against it, so that a change of the help cannot go unseen.
package completion
