package format

import (
	"fmt"
	"strings"
)

// Names of streams. A capture has [Stdout] and [Stderr], or [Output] alone when
// the command wrote both into one pipe.
const (
	Stdout = "stdout"
	Stderr = "stderr"
	Output = "output"
)

// MaxName is the greatest length of a stream or consumer name in bytes.
const MaxName = 64

// CheckName checks a stream or consumer name: [a-z0-9][a-z0-9._-]{0,63}.
func CheckName(s string) error {
	if s == "" {
		return fmt.Errorf("name is empty")
	}
	if len(s) > MaxName {
		return fmt.Errorf("name %q is longer than %d characters", clipString(s), MaxName)
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			return fmt.Errorf("name %q: want a-z, 0-9, then also '.', '_' and '-'", s)
		}
	}
	return nil
}

// ParseStreams reads a comma-separated list of streams: any of stdout and
// stderr, or output alone.
func ParseStreams(s string) ([]string, error) {
	list := strings.Split(s, ",")
	if err := CheckStreams(list); err != nil {
		return nil, err
	}
	return list, nil
}

// CheckStreams checks the streams of a capture: any of stdout and stderr, or
// output alone, none twice.
func CheckStreams(list []string) error {
	seen := map[string]bool{}
	for _, n := range list {
		switch {
		case n != Stdout && n != Stderr && n != Output:
			return fmt.Errorf("stream %q: want stdout, stderr, or output alone", clipString(n))
		case seen[n]:
			return fmt.Errorf("stream %q is named twice", n)
		case n == Output && len(list) > 1:
			return fmt.Errorf("stream \"output\" stands alone: it holds both streams")
		}
		seen[n] = true
	}
	if len(list) == 0 {
		return fmt.Errorf("no stream is named: want stdout, stderr, or output alone")
	}
	return nil
}
