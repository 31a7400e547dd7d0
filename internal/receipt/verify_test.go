package receipt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/internal/capture/capturetest"
	"spool/pkg/format"
)

// finished returns a final capture of "one\ntwo\n", whole or cut by a quota.
func finished(t *testing.T, whole bool) *capture.Capture {
	t.Helper()
	c := begin(t, capturetest.Namespace(t))
	write(t, c, format.Stdout, "one\ntwo\n")
	if !whole {
		report := `{"schema":"spool.preview/v1","stream":"stdout","eof":true,"observed":8,"head":"one\n","head_end":4,"tail":"","tail_start":4,` +
			`"returned_bytes":4,"omitted_bytes":4,"error":null,"tool":{"name":"spool","version":"test"}}`
		err := errors.Join(c.WriteProcess(&format.ProcessFacts{
			Schema: format.ProcessSchema, Process: format.Process{State: format.ProcessUnknown}, Reasons: []format.Reason{format.ReasonDrainTimeout},
		}), os.WriteFile(filepath.Join(c.Path(), "stdout.preview.json"), []byte(report), 0o600),
			os.Remove(filepath.Join(c.Path(), "stdout.tee.json")))
		if err != nil {
			t.Fatal(err)
		}
	}
	r, _, err := Finish(t.Context(), c, FinishOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if (r.Capture.State == format.CaptureComplete) != whole {
		t.Fatalf("%+v", r.Capture)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestVerifyAcceptsWhatIsHonest(t *testing.T) {
	for name, c := range map[string]*capture.Capture{"complete": finished(t, true), "partial": finished(t, false)} {
		k, err := c.Cursor(t.Context(), "me")
		if err == nil {
			err = errors.Join(k.Move(format.Stdout, capture.Position{Generation: 1, Offset: 8}), k.Close(), c.Claim("me"))
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := Verify(t.Context(), c)
		if err != nil || v.Live || len(v.Faults) > 0 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestVerifyTellsEachFault(t *testing.T) {
	text := func(name, content string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600) }
	}
	rewrite := func(name, old, new string) func(string) error {
		return func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil && !strings.Contains(string(data), old) {
				err = errors.New("nothing to replace: " + old)
			}
			return errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(string(data), old, new, 1)), 0o600))
		}
	}
	for _, tt := range []struct {
		name   string
		whole  bool
		tamper func(dir string) error
		want   string // in one of the faults, behind the ID
	}{
		{"a changed byte", true, text("stdout", "one\ntwO\n"), "/stdout: has the sha256 "},
		{"a byte too few", true, text("stdout", "one\ntwo"), "/stdout: holds 7 bytes, but the receipt says that 8 are committed"},
		{"a byte too many", false, text("stdout", "one\ntwo\nx"), "/stdout: holds 9 bytes, but"},
		{"a line too few", true, text("stdout", "one two\n"), "/stdout: holds 1 lines, but the receipt says 2"},
		{"ill-formed text", true, text("stdout", "one\ntw\xff\n"), "/stdout: is not well-formed UTF-8, but the receipt says redacted-utf8"},
		{"a file that is gone", true, func(dir string) error { return os.Remove(filepath.Join(dir, "stdout")) }, "/stdout: is missing"},
		{"a stream nobody speaks of", true, text("stdout.zst", ""), "/stdout.zst: is there, but the receipt does not speak of it"},
		{"a live name", true, text("stderr.live", ""), "/stderr.live: is the name of a stream being written"},
		{"a stray", true, text("notes", ""), `/"notes": is nothing that spool makes`},
		{"a stray that would forge a line", true, text("a\nb", ""), `/"a\nb": is nothing`},
		{"a stray directory", true, func(dir string) error { return os.Mkdir(filepath.Join(dir, "sub"), 0o700) }, `/"sub": is nothing`},
		{"a link in place of the stream", true, func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, "stdout"), dir+"-s"), os.Symlink(dir+"-s", filepath.Join(dir, "stdout")))
		}, "/stdout: "},
		{"a second name", true, func(dir string) error { return os.Link(filepath.Join(dir, "stdout"), dir+"-s") }, "/stdout: known under 2 names"},
		{"an open file", true, func(dir string) error { return os.Chmod(filepath.Join(dir, "stdout"), 0o640) }, "/stdout: open to others"},
		{"a file nobody may write", true, func(dir string) error { return os.Chmod(filepath.Join(dir, "begin.json"), 0o400) }, "/begin.json: mode 0400"},
		{"a directory nobody may write", true, func(dir string) error { return os.Chmod(dir, 0o500) }, ": mode 0500: want 0700"},
		{"a false complete", true, rewrite("receipt.json", `"eof":true`, `"eof":false`), "/receipt.json: capture "},
		{"a changed label", true, rewrite("receipt.json", `"label":"make test"`, `"label":"make love"`), "/receipt.json: label is not that of begin.json"},
		{"a receipt of another capture", true, rewrite("receipt.json", `"id":"0`, `"id":"1`), "/receipt.json: "},
		{"a receipt cut short", true, text("receipt.json", `{"schema":"spool.receipt/v1"`), "/receipt.json: "},
		{"begin.json lost", true, func(dir string) error { return os.Remove(filepath.Join(dir, "begin.json")) }, "/begin.json: is missing"},
		{"the lock lost", true, func(dir string) error { return os.Remove(filepath.Join(dir, "lock")) }, "/lock: is missing"},
		{"a report that was folded", true, text("stdout.tee.json", "{}"), "/stdout.tee.json: was taken in by the receipt"},
		{"a preview beside a whole stream", true, text("stdout.preview.json", "{}"), "/stdout.preview.json: was taken in"},
		{"a damaged preview", false, text("stdout.preview.json", "{}"), "/stdout.preview.json: "},
		{"space that was set aside", true, text(".reserved-process.json", ""), "/.reserved-process.json: was taken in"},
		{"a consumer off the grammar", true, func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "cursors"), 0o700), text("cursors/UP", "")(dir))
		}, `/cursors/"UP": is no consumer`},
		{"a damaged cursor", true, func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "cursors"), 0o700), text("cursors/me", "x")(dir))
		}, "/cursors/me: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := finished(t, tt.whole)
			if err := tt.tamper(c.Path()); err != nil {
				t.Fatal(err)
			}
			v, err := Verify(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range v.Faults {
				if strings.HasPrefix(f.String(), string(c.ID())+tt.want) {
					return
				}
			}
			t.Errorf("no fault %q in %q", tt.want, v.Faults)
		})
	}
}

func TestVerifyTellsACursorBeyondTheEnd(t *testing.T) {
	c := finished(t, true)
	k, err := c.Cursor(t.Context(), "me")
	if err == nil {
		err = errors.Join(k.Move(format.Stdout, capture.Position{Generation: 1, Offset: 9}), k.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if v, err := Verify(t.Context(), c); err != nil || len(v.Faults) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestVerifySkipsWhatIsLiveAndTellsWhatIsAbandoned(t *testing.T) {
	c := begin(t, capturetest.Namespace(t))
	check := func(when string, live bool, faults int) {
		t.Helper()
		v, err := Verify(t.Context(), c)
		if err != nil || v.Live != live || len(v.Faults) != faults {
			t.Errorf("%s: %+v, %v", when, v, err)
		}
	}
	check("cared for", true, 0)
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	check("let go a moment ago", true, 0)
	old := time.Now().Add(-2 * Quiet)
	entries, err := c.Root().Names()
	for _, name := range entries {
		err = errors.Join(err, os.Chtimes(filepath.Join(c.Path(), name), old, old))
	}
	if err != nil {
		t.Fatal(err)
	}
	check("let go long ago", false, 1)
}

func TestVerifyNamespaceTellsStrays(t *testing.T) {
	c := finished(t, true)
	ns := c.Namespace()
	if faults, err := VerifyNamespace(ns); err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", faults, err)
	}
	err := errors.Join(os.WriteFile(filepath.Join(ns.Path(), "notes"), nil, 0o600), os.Chmod(filepath.Join(ns.Path(), "allowance"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := VerifyNamespace(ns)
	if err != nil || len(faults) != 2 || !strings.HasPrefix(faults[0].String(), `"allowance": open to others`) {
		t.Errorf("%v, %v", faults, err)
	}
}
