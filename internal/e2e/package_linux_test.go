package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// packaged are the packages of one version, made twice: in this repository, and in a
// copy of it elsewhere, by someone with other habits, and without network.
type packaged struct {
	dir  string // where the first ones are
	name string // of this platform's, without ending
}

const packagedVersion = "1.2.3"

func makePackages(t *testing.T) packaged {
	t.Helper()
	check := exec.Command("go", "build", "-o", os.DevNull, ".")
	check.Dir = "../../scripts/package.d"
	if out, err := check.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: needs the modules of scripts/package.d: %s", out)
	}
	p := packaged{t.TempDir(), "spool_" + packagedVersion + "_linux_" + runtime.GOARCH}
	platforms := []string{"linux/" + runtime.GOARCH}
	if !testing.Short() {
		platforms = nil // all of them
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	second, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "else where")
	copyTree(t, root, elsewhere)
	for _, c := range []struct {
		root, out string
		env       []string
	}{
		{root, p.dir, nil},
		{elsewhere, second, []string{"GOPROXY=off", "TZ=Asia/Kathmandu", "LC_ALL=C.UTF-8", "USER=somebody", "GOFLAGS=-trimpath=false"}},
	} {
		args := append([]string{"077", filepath.Join(c.root, "scripts/package"), "--out", c.out}, platforms...)
		cmd := exec.Command("with-umask", args...)
		cmd.Dir = c.out
		cmd.Env = append(os.Environ(), "VERSION="+packagedVersion, "SOURCE_DATE_EPOCH=1700000000")
		cmd.Env = append(cmd.Env, c.env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	names := found(t, p.dir)
	if other := found(t, second); !slices.Equal(names, other) || len(names) < 5 {
		t.Fatalf("%q, then %q", names, other)
	}
	for _, name := range names[1:] {
		if a, b := read(t, p.dir+name), read(t, second+name); !bytes.Equal(a, b) {
			t.Errorf("%s: %x, then %x", name, sha256.Sum256(a), sha256.Sum256(b))
		}
	}
	return p
}

// copyTree copies the sources, without history and what was built.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(notSources, d.Name()) && (filepath.Dir(path) == from || d.Name() == "__pycache__") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, info.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPackages(t *testing.T) {
	p := makePackages(t)
	t.Run("sums", p.checkSums)
	t.Run("tarball works where it was unpacked", p.checkTarball)
	t.Run("deb installs and goes again", p.checkDeb)
	t.Run("bill names what is in it", p.checkBill)
}

func (p packaged) checkSums(t *testing.T) {
	var want strings.Builder
	for _, name := range found(t, p.dir)[1:] {
		if name != "/SHA256SUMS" {
			fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(read(t, p.dir+name)), name[1:])
		}
	}
	if got := read(t, p.dir+"/SHA256SUMS"); string(got) != want.String() {
		t.Errorf("got:\n%swant:\n%s", got, want.String())
	}
}

// runsFrom holds the tools in a directory to doing their work.
func runsFrom(t *testing.T, bin string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "spool-run"), "--keep", "always", "--", "/usr/bin/printf", "hi")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.Output(); err != nil || string(out) != "hi" {
		t.Errorf("%v: %q", err, out)
	}
	for _, tool := range tools(t) {
		out, err := exec.Command(filepath.Join(bin, tool), "--version").Output()
		if err != nil || string(out) != tool+" "+packagedVersion+"\n" {
			t.Errorf("%v: %q", err, out)
		}
	}
}

func (p packaged) checkTarball(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-C", dir, "-xzf", filepath.Join(p.dir, p.name+".tar.gz")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	top := filepath.Join(dir, p.name)
	runsFrom(t, filepath.Join(top, "bin"))
	for _, name := range []string{"share/doc/spool/LICENSE", "share/doc/spool/notices.txt", "share/man/man1/spool-run.1"} {
		if info, err := os.Stat(filepath.Join(top, name)); err != nil || info.Size() == 0 || info.ModTime().Unix() != 1700000000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func (p packaged) checkDeb(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("SKIPPED: needs dpkg")
	}
	deb := filepath.Join(p.dir, p.name+".deb")
	out, err := exec.Command("dpkg-deb", "--field", deb, "Package", "Version", "Architecture").CombinedOutput()
	if want := "Package: spool\nVersion: 1.2.3\nArchitecture: " + runtime.GOARCH + "\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
	out, err = exec.Command("dpkg-deb", "--contents", deb).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if !regexp.MustCompile(`^(drwxr-xr-x|-rw[x-]r-[x-]r-[x-]|lrwxrwxrwx) root/root +\d+ 2023-11-1[45] \S+ \./`).MatchString(line) {
			t.Errorf("entry %q", line)
		}
	}
	// A system of its own, below a directory.
	root := t.TempDir()
	admin := filepath.Join(root, "var/lib/dpkg")
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(admin, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(admin, "status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dpkg := func(args ...string) {
		t.Helper()
		cmd := exec.Command("dpkg", append([]string{"--root=" + root, "--log=" + os.DevNull, "--force-not-root,bad-path"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("dpkg %v: %v: %s", args, err, out)
		}
	}
	dpkg("--install", deb)
	runsFrom(t, filepath.Join(root, "usr/bin"))
	dpkg("--verify", "spool")
	dpkg("--purge", "spool")
	if _, err := os.Lstat(filepath.Join(root, "usr")); err == nil {
		t.Errorf("left: %q", found(t, filepath.Join(root, "usr")))
	}
}

// billComponent is a component of the bill as far as it is looked at.
type billComponent struct {
	Type, Name, Version, PURL string
	Ref                       string `json:"bom-ref"`
	Hashes                    []struct{ Alg, Content string }
	Licenses                  []struct{ Expression string }
}

func (p packaged) checkBill(t *testing.T) {
	var bill struct {
		BOMFormat, SpecVersion, SerialNumber string
		Version                              int
		Metadata                             struct {
			Timestamp string
			Component billComponent
		}
		Components   []billComponent
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	d := json.NewDecoder(bytes.NewReader(read(t, filepath.Join(p.dir, p.name+".cdx.json"))))
	if err := d.Decode(&bill); err != nil {
		t.Fatal(err)
	}
	uuid := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if bill.BOMFormat != "CycloneDX" || bill.SpecVersion != "1.6" || bill.Version != 1 || !uuid.MatchString(bill.SerialNumber) ||
		bill.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("head: %+v", bill)
	}
	refs := []string{bill.Metadata.Component.Ref}
	var libraries, binaries []string
	for _, c := range bill.Components {
		refs = append(refs, c.Ref)
		if c.Version == "" || len(c.Licenses) != 1 || !spdx.MatchString(c.Licenses[0].Expression) {
			t.Errorf("component %+v", c)
		}
		switch {
		case c.Type == "application" && len(c.Hashes) == 1 && len(c.Hashes[0].Content) == 64:
			binaries = append(binaries, c.Name)
		case c.Type == "library" && strings.HasPrefix(c.PURL, "pkg:golang/") && strings.HasSuffix(c.PURL, "@"+c.Version):
			libraries = append(libraries, c.Name)
		default:
			t.Errorf("component %+v", c)
		}
	}
	if !slices.Equal(binaries, tools(t)) {
		t.Errorf("binaries: %q", binaries)
	}
	want := append(builtFrom(t), "std")
	slices.Sort(want)
	slices.Sort(libraries)
	if !slices.Equal(libraries, want) {
		t.Errorf("libraries: %q\ndocs/licences.md: %q", libraries, want)
	}
	var told []string
	for _, d := range bill.Dependencies {
		told = append(told, d.Ref)
		for _, ref := range d.DependsOn {
			if !slices.Contains(refs, ref) {
				t.Errorf("%s depends on %s, which is no component", d.Ref, ref)
			}
		}
	}
	slices.Sort(refs)
	slices.Sort(told)
	if len(slices.Compact(refs)) != len(bill.Components)+1 || !slices.Equal(refs, told) {
		t.Errorf("references %q\ndependencies %q", refs, told)
	}
}

var spdx = regexp.MustCompile(`^(MIT|BSD-3-Clause|Apache-2\.0)( AND (MIT|BSD-3-Clause|Apache-2\.0))*$`)

func TestPackageRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		args, env []string
		says      string
	}{
		"unknown option": {[]string{"--all"}, nil, "unknown option --all"},
		"no platform":    {[]string{"plan9"}, nil, "no OS/ARCH: plan9"},
		"no value":       {[]string{"--out"}, nil, "needs a value"},
		"odd version":    {nil, []string{"VERSION=a b"}, "VERSION is to be of"},
		"odd time":       {nil, []string{"VERSION=1", "SOURCE_DATE_EPOCH=now"}, "number of seconds"},
	} {
		cmd := exec.Command("../../scripts/package", c.args...)
		cmd.Env = append(os.Environ(), c.env...)
		out, err := cmd.CombinedOutput()
		if code := exitCode(t, err); code != 2 || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: status %d: %s", name, code, out)
		}
	}
}
