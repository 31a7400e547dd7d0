//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrong are the calls of someone who has not read the manual, and what helps on.
// There is a namespace with one capture, a file "file" and a directory "dir".
var wrong = []struct {
	call string // words; @huge is 100 KiB of them, @none an empty one
	code int
	says string // stderr has it; "" if there is nothing on stderr
}{
	{"spool-run", 2, "a command is needed"},
	{"spool-run --hlep", 2, "did you mean --help?"},
	{"spool-run --timout 5s true", 2, "did you mean --timeout?"},
	{"spool-run --keep", 2, "option --keep needs a value: --keep auto|failed|always|never"},
	{"spool-run --keep sometimes true", 2, "not one of auto, failed, always, never"},
	{"spool-run --timeout 5 true", 2, "write it like 500ms, 2s or 1h30m"},
	{"spool-run --max-bytes much true", 2, "--max-bytes"},
	{"spool-run frobnicate", 127, "\"frobnicate\": no such file or directory"},
	{"spool-run ./none", 127, "\"./none\": no such file or directory"},
	{"spool-run dir/", 126, "\"dir/\": permission denied"},
	{"spool-run ./file", 126, "\"./file\": permission denied"},
	{"spool-run @none", 127, "\"\": no such file or directory"},
	{"spool-run @huge", 127, "no such file or directory"},
	{"spool-run echo@hi", 127, "hint: a line of shell is run by: spool-run sh -c 'LINE'"},
	{"spool-run --stdin none -- cat", 125, "\"none\""},
	{"spool-run --require-capture --dir file -- true", 125, "\"file\""},
	{"spool-run --cancel latest true", 2, "--cancel takes no command"},
	{"spool-run --cancel none", 2, "reference \"none\""},
	{"spool-redact file", 2, "spool-redact <FILE"},
	{"spool-redact rule", 2, "the one command is rules"},
	{"spool-redact dir", 2, "no operand is taken"},
	{"spool-redact @none", 2, "no operand is taken"},
	{"spool-redact @huge", 2, "no operand is taken"},
	{"spool-redact --secret-file file", 2, "did you mean --secrets-file?"},
	{"spool-redact --secrets-file none", 1, "\"none\": no such file or directory"},
	{"spool-redact --secrets-file dir", 1, "\"dir\": not a regular file"},
	{"spool-redact --disable none", 2, "\"none\""},
	{"spool-redact --encoding none", 2, "want auto, utf-8"},
	{"spool-redact rules x", 2, "\"x\""},
	{"spool-tee", 2, "one FILE is needed"},
	{"spool-tee @none", 2, "one FILE is needed"},
	{"spool-tee a b", 2, "one FILE is needed"},
	{"spool-tee file", 1, "\"file\" exists: remove it or choose another name"},
	{"spool-tee dir", 1, "\"dir\" exists"},
	{"spool-tee dir/", 2, "\"dir/\" is a directory"},
	{"spool-tee none/file", 1, "\"none/\": no such file or directory"},
	{"spool-tee @huge", 1, "name of 102400 bytes"},
	{"spool-tee --snyc none x", 2, "did you mean --sync?"},
	{"spool-preview file", 2, "spool-preview <FILE"},
	{"spool-preview /no/such/file", 2, "spool-preview <FILE"},
	{"spool-preview @none", 2, "reference \"\""},
	{"spool-preview @huge", 2, "an id has 26 characters"},
	{"spool-preview --lines 1:2", 2, "needs a REF"},
	{"spool-preview --line 1:2 latest", 2, "did you mean --lines?"},
	{"spool-preview --lines 0 latest/stdout", 2, "write A:B, A: or :B"},
	{"spool-preview --dir none latest", 1, "there is no namespace yet; --dir names another"},
	{"spool-preview --dir file latest", 1, "not a directory but a regular file"},
	{"spool-preview 012345", 1, "no such capture"},
	{"spool-preview latest/none", 1, "none"},
	{"spool-receipt", 2, "a command is needed: begin, process, finish, show"},
	{"spool-receipt shwo latest", 2, "did you mean show?"},
	{"spool-receipt frobnicate", 2, "commands are begin, process, finish, show"},
	{"spool-receipt @none", 2, "unknown command \"\""},
	{"spool-receipt @huge", 2, "commands are begin"},
	{"spool-receipt show", 2, "one REF is needed: an id, the first characters of one, or latest"},
	{"spool-receipt show file", 2, "reference \"file\""},
	{"spool-receipt show --jsno latest", 2, "did you mean --json?"},
	{"spool-receipt show --dir none latest", 1, "there is no namespace yet; --dir names another"},
	{"spool-receipt list --dir none", 0, ""},
	{"spool-receipt list --dir file", 1, "not a directory but a regular file"},
	{"spool-receipt finish", 2, "--capture DIR is needed: the directory that begin printed"},
	{"spool-receipt finish --capture dir", 1, "want NAMESPACE/ID"},
	{"spool-receipt verify", 2, "either REF or --all is needed"},
	{"spool-receipt export latest", 2, "-o FILE and REF are needed"},
	{"spool-receipt export -o file latest", 1, "\"file\" exists"},
	{"spool-receipt begin --dir file", 1, "not a directory but a regular file"},
	{"spool-gc --dir none", 0, ""},
	{"spool-gc --dir file", 1, "not a directory but a regular file"},
	{"spool-gc latest", 2, "an operand goes with --delete alone"},
	{"spool-gc @none", 2, "an operand goes with --delete alone"},
	{"spool-gc @huge", 2, "an operand goes with --delete alone"},
	{"spool-gc --delete", 2, "--delete needs a REF"},
	{"spool-gc --delete file", 2, "reference \"file\""},
	{"spool-gc --prnue", 2, "did you mean --prune?"},
	{"spool-gc --prune", 2, "--prune needs --older-than or --max-total"},
}

// userHome is a directory as a new user may have it.
func userHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := userCall(t, dir, "spool-run", "--keep", "always", "--", "echo", "hi").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// userCall is a tool's call in that directory, with an empty stdin.
func userCall(t *testing.T, dir, tool string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, tool, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "HOME="+dir, "SPOOL_DIR="+filepath.Join(dir, "ns"))
	return cmd
}

func TestWrongCallsAreHelpedOn(t *testing.T) {
	dir := userHome(t)
	for _, c := range wrong {
		words := strings.Fields(c.call)
		for i, word := range words {
			words[i] = map[string]string{"@huge": strings.Repeat("x", 100<<10), "@none": "", "echo@hi": "echo hi"}[word]
			if !strings.Contains(word, "@") {
				words[i] = word
			}
		}
		cmd := userCall(t, dir, words[0], words[1:]...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if code := exitCode(t, cmd.Run()); code != c.code || stdout.Len() > 0 || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: status %d, stdout %q, stderr %q", c.call, code, stdout.String(), stderr.String())
		}
		if c.says == "" && stderr.Len() == 0 {
			continue
		}
		checkMessages(t, words[0], stderr.String())
	}
}

// Every option is suggested for itself with two characters exchanged.
func TestTyposAreToldWhatWasMeant(t *testing.T) {
	for _, p := range pages(t) {
		for i, o := range p.options {
			if testing.Short() && i%5 != 0 {
				continue
			}
			at := len(o.name) - 1
			for o.name[at] == o.name[at-1] {
				at--
			}
			typo := "--" + o.name[:at-1] + o.name[at:at+1] + o.name[at-1:at] + o.name[at+1:]
			code, stdout, stderr := call(t, p.args[0], append(p.args[1:], typo)...)
			if code != 2 || stdout != "" || !strings.Contains(stderr, "hint: did you mean --"+o.name+"?") {
				t.Errorf("%v %s: status %d, stdout %q, stderr %q", p.args, typo, code, stdout, stderr)
			}
		}
	}
}

// answers are calls that have data for stdout, and the status where it takes none: a
// command's own is never changed by that.
var answers = []struct {
	call string
	code int
}{
	{"spool-run -- echo hi", 0},
	{"spool-run --json -- sh -c exit\t3", 3},
	{"spool-run --print-config", 1},
	{"spool-run --doctor", 1},
	{"spool-run --help", 1},
	{"spool-redact", 1},
	{"spool-redact rules", 1},
	{"spool-redact --version", 1},
	{"spool-tee kept", 1},
	{"spool-preview", 1},
	{"spool-preview latest", 1},
	{"spool-preview --bytes-range 0:2 latest/stdout", 1},
	{"spool-receipt list", 1},
	{"spool-receipt list --json", 1},
	{"spool-receipt show latest", 1},
	{"spool-receipt resolve latest", 1},
	{"spool-receipt export --help", 1},
	{"spool-receipt begin -- x", 1},
	{"spool-gc --dry-run --grace 0", 1}, // tells of the one just begun
}

func TestFullStdoutIsSaid(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("SKIPPED: needs /dev/full")
	}
	defer full.Close()
	dir := userHome(t)
	for _, c := range answers {
		words := strings.Fields(strings.ReplaceAll(c.call, "\t", "@"))
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "@", " ")
		}
		cmd := userCall(t, dir, words[0], words[1:]...)
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("text\n"), full, &stderr
		code := exitCode(t, cmd.Run())
		if code != c.code || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%s: status %d, stderr %q", c.call, code, stderr.String())
		}
		checkMessages(t, words[0], stderr.String())
	}
}

// Where there is no stdout, nothing else takes its number and gets the data.
func TestClosedStdoutIsNoOtherFile(t *testing.T) {
	dir := userHome(t)
	for _, c := range answers {
		words := strings.Fields(c.call)
		cmd := userCall(t, dir, words[0], words[1:]...)
		path, err := exec.LookPath("with-closed")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path, cmd.Args = path, append([]string{"with-closed", "1", cmd.Path}, words[1:]...)
		cmd.Stdin = strings.NewReader("only this\n")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if code := exitCode(t, cmd.Run()); code > 3 || code == 2 && !strings.Contains(c.call, "exit") {
			t.Errorf("%s: status %d, stderr %q", c.call, code, stderr.String())
		}
		for _, name := range found(t, dir) {
			if strings.HasSuffix(name, "/") || name == "/kept" {
				continue
			}
			if data := read(t, dir+name); bytes.Contains(data, []byte("only this")) || bytes.Contains(data, []byte("usage:")) {
				t.Errorf("%s: %s holds %q", c.call, name, data)
			}
		}
	}
}
