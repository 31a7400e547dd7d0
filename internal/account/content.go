package account

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"unicode/utf8"
)

// Content is what reading all of a stream's retained bytes tells.
type Content struct {
	Size         int64
	Lines        int64 // newlines
	FinalNewline bool  // the last byte is a newline; true if there is none, as no partial line follows
	SHA256       string
	UTF8         bool // well-formed from the first byte to the last
}

// Read reads r to its end. Its memory does not depend on the length.
func Read(r io.Reader) (Content, error) {
	c := counter{hash: sha256.New(), content: Content{FinalNewline: true, UTF8: true}}
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		c.take(buf[:n])
		if err == io.EOF { //nolint:errorlint // io.Reader returns it bare
			return c.end(), nil
		}
		if err != nil {
			return Content{}, err
		}
	}
}

// counter accounts for bytes that come in pieces.
type counter struct {
	hash    hash.Hash
	content Content
	torn    [utf8.UTFMax]byte // the first bytes of a character that the last piece cut
	tornLen int               // < utf8.UTFMax
}

func (c *counter) take(p []byte) {
	if len(p) == 0 {
		return
	}
	_, _ = c.hash.Write(p) // a hash never fails
	c.content.Size += int64(len(p))
	c.content.Lines += int64(bytes.Count(p, []byte{'\n'}))
	c.content.FinalNewline = p[len(p)-1] == '\n'
	if c.content.UTF8 {
		c.takeText(p)
	}
}

// takeText checks p, which follows what is torn.
func (c *counter) takeText(p []byte) {
	for c.tornLen > 0 && len(p) > 0 {
		c.torn[c.tornLen] = p[0]
		c.tornLen, p = c.tornLen+1, p[1:]
		if head := c.torn[:c.tornLen]; utf8.FullRune(head) {
			c.content.UTF8 = c.content.UTF8 && utf8.Valid(head)
			c.tornLen = 0
		}
	}
	whole := len(p) - tornTail(p)
	c.content.UTF8 = c.content.UTF8 && utf8.Valid(p[:whole])
	c.tornLen += copy(c.torn[c.tornLen:], p[whole:])
}

// tornTail returns how many bytes at the end of p begin a character that p
// does not hold whole.
func tornTail(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if b := p[len(p)-n]; utf8.RuneStart(b) {
			if utf8.FullRune(p[len(p)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

func (c *counter) end() Content {
	c.content.UTF8 = c.content.UTF8 && c.tornLen == 0
	c.content.SHA256 = hex.EncodeToString(c.hash.Sum(nil))
	return c.content
}
