// Package preview is the bounded look at what a command printed: head and tail
// of a stream in constant memory, and the text that shows them within a budget
// of characters and bytes.
//
// A [Window] remembers the two ends of a stream. [Render] divides a [Budget]
// over the streams of a capture and cuts each one: at line ends where that
// costs less than a quarter of the share, else between whole characters, with
// one omission line in the place of what is left out. What fits is printed as
// it came.
//
// [Filter] does so for its input, and [Stage] as a stage of a capture, where its
// report keeps enough of both ends for every division of the budget.
//
// [Look] shows what a capture holds in the same way, behind headers with the
// exact length of what follows. [Bytes], [Lines], [Match] and [Poll] retrieve
// pieces of a stream, plain or compressed, final, partial or still being
// written, in memory that does not depend on its length. [Cause] finds the lines
// of what was left out that look like the cause of a failure.
//
// A character is a Unicode code point. A cut never tears what a reader sees as
// one (a grapheme cluster: a letter with its combining marks, an emoji
// sequence, CR LF), unless a single one of those exceeds the share.
//
// Offsets are of the stream's representation, counted from 0; ranges are
// half-open. They stay exact where bytes are shown as something else: ill-formed
// ones as U+FFFD, carriage-return redraws as their last state.
//
// The caveat: a preview is for looking. Nothing in its text is proof of
// anything, because a command can print an omission line too. What was left out
// is told by [Rendered] and by the receipt.
package preview
