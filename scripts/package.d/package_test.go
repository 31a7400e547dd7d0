package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var epoch = time.Unix(1700000000, 0).UTC()

func TestDebianSortsVersionsInTheOrderOfTime(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3":                    "1.2.3",
		"v1.2.3":                   "1.2.3",
		"v1.2.3-rc.1":              "1.2.3~rc.1",
		"v1.2.3-4-gabc1234":        "1.2.3+4.gabc1234",
		"v1.2.3-4-gabc1234-dirty":  "1.2.3+4.gabc1234+dirty",
		"abc1234":                  "0~20231114221320.abc1234",
		"1234567":                  "0~20231114221320.1234567",
		"abc1234-dirty":            "0~20231114221320.abc1234+dirty",
		"v1.2.3-rc.1-4-gabc1234":   "1.2.3~rc.1+4.gabc1234",
		"v1.2.3-rc.1-4-g0-dirty":   "1.2.3~rc.1+4.g0+dirty",
		"devel":                    "0~20231114221320.devel",
		"v2-beta":                  "0~20231114221320.2~beta",
		"v1.0.0+build.5-1-gabc123": "1.0.0+build.5+1.gabc123",
	} {
		if got := debianVersion(build{Version: version, Epoch: epoch}); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestLicencesAreReadAsExpressions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "licences.md")
	table := "| module | licence | for |\n| --- | --- | --- |\n| a.org/b | MIT | x |\n| a.org/c | BSD-3-Clause, Apache-2.0 and MIT in parts | y |\n"
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := readLicences(path)
	if err != nil || len(known) != 2 || known["a.org/b"] != "MIT" || known["a.org/c"] != "BSD-3-Clause AND Apache-2.0 AND MIT" {
		t.Errorf("%v, %q", err, known)
	}
}

func TestToolOfAModuleWithoutLicenceIsRefused(t *testing.T) {
	// The test itself is a binary, built from modules of which none is listed.
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(executable)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tool"), data, 0o700); err != nil {
		t.Fatal(err)
	}
	var b build
	if err := b.readTools(dir, nil); err == nil {
		t.Error("taken")
	}
}

func TestDirectoriesComeBeforeWhatIsInThem(t *testing.T) {
	got := directories([]file{{Path: "share/man/man1/x.1"}, {Path: "bin/x"}, {Path: "share/doc/x"}})
	if want := []string{"bin", "share", "share/doc", "share/man", "share/man/man1"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestSameBillHasTheSameNumber(t *testing.T) {
	b := build{OS: "linux", Arch: "amd64", Version: "1", Epoch: epoch, Tools: []tool{{Name: "x", Go: "go1.26.0"}}}
	first, err := b.bill()
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.bill()
	b.Version = "2"
	other, err2 := b.bill()
	if err != nil || err2 != nil || !bytes.Equal(first, again) {
		t.Fatalf("%v, %v", err, err2)
	}
	number := func(text []byte) string {
		var d bom
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		return d.SerialNumber
	}
	if number(first) == number(other) {
		t.Errorf("two bills, one number %s", number(first))
	}
}
