// Package redact takes secrets out of a stream of text while it passes.
//
// A [Set] is what is looked for: literals, whose values are known, in all their
// written forms; and rules, which know a secret by its shape, its place or its
// name. A [Writer] applies it to one stream, [Set.String] to one string.
//
// # The order of things
//
// Bytes are decoded to UTF-8, escape sequences and invisible characters are put
// beside the text, the text is searched for anchors, the candidates they give are
// decided, and what is decided is emitted:
//
//	raw → decoder → filter → text → search → candidates → spans → result
//
// # Any cut, same bytes
//
// The output does not depend on how the input was cut into pieces. Three rules
// make it so. A matcher answers "more" whenever a byte that has not come could
// change its answer. Spans are placed in the order of their beginnings, and only
// once no earlier one can come any more. And what a matcher may look at before
// and behind its candidate has fixed bounds.
//
// # What is held
//
// Text that cannot become part of a secret is passed on at once. Held are: the
// end of the text, where it could be the beginning of a token or a literal; the
// value behind a secret-looking name, until it is told from a placeholder. As
// soon as something is known to be a secret its marker goes out, and the rest of
// it is swallowed without being kept. What cannot be decided within the window is
// omitted, up to the next white space, and a marker says so.
//
// The caveat: this finds what is known to be secret and what looks like it. It
// does not find a password in prose.
package redact
