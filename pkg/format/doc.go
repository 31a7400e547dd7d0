// Package format is spool's contract in types: what lies in a capture's
// directory, what a receipt may claim, and how identities, references, names
// and sizes are written.
//
// Reading is strict and writing is canonical. A decoder refuses duplicate keys,
// missing keys and every broken invariant, and names the field; it ignores keys
// that it does not know, so that a later version can add some. An encoder
// writes the keys in one fixed order, on one line, with a final newline.
//
// What is not known is null in JSON and the zero value in Go ([Count], [Opt]):
// there is no conversion from unknown to 0.
//
// The package imports only the standard library and opens no file. It says what
// may be claimed, not whether the claim is true: sizes, hashes and modes on
// disk are compared by those who hold the bytes.
package format
