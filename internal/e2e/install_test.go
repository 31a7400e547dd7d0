//go:build unix

package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// install runs scripts/install with the tools that were built for the tests.
func install(t *testing.T, env []string, args ...string) (code int, output string) {
	t.Helper()
	if !slices.Contains(args, "--uninstall") {
		args = append([]string{"--bin", os.Getenv(binVariable)}, args...)
	}
	cmd := exec.Command("../../scripts/install", args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return exitCode(t, err), string(out)
}

// found returns what is below dir, directories with a slash.
func found(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, dir)
		if err == nil && d.IsDir() {
			name += "/"
		}
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestInstalledToolsWorkAndAllGoesAgain(t *testing.T) {
	top := filepath.Join(t.TempDir(), "a place")
	var all []string
	for range 2 { // the second time changes nothing
		if code, out := install(t, nil, top); code != 0 || out != "" {
			t.Fatalf("status %d: %s", code, out)
		}
		names := found(t, top)
		if all != nil && !slices.Equal(all, names) {
			t.Errorf("%q, then %q", all, names)
		}
		all = names
	}
	for _, tool := range tools(t) {
		for _, name := range []string{
			"/bin/" + tool, "/share/man/man1/" + tool + ".1",
			"/share/bash-completion/completions/" + tool, "/share/fish/vendor_completions.d/" + tool + ".fish",
		} {
			if info, err := os.Stat(top + name); err != nil || info.Mode().Perm()&0o444 != 0o444 {
				t.Errorf("%s: %v, %v", name, info, err)
			}
		}
	}
	// With nothing but itself to find its stages by.
	cmd := exec.Command(filepath.Join(top, "bin/spool-run"), "--keep", "always", "--", "/bin/sh", "-c", "printf hi")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.Output(); err != nil || string(out) != "hi" {
		t.Errorf("%v: %q", err, out)
	}
	if _, err := exec.LookPath("man"); err == nil {
		cmd := exec.Command("man", "-M", filepath.Join(top, "share/man"), "spool-run")
		cmd.Env = append(os.Environ(), "PAGER=cat", "MANPAGER=cat", "LC_ALL=C.UTF-8")
		if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), "EXIT STATUS") {
			t.Errorf("man: %v, %d bytes", err, len(out))
		}
	} else {
		t.Log("SKIPPED: needs man")
	}
	if code, out := install(t, nil, "--uninstall", top); code != 0 || out != "" {
		t.Errorf("status %d: %s", code, out)
	}
	if _, err := os.Lstat(top); err == nil {
		t.Errorf("left: %q", found(t, top))
	}
}

func TestUninstallLeavesWhatIsNotIts(t *testing.T) {
	top := t.TempDir()
	foreign, changed := filepath.Join(top, "bin/other"), filepath.Join(top, "share/spool/spool.mk")
	if err := os.Mkdir(filepath.Dir(foreign), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out := install(t, nil, top); code != 0 {
		t.Fatal(out)
	}
	for _, file := range []string{foreign, changed} {
		if err := os.WriteFile(file, []byte("mine\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, out := install(t, nil, "--uninstall", top)
	if code != 0 || !strings.Contains(out, changed) {
		t.Errorf("status %d: %s", code, out)
	}
	want := []string{"/", "/bin/", "/bin/other", "/share/", "/share/spool/", "/share/spool/spool.mk"}
	if got := found(t, top); !slices.Equal(got, want) {
		t.Errorf("left: %q", got)
	}
}

func TestInstallReplacesAnOlderVersion(t *testing.T) {
	top := t.TempDir()
	if code, out := install(t, nil, top); code != 0 {
		t.Fatal(out)
	}
	// As if the version before had one thing more.
	manifest := filepath.Join(top, "share/spool/manifest")
	data, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(top, "share/spool/gone")
	if err := os.WriteFile(gone, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	sum, err := exec.Command("sh", "-c", "cksum <\"$1\"", "sh", gone).Output()
	if err != nil {
		t.Fatal(err)
	}
	line := "file " + strings.TrimSpace(string(sum)) + " share/spool/gone\n"
	if err := os.WriteFile(manifest, append(data, line...), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out := install(t, nil, top); code != 0 || out != "" {
		t.Errorf("status %d: %s", code, out)
	}
	if _, err := os.Lstat(gone); err == nil {
		t.Error("what the older version had is still there")
	}
	if now, err := os.ReadFile(manifest); err != nil || string(now) != string(data) {
		t.Errorf("%v, manifest:\n%s", err, now)
	}
}

func TestInstallRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"file/bin/spool-tee", "link/bin/spool-tee", "dir/bin/spool-tee/x", "plain"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(path, nil, 0o644)
		if strings.HasPrefix(name, "link") {
			err = os.Symlink("/no/such", path+"~")
			if err == nil {
				err = os.Rename(path+"~", path)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		args, env []string
		code      int
		says      string
	}{
		"no prefix":           {nil, nil, 2, "one PREFIX is needed"},
		"two prefixes":        {[]string{"/a", "/b"}, nil, 2, "one PREFIX is needed"},
		"empty prefix":        {[]string{""}, nil, 2, "PREFIX is empty"},
		"unknown option":      {[]string{"--prefix=/a"}, nil, 2, "unknown option --prefix=/a"},
		"relative in DESTDIR": {[]string{"usr"}, []string{"DESTDIR=" + dir}, 2, "has to be absolute"},
		"foreign file":        {[]string{filepath.Join(dir, "file")}, nil, 1, "in the way: " + dir + "/file/bin/spool-tee"},
		"foreign link":        {[]string{filepath.Join(dir, "link")}, nil, 1, "in the way: " + dir + "/link/bin/spool-tee"},
		"foreign directory":   {[]string{filepath.Join(dir, "dir")}, nil, 1, "in the way: " + dir + "/dir/bin/spool-tee"},
		"file as prefix":      {[]string{filepath.Join(dir, "plain")}, nil, 1, "cannot make " + dir + "/plain"},
		"nothing installed":   {[]string{"--uninstall", filepath.Join(dir, "dir")}, nil, 1, "nothing of spool is installed"},
	} {
		t.Run(name, func(t *testing.T) {
			before := found(t, dir)
			code, out := install(t, c.env, c.args...)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("status %d: %s", code, out)
			}
			if after := found(t, dir); !slices.Equal(before, after) {
				t.Errorf("%q, then %q", before, after)
			}
		})
	}
}

func TestInstallUnderDestdir(t *testing.T) {
	stage := t.TempDir()
	env := []string{"DESTDIR=" + stage}
	if code, out := install(t, env, "/usr"); code != 0 {
		t.Fatal(out)
	}
	if _, err := os.Stat(filepath.Join(stage, "usr/bin/spool-run")); err != nil {
		t.Error(err)
	}
	if code, out := install(t, env, "--uninstall", "/usr"); code != 0 {
		t.Error(out)
	}
	if left := found(t, stage); len(left) != 1 {
		t.Errorf("left: %q", left)
	}
}

// A manifest is a file that others may write to.
func TestUninstallStaysBelowItsPrefix(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	manifest := filepath.Join(dir, "top/share/spool/manifest")
	if err := os.MkdirAll(filepath.Dir(manifest), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../victim", "bin/../../victim", victim} {
		for file, text := range map[string]string{victim: "", manifest: "file 4294967295 0 " + path + "\n"} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, out := install(t, nil, "--uninstall", filepath.Join(dir, "top"))
		if _, err := os.Stat(victim); err != nil || code != 1 || !strings.Contains(out, "did not write") {
			t.Errorf("%s: %v, status %d: %s", path, err, code, out)
		}
	}
}

func TestGoInstallGivesToolsThatFindEachOther(t *testing.T) {
	bin := t.TempDir()
	cmd := exec.Command("go", "install", "./cmd/...")
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd = exec.Command(filepath.Join(bin, "spool-run"), "--keep", "always", "--", "/bin/sh", "-c", "printf hi")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.Output(); err != nil || string(out) != "hi" {
		t.Errorf("%v: %q", err, out)
	}
}
