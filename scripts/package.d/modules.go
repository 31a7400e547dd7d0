package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A module is something that a tool is built from.
type module struct {
	Path, Version string
	Sum           string // as in go.sum
	Licence       string // an SPDX expression
}

// A tool is one of the binaries.
type tool struct {
	Name    string
	Data    []byte
	Go      string   // version of the toolchain: "go1.26.0"
	Modules []string // paths of its modules, sorted
}

// licenceRow is a row of the table in docs/licences.md.
var licenceRow = regexp.MustCompile(`(?m)^\| (\S+/\S+) \| ([^|]+) \|`)

// readLicences reads the table of licences, by module.
func readLicences(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	for _, m := range licenceRow.FindAllStringSubmatch(string(data), -1) {
		known[m[1]] = strings.NewReplacer(" in parts", "", ",", " AND", " and ", " AND ").Replace(m[2])
	}
	return known, nil
}

// readTools reads the binaries in dir, and from each what Go noted in it of the
// modules it is built from. A module whose licence is not known is an error.
func (b *build) readTools(dir string, known map[string]string) error {
	modules := map[string]module{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		info, err := buildinfo.Read(bytes.NewReader(data))
		if err != nil {
			if bytes.HasPrefix(data, []byte("#!")) {
				continue
			}
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		t := tool{Name: e.Name(), Data: data, Go: info.GoVersion}
		for _, m := range info.Deps {
			if m.Replace != nil {
				return fmt.Errorf("%s: module %s is replaced", t.Name, m.Path)
			}
			licence, ok := known[m.Path]
			if !ok {
				return fmt.Errorf("%s: the licence of %s is not in the table", t.Name, m.Path)
			}
			modules[m.Path] = module{Path: m.Path, Version: m.Version, Sum: m.Sum, Licence: licence}
			t.Modules = append(t.Modules, m.Path)
		}
		slices.Sort(t.Modules)
		b.Tools = append(b.Tools, t)
	}
	if len(b.Tools) == 0 {
		return errors.New("no tools in " + dir)
	}
	for _, m := range modules {
		b.Modules = append(b.Modules, m)
	}
	slices.SortFunc(b.Modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// notices returns the texts of the licences, as they ask of whoever hands on what
// was built from their modules.
func (b build) notices() ([]byte, error) {
	goroot, err := goTells("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	text, err := licenceTexts(goroot)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	part := func(name string, text []byte) { fmt.Fprintf(&out, "%s\n\n%s\n", name, text) }
	out.WriteString("spool contains software of others, under these licences.\n\n")
	part("Go, "+b.Tools[0].Go, text)
	for _, m := range b.Modules {
		dir, err := goTells("list", "-m", "-f", "{{.Dir}}", m.Path)
		if err != nil {
			return nil, err
		}
		if text, err = licenceTexts(dir); err != nil {
			return nil, fmt.Errorf("module %s: %w", m.Path, err)
		}
		part(m.Path+" "+m.Version+", "+m.Licence, text)
	}
	return out.Bytes(), nil
}

// goTells returns the one line that the go command prints.
func goTells(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go %s: %s", strings.Join(args, " "), bytes.TrimSpace(exit.Stderr))
	}
	return string(bytes.TrimSpace(out)), err
}

// licenceFile is what a licence's or notice's file is called.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([.-].*)?$`)

// licenceTexts returns the licence and notices that lie in a module's directory.
func licenceTexts(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return nil, errors.New("no licence in " + dir)
	}
	return bytes.Join(texts, []byte("\n")), nil
}
