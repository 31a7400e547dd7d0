package completion

import "strings"

// value is what is known of a value beyond its name in the help.
type value struct {
	words []string
	kind  Kind
}

// values are those whose name in the help says no more than NAME or LIST, by
// option and that name. A test has the tools take each of the words.
var values = map[string]value{
	"disable NAME": {kind: Rule},
	"encoding NAME": {words: strings.Fields(`auto utf-8 utf-16le utf-16be utf-32le utf-32be
		iso-8859-1 iso-8859-2 iso-8859-15 windows-1250 windows-1251 windows-1252 koi8-r koi8-u cp437 macintosh
		shift_jis euc-jp iso-2022-jp euc-kr gbk gb18030 big5`)},
	"signal NAME": {words: strings.Fields("SIGHUP SIGINT SIGQUIT SIGILL SIGABRT SIGBUS SIGFPE SIGKILL SIGSEGV SIGPIPE SIGALRM SIGTERM")},
	"state STATE": {words: strings.Fields(`running exited cancelled timeout not-started unknown
		pending complete partial failed disabled unavailable`)},
	"stream NAME":  {words: strings.Fields("stdout stderr output")},
	"streams LIST": {words: strings.Fields("stdout,stderr stdout stderr output")},
}
