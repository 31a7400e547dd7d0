package redact

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bodySize is how much of each kind of lock file is made, in bytes.
const bodySize = 1 << 20

// checkTruth holds redactions to one in 5 MiB: the first lines with one are told.
func checkTruth(t *testing.T, set *Set, what string, body []byte) {
	t.Helper()
	var out bytes.Buffer
	w := set.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	hits := 0
	for line := range bytes.Lines(out.Bytes()) {
		if n := bytes.Count(line, []byte("[REDACTED:")); n > 0 {
			if hits += n; hits < 10 {
				t.Logf("%s: %.200s", what, line)
			}
		}
	}
	if most := len(body) / (5 << 20); hits > max(most, 0) {
		t.Errorf("%s: %d redactions in %d bytes, want at most %d", what, hits, len(body), most)
	}
}

// TestTruthOverGoSources reads what is no test and knows of no key: the sources
// of the Go tree. In short mode a part of them.
func TestTruthOverGoSources(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("SKIPPED: needs the go command")
	}
	var body bytes.Buffer
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.Contains(name, "crypto")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		case testing.Short() && body.Len() > 12<<20:
			return fs.SkipAll
		}
		data, err := os.ReadFile(name)
		body.Write(data)
		return err
	})
	if err != nil || body.Len() < 5<<20 {
		t.Skipf("SKIPPED: needs the sources of Go (%d bytes, %v)", body.Len(), err)
	}
	checkTruth(t, compile(t, Options{}), "go sources", body.Bytes())
}

// A lockPackage is one entry of a lock file.
type lockPackage struct {
	name, version, sha1, sha256hex, sha256base64, sha512 string
}

// lockPackages draws entries: names that end in secret words are among them.
func lockPackages(rng *rand.Rand, n int) []lockPackage {
	words := []string{
		"js-tokens", "jsonwebtoken", "tokenizers", "passwd-user", "secret-stack", "auth", "oauth-sign", "csrf", "keytar", "api-key",
		"lodash", "semver", "cookie", "tough-cookie", "password-prompt", "serde", "rand-core", "libsecret-sys", "zeroize", "token", "secret", "credential-helper",
	}
	list := make([]lockPackage, n)
	for i := range list {
		var raw [64]byte
		for k := range raw {
			raw[k] = byte(rng.Uint32())
		}
		sum := sha256.Sum256(raw[:])
		list[i] = lockPackage{
			name:         words[rng.IntN(len(words))],
			version:      fmt.Sprintf("%d.%d.%d", rng.IntN(20), rng.IntN(40), rng.IntN(99)),
			sha1:         hex.EncodeToString(raw[:20]),
			sha256hex:    hex.EncodeToString(sum[:]),
			sha256base64: base64.StdEncoding.EncodeToString(sum[:]),
			sha512:       base64.StdEncoding.EncodeToString(raw[:]),
		}
	}
	return list
}

// TestTruthOverLockFiles makes lock files in the forms that package managers
// write: they are full of hashes, and of packages named like secrets.
func TestTruthOverLockFiles(t *testing.T) {
	forms := map[string]func(p lockPackage) string{
		"package-lock.json": func(p lockPackage) string {
			return fmt.Sprintf("    \"node_modules/%s\": {\n      \"version\": %q,\n      \"resolved\": \"https://registry.example.org/%[1]s/-/%[1]s-%[2]s.tgz\",\n      \"integrity\": \"sha512-%s\",\n      \"dependencies\": {\n        %[1]q: \"^%s\",\n        \"token\": \">=%[5]s\"\n      }\n    },\n", p.name, p.version, p.sha512, p.version, p.version)
		},
		"yarn.lock": func(p lockPackage) string {
			return fmt.Sprintf("%s@^%s, %[1]s@~%[2]s:\n  version %[2]q\n  resolved \"https://registry.example.org/%[1]s/-/%[1]s-%[2]s.tgz#%s\"\n  integrity sha512-%s\n  dependencies:\n    %[1]s \"^%[2]s\"\n    token \"%[2]s\"\n\n", p.name, p.version, p.sha1, p.sha512)
		},
		"pnpm-lock.yaml": func(p lockPackage) string {
			return fmt.Sprintf("  /%s@%s:\n    resolution: {integrity: sha512-%s}\n    dependencies:\n      %[1]s: %[2]s\n      token: %[2]s(react@18.2.0)\n\n", p.name, p.version, p.sha512)
		},
		"Cargo.lock": func(p lockPackage) string {
			return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = %q\ndependencies = [\n \"secret\",\n \"token %[2]s\",\n]\n\n", p.name, p.version, p.sha256hex)
		},
		"go.sum": func(p lockPackage) string {
			return fmt.Sprintf("example.org/x/%s v%s h1:%s\nexample.org/x/%[1]s v%[2]s/go.mod h1:%[3]s\n", p.name, p.version, p.sha256base64)
		},
		"poetry.lock": func(p lockPackage) string {
			return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\noptional = false\nfiles = [\n    {file = \"%[1]s-%[2]s.tar.gz\", hash = \"sha256:%s\"},\n]\n\n[package.dependencies]\ntoken = \">=%[2]s,<99\"\n\n", p.name, p.version, p.sha256hex)
		},
		"Gemfile.lock": func(p lockPackage) string {
			return fmt.Sprintf("    %s (%s)\n      token (>= %[2]s)\n      secret (~> %[2]s)\n  %[1]s (%[2]s) sha256=%s\n", p.name, p.version, p.sha256hex)
		},
		"composer.lock": func(p lockPackage) string {
			return fmt.Sprintf("        {\n            \"name\": \"vendor/%s\",\n            \"version\": \"v%s\",\n            \"source\": {\"type\": \"git\", \"reference\": %q},\n            \"require\": {\"vendor/token\": \"^%[2]s\", \"ext-secret\": \"*\"},\n            \"content-hash\": %q\n        },\n", p.name, p.version, p.sha1, p.sha1[:32])
		},
	}
	set := compile(t, Options{})
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 7))
			var body strings.Builder
			for body.Len() < bodySize {
				for _, p := range lockPackages(rng, 100) {
					body.WriteString(form(p))
				}
			}
			checkTruth(t, set, name, []byte(body.String()))
		})
	}
}
