package pipeline_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"spool/pkg/format"
)

// marked returns 3 Mi characters of one to four bytes each between two markers.
func marked(stream string) []byte {
	const chars = 3 << 20
	mix := []string{"a", "é", "–", "汉", "😀", "z", "\n"}
	var b bytes.Buffer
	first, last := "<FIRST-OF-"+stream+">", "<LAST-OF-"+stream+">"
	b.WriteString(first)
	for i := range chars - len(first) - len(last) {
		b.WriteString(mix[(i+i/1000)%len(mix)])
	}
	b.WriteString(last)
	return b.Bytes()
}

// gateIn makes a gate: a process that reads it waits until it is opened.
func gateIn(t *testing.T, dir, name string) (file string) {
	t.Helper()
	file = filepath.Join(dir, name)
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func open(t *testing.T, gate string) {
	t.Helper()
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tool calls another of the tools.
func tool(t *testing.T, ns, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Env = append(os.Environ(), "SPOOL_DIR="+ns)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %q: %v\n%.300s", name, args, err, out)
	}
	return string(out)
}

// TestMarkersAtBothEndsOfBothStreams: what was written is there to be read while
// the command runs, before anybody has polled; it is kept exactly, and stays as
// it is whatever is read, waited for or written later.
func TestMarkersAtBothEndsOfBothStreams(t *testing.T) {
	want := map[string][]byte{}
	for _, stream := range []string{"stdout", "stderr"} {
		want[stream] = marked(stream)
	}
	for name, c := range map[string]struct {
		args   []string
		suffix string
		orphan bool
	}{
		"plain":      {},
		"compressed": {args: []string{"--compress", "zstd"}, suffix: ".zst"},
		"orphan":     {args: []string{"--drain", "50ms"}, orphan: true},
	} {
		t.Run(name, func(t *testing.T) {
			ns, dir := namespace(t), t.TempDir()
			for stream, data := range want {
				if err := os.WriteFile(filepath.Join(dir, stream), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			gate, late := gateIn(t, dir, "gate"), gateIn(t, dir, "late")
			script := fmt.Sprintf("cd %s; cat stdout & cat stderr >&2; wait; cat gate; exit 5", dir)
			if c.orphan {
				script = fmt.Sprintf("cd %s; cat stdout & cat stderr >&2; wait; (cat late; echo late; echo late >&2; touch wrote) & cat gate; exit 5", dir)
			}
			ref := begin(t, ns, append(c.args, "--", "sh", "-c", script)...)
			if c.suffix == "" {
				for stream, data := range want {
					eventually(t, stream+" is there to be read", func() bool {
						info, err := os.Stat(filepath.Join(ns, ref, stream+".live"))
						return err == nil && info.Size() == int64(len(data))
					})
				}
				for stream, data := range want {
					checkMarkers(t, ns, ref, stream, len(data))
				}
			}
			open(t, gate)
			r := await(t, ns, ref)
			state := format.CaptureComplete
			if c.orphan {
				state = format.CapturePartial
			}
			if r.Process.ExitCode.Or(0) != 5 || r.Capture.State != state {
				t.Errorf("%+v, %+v", r.Process, r.Capture)
			}
			files := map[string][]byte{}
			for stream, data := range want {
				file := filepath.Join(ns, ref, stream+c.suffix)
				got, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				files[file] = got
				if c.suffix == "" && !bytes.Equal(got, data) {
					t.Errorf("%s: %d bytes are kept, and not the %d that were written", stream, len(got), len(data))
				}
				checkMarkers(t, ns, ref, stream, len(data))
			}
			tool(t, ns, "spool-receipt", "wait", ref)
			tool(t, ns, "spool-receipt", "claim", ref)
			tool(t, ns, "spool-preview", ref)
			tool(t, ns, "spool-preview", "--match", "LAST-OF", ref+"/stdout")
			tool(t, ns, "spool-preview", "--consumer", "one", ref+"/stderr")
			if c.orphan {
				open(t, late)
				eventually(t, "the orphan has written", func() bool { _, err := os.Stat(filepath.Join(dir, "wrote")); return err == nil })
			}
			for file, data := range files {
				if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s has changed: %d bytes, %v", file, len(got), err)
				}
			}
			tool(t, ns, "spool-receipt", "verify", ref)
		})
	}
}

// checkMarkers reads the first and the last bytes of a stream of size bytes.
func checkMarkers(t *testing.T, ns, ref, stream string, size int) {
	t.Helper()
	for _, mark := range []string{"<FIRST-OF-" + stream + ">", "<LAST-OF-" + stream + ">"} {
		at := 0
		if strings.HasPrefix(mark, "<LAST") {
			at = size - len(mark)
		}
		if got := tool(t, ns, "spool-preview", "--bytes-range", fmt.Sprintf("%d:%d", at, at+len(mark)), ref+"/"+stream); got != mark {
			t.Errorf("%s: bytes %d to %d are %q, want %q", stream, at, at+len(mark), got, mark)
		}
	}
}

// halves are secrets in two halves, and what stands in their place.
func halves() map[string][3]string {
	return map[string][3]string{
		"literal": {"zq7-Wm31x-", "Kp90v-Lq2", "[REDACTED:env:DEPLOY_TOKEN]"},
		"rule":    {"gh" + "p_" + "A1b2C3d4E5f6G7", "h8I9j0K1l2M3n4O5p6Q7r8", "[REDACTED:github-token]"},
	}
}

// TestPromotionTearsNeitherCharacterNorSecret: the caller is let go while half a
// chunk, half a character and half a secret have been written on both streams.
func TestPromotionTearsNeitherCharacterNorSecret(t *testing.T) {
	for name, h := range halves() {
		t.Run(name, func(t *testing.T) {
			ns, dir := namespace(t), t.TempDir()
			gate := gateIn(t, dir, "gate")
			for file, text := range map[string]string{
				"first":  strings.Repeat("chunk–", 3000) + "x=" + h[0],
				"second": h[1] + " !\xe2",
				"third":  "\x80\x94 end",
			} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			script := "cd " + dir + "; cat first; cat first >&2; cat gate; cat second; cat second >&2; cat gate; cat third; cat third >&2"
			c := call{ns: ns}
			if name == "literal" {
				c.env = []string{"DEPLOY_TOKEN=" + h[0] + h[1]}
			}
			got := c.run(t, "--json", "--promote-after", "1500ms", "--", "sh", "-c", script)
			r, fields := parse(t, got)
			if got.code != 75 {
				t.Fatalf("%+v", got)
			}
			nowhere := func(when string) {
				t.Helper()
				for _, half := range []string{h[0][len(h[0])-8:], h[1]} {
					if out, err := exec.Command("grep", "-rF", half, ns).Output(); err == nil || strings.Contains(got.stdout+got.stderr, half) {
						t.Errorf("%s: half a secret is in the namespace or was shown: %.200s", when, out)
					}
				}
			}
			nowhere("at the promotion")
			cursors, _ := fields["cursors"].(map[string]any)
			open(t, gate)
			eventually(t, "the second half has come", func() bool {
				data, err := os.ReadFile(filepath.Join(ns, string(r.ID), "stderr.live"))
				return err == nil && strings.HasSuffix(string(data), h[2]+" !")
			})
			nowhere("between")
			open(t, gate)
			final := await(t, ns, string(r.ID))
			nowhere("at the end")
			want := strings.Repeat("chunk–", 3000) + "x=" + h[2] + " !— end"
			for _, name := range []string{"stdout", "stderr"} {
				if out := stream(t, ns, final, name); out != want {
					t.Errorf("%s ends with %q", name, out[max(0, len(out)-80):])
				}
				if cursor := fmt.Sprintf("1:%d", len(strings.Repeat("chunk–", 3000))+2); cursors[name] != cursor {
					t.Errorf("the cursor of %s is %v, want %s: what is held was not counted", name, cursors[name], cursor)
				}
			}
			if final.Capture.State != format.CaptureComplete {
				t.Errorf("%+v", final.Capture)
			}
		})
	}
}

// TestNoTailIsLost: what decoder and redactor hold when the end comes, of its
// own or by force, is decided and kept.
func TestNoTailIsLost(t *testing.T) {
	t.Setenv("DEPLOY_TOKEN", "zq7-Wm31x-Kp90v")
	const text = `printf 'kept gh''p_Ab\342\200'; printf 'too zq7-Wm\360\237' >&2; `
	want := map[string]string{"stdout": "kept gh" + "p_Ab\uFFFD", "stderr": "too zq7-Wm\uFFFD"}
	for name, c := range map[string]struct {
		args   []string
		script string
		state  format.ProcessState
		cancel bool
	}{
		"end of input": {nil, "exit 0", format.ProcessExited, false},
		"timeout":      {[]string{"--timeout", "300ms"}, "exec sleep 69", format.ProcessTimeout, false},
		"killed":       {[]string{"--timeout", "300ms", "--kill-after", "50ms"}, "trap '' TERM; while :; do sleep 69; done", format.ProcessTimeout, false},
		"cancelled":    {nil, "exec sleep 69", format.ProcessCancelled, true},
	} {
		t.Run(name, func(t *testing.T) {
			ns := namespace(t)
			ref := begin(t, ns, append(c.args, "--", "sh", "-c", text+c.script)...)
			if c.cancel {
				eventually(t, "it has written", func() bool {
					data, err := os.ReadFile(filepath.Join(ns, ref, "stderr.live"))
					return err == nil && strings.HasPrefix(string(data), "too ")
				})
				if got := (call{ns: ns}).run(t, "--cancel", ref); got.code != 0 {
					t.Errorf("%+v", got)
				}
			}
			r := await(t, ns, ref)
			for name, text := range want {
				if got := stream(t, ns, r, name); got != text {
					t.Errorf("%s: %q, want %q", name, got, text)
				}
			}
			if r.Process.State != c.state || r.Capture.State != format.CaptureComplete {
				t.Errorf("%+v, %+v", r.Process, r.Capture)
			}
		})
	}
}

// TestFailureOnStderrAloneIsShown: its end is in the preview, and stdout's silence
// costs nothing.
func TestFailureOnStderrAloneIsShown(t *testing.T) {
	for _, args := range [][]string{nil, {"--promote-after", "15s"}, {"--keep", "always"}} {
		ns := namespace(t)
		got := call{ns: ns}.run(t, append(append([]string{}, args...), "--", "sh", "-c", "seq 1 20000 >&2; echo FATAL: the cause >&2; exit 1")...)
		r := receipt(t, ns)
		if got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, "\nFATAL: the cause\n") || len(got.stderr) < 7000 {
			t.Errorf("%v: status %d, %d bytes shown on stderr: …%s", args, got.code, len(got.stderr), got.stderr[max(0, len(got.stderr)-200):])
		}
		if r.Capture.State != format.CaptureComplete || !r.Streams["stdout"].Representation.Committed.Is(0) {
			t.Errorf("%v: %+v, %+v", args, r.Capture, r.Streams["stdout"])
		}
	}
}
