//go:build unix

package e2e

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// notSources are what is built or kept beside the sources.
var notSources = []string{".git", "bin", "dist", ".cache", "__pycache__"}

var trailingBlank = regexp.MustCompile(`(?m)[ \t]+$`)

func TestFilesAreAsEditorconfigSays(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(notSources, d.Name()) && d.IsDir():
			return filepath.SkipDir
		case !d.Type().IsRegular() || d.Name() == ".git" || filepath.Ext(path) == ".bin":
			return nil
		}
		data := read(t, path)
		if !utf8.Valid(data) || bytes.Contains(data, []byte("\r\n")) || len(data) > 0 && data[len(data)-1] != '\n' {
			t.Errorf("%s: lines of UTF-8, each ended by LF, are wanted", path)
		}
		if exempt := strings.Contains(path, "/testdata/") && filepath.Ext(path) == ".txt" || strings.Contains(path, "/testdata/script/"); !exempt {
			if at := trailingBlank.FindIndex(data); at != nil {
				t.Errorf("%s:%d: blanks at the end of the line", path, 1+bytes.Count(data[:at[0]], []byte("\n")))
			}
		}
		tabs := slices.Contains([]string{".go", ".mod", ".mk"}, filepath.Ext(path))
		if first := bytes.Contains(data, []byte("\n\t")); first && !tabs && slices.Contains([]string{".py", ".sh", ".yml", ".tmpl"}, filepath.Ext(path)) {
			t.Errorf("%s: a line begins with a tab", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
