//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spool/internal/completion"
)

// completed is what TAB offers at the end of each line, the same in every shell.
// @ID stands for the one capture, foo for a command that has a completion of its
// own, which offers the word once more. There are a file notes.txt and a
// directory nook.
var completed = []struct{ line, want string }{
	{"spool-run --kee", "--keep"},
	{"spool-run --no", "--no-label --no-redact --no-secret-env"},
	{"spool-run --keep ", "always auto failed never"},
	{"spool-run --keep a", "always auto"},
	{"spool-run --keep=a", "always auto"},
	{"spool-run --stdin=n", "nook notes.txt null"},
	{"spool-run --dir n", "nook"},
	{"spool-run --cancel la", "latest"},
	{"spool-run --secrets-file no", "nook notes.txt"},
	{"spool-run --timeout ", ""},
	{"spool-run --pattern a=b:c --orphans ", "kill leave"},
	{"spool-run foo wo", "foo-wo"},
	{"spool-run foo --ke", "foo---ke"},
	{"spool-run -- foo wo", "foo-wo"},
	{"spool-run --keep=auto --label a:b -- foo --x=y wo", "foo-wo"},
	{"spool-run -- unknown-command not", "notes.txt"},
	{"spool-run --keep always spool-tee --sync e", "end"},
	{"spool-redact --disable github-t", "github-token"},
	{"spool-redact --encoding utf-16", "utf-16be utf-16le"},
	{"spool-redact --encoding=koi8-", "koi8-r koi8-u"},
	{"spool-redact ru", "rules"},
	{"spool-redact rules --", "--help --version"},
	{"spool-tee --compress z", "zstd"},
	{"spool-tee not", "notes.txt"},
	{"spool-tee x --", ""},
	{"spool-preview --highlight o", "off"},
	{"spool-preview --lines 1:2 @ID/", "@ID/stderr @ID/stdout"},
	{"spool-preview --dir nowhere 0", ""},
	{"spool-preview --dir=nowhere la", "latest"},
	{"spool-receipt s", "share show"},
	{"spool-receipt show ", "@ID latest"},
	{"spool-receipt show -- ", "@ID latest"},
	{"spool-receipt show --j", "--json"},
	{"spool-receipt list --state ca", "cancelled"},
	{"spool-receipt process --signal SIGK", "SIGKILL"},
	{"spool-receipt export -o not", "notes.txt"},
	{"spool-receipt begin --streams o", "output"},
	{"spool-receipt begin foo wo", "foo-wo"},
	{"spool-receipt begin -- foo wo", "foo-wo"},
	{"spool-gc --prune --ma", "--max-total"},
	{"spool-gc --delete 0", "@ID"},
}

func TestCompletionInBash(t *testing.T) {
	testShell(t, "bash", []string{"--norc", "--noprofile"}, "complete.bash", "bash/spool")
}

func TestCompletionInZsh(t *testing.T) {
	testShell(t, "zsh", []string{"-f"}, "complete.zsh", "zsh/_spool")
}

func TestCompletionInFish(t *testing.T) {
	testShell(t, "fish", []string{"--no-config"}, "complete.fish", "fish/*.fish")
}

// testShell holds what a shell offers against the table.
func testShell(t *testing.T, shell string, args []string, script, files string) {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		t.Skip("SKIPPED: needs " + shell)
	}
	dir, id := completionDir(t)
	paths, err := filepath.Glob(filepath.Join(completions, files))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", files, err)
	}
	for _, path := range append([]string{"../../testdata/completion/" + script}, paths...) {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	var lines strings.Builder
	for _, c := range completed {
		lines.WriteString(strings.ReplaceAll(c.line, "@ID", id) + "\n")
	}
	cmd := exec.Command(shell, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, completionEnv(dir), strings.NewReader(lines.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q, stdout %q", err, stderr.String(), out)
	}
	answers := strings.Split(strings.TrimPrefix("\n"+string(out), "\n> "), "\n> ")
	if len(answers) != len(completed) {
		t.Fatalf("%d answers to %d lines: %q", len(answers), len(completed), out)
	}
	for i, c := range completed {
		offered := strings.Split(strings.TrimSpace(strings.ReplaceAll(answers[i], id, "@ID")), "\n")[1:]
		for j, word := range offered {
			word = regexp.MustCompile("^--[a-z]+=").ReplaceAllString(word, "") // some shells replace the whole word
			offered[j] = strings.TrimSuffix(word, "/")
		}
		slices.Sort(offered)
		if diff := cmp.Diff(c.want, strings.Join(slices.Compact(offered), " ")); diff != "" {
			t.Errorf("%q: want (-), offered (+):\n%s", c.line, diff)
		}
	}
}

// completionDir returns a directory with something to complete.
func completionDir(t *testing.T) (dir, id string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "nook"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"spool-run", "--keep", "always", "--", "true"}, {"spool-receipt", "list", "--json"}} {
		cmd := exec.Command(filepath.Join(os.Getenv(binVariable), args[0]), args[1:]...)
		cmd.Dir, cmd.Env = dir, completionEnv(dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`"id":"([^"]+)"`).FindSubmatch(out); m != nil {
			id = string(m[1])
		}
	}
	return dir, id
}

func completionEnv(dir string) []string {
	path := os.Getenv(binVariable) + string(os.PathListSeparator) + os.Getenv("PATH")
	return []string{"PATH=" + path, "HOME=" + dir, "SPOOL_DIR=" + filepath.Join(dir, "nook", "ns"), "TERM=dumb", "LC_ALL=C.UTF-8"}
}

// On a terminal readline splits the line, and what TAB made of it is run.
func TestCompletionOnATerminalInBash(t *testing.T) {
	for _, need := range []string{"bash", "script"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("SKIPPED: needs " + need)
		}
	}
	dir, _ := completionDir(t)
	file, err := filepath.Abs(filepath.Join(completions, "bash/spool"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("script", "-q", "-e", "-c", "bash --norc --noprofile -i", os.DevNull)
	cmd.Dir, cmd.Env = dir, completionEnv(dir)
	cmd.Stdin = strings.NewReader(". " + file + "\nspool-run --kee\tne\t --orphans=l\t -- printf '<%s>' not\t; exit\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "<notes.txt>") {
		t.Errorf("%v: %q", err, out)
	}
}

// What is offered has to be taken.
func TestCompletedWordsAreTaken(t *testing.T) {
	for _, topic := range topics(t) {
		for _, o := range topic.Options {
			for _, word := range o.Words {
				args := append(strings.Fields(topic.Name)[1:], "--"+o.Name+"="+word)
				_, _, stderr := call(t, topic.Tool(), args...)
				if strings.Contains(stderr, word) && strings.Contains(stderr, "--"+o.Name) || strings.Contains(stderr, "unknown") {
					t.Errorf("%s %v: %s", topic.Tool(), args, stderr)
				}
			}
		}
	}
}

func TestReadOfHelpThatIsNone(t *testing.T) {
	for _, text := range []string{"", "spool-run 1.0\n", "usage: spool-run\n"} {
		if topic, err := completion.Read(text); err == nil {
			t.Errorf("%q: %+v", text, topic)
		}
	}
}
