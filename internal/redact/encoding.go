package redact

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodingByName returns the encoding of that name of the IANA registry, nil for
// UTF-8. It is a switch because the tables of ianaindex and htmlindex are built
// at every start.
func encodingByName(name string) (encoding.Encoding, error) {
	name = strings.ToLower(name)
	switch name {
	case "", "auto", "utf-8", "utf8":
		return nil, nil
	case "utf-16le", "ucs-2", "utf-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), nil
	case "utf-32le", "utf-32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), nil
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM), nil
	case "shift_jis", "shift-jis", "sjis", "windows-31j", "cp932":
		return japanese.ShiftJIS, nil
	case "euc-jp":
		return japanese.EUCJP, nil
	case "iso-2022-jp":
		return japanese.ISO2022JP, nil
	case "euc-kr", "cp949":
		return korean.EUCKR, nil
	case "gbk", "gb2312", "cp936":
		return simplifiedchinese.GBK, nil
	case "gb18030":
		return simplifiedchinese.GB18030, nil
	case "big5", "cp950":
		return traditionalchinese.Big5, nil
	}
	if enc := singleByte(name); enc != nil {
		return enc, nil
	}
	return nil, fmt.Errorf("unknown encoding %q: want auto, utf-8, utf-16le, utf-16be, utf-32le, utf-32be, iso-8859-1 to -16, windows-1250 to -1258, koi8-r, koi8-u, cp437 and kin, macintosh, shift_jis, euc-jp, iso-2022-jp, euc-kr, gbk, gb18030 or big5", name)
}

// singleByte returns an encoding of one byte a character.
func singleByte(name string) encoding.Encoding {
	switch name {
	case "latin1", "iso8859-1":
		name = "iso-8859-1"
	case "ascii", "us-ascii", "cp1252":
		name = "windows-1252"
	}
	canonical := func(s string) string {
		return strings.NewReplacer("ibm code page ", "cp", "windows code page ", "cp", "ibm", "cp", " ", "-").Replace(strings.ToLower(s))
	}
	for _, e := range charmap.All {
		if m, ok := e.(*charmap.Charmap); ok && canonical(m.String()) == canonical(name) {
			return m
		}
	}
	return nil
}
