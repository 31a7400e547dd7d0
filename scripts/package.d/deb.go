package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

const description = `keeps what commands print, redacted, and shows a bounded preview
 spool-run runs a command, shows a bounded preview of its output and keeps the
 whole of it, without secrets, where it can be searched. A receipt tells how the
 command ended and whether what was kept is complete.`

// writeDeb writes the Debian package.
func (b build) writeDeb() error {
	work, err := os.MkdirTemp("", "package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover in the system's own place for them
	var contents files.Contents
	place, err := b.debian()
	if err != nil {
		return err
	}
	for i, f := range place {
		c := &files.Content{
			Destination: "/usr/" + f.Path,
			FileInfo:    &files.ContentFileInfo{Owner: "root", Group: "root", Mode: f.Mode, MTime: b.Epoch},
		}
		if f.Link != "" {
			c.Type, c.Source = files.TypeSymlink, f.Link
		} else {
			c.Source = filepath.Join(work, fmt.Sprint(i))
			if err := os.WriteFile(c.Source, f.Data, 0o600); err != nil {
				return err
			}
		}
		contents = append(contents, c)
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "spool", Arch: b.Arch, Platform: b.OS, Version: debianVersion(b), VersionSchema: "none",
		Section: "utils", Priority: "optional", Maintainer: "The spool authors <spool@localhost>",
		Description: description, DisableGlobbing: true, MTime: b.Epoch,
		Overridables: nfpm.Overridables{Contents: contents},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := deb.Default.Package(info, &out); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.Out, b.name()+".deb"), out.Bytes(), 0o644)
}

// debian returns the files as Debian's policy wants them: manual pages and the
// changelog compressed, one file of copyrights, zsh's completions in the
// directory for those of packages.
func (b build) debian() ([]file, error) {
	var out []file
	var mine, others []byte
	for _, f := range b.Files {
		var err error
		dir, name := filepath.Split(f.Path)
		switch {
		case dir == "share/man/man1/":
			f.Path += ".gz"
			f.Data, err = compress(f.Data)
		case dir == "share/zsh/site-functions/":
			f.Path = "share/zsh/vendor-completions/" + name
		case name == "LICENSE":
			mine = f.Data
			continue
		case name == "notices.txt":
			others = f.Data
			continue
		case name == "CHANGELOG.md":
			f.Path = dir + "changelog.gz"
			f.Data, err = compress(f.Data)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	if mine == nil || others == nil {
		return nil, errors.New("no licence among the files")
	}
	return append(out, file{
		Path: "share/doc/spool/copyright", Mode: 0o644,
		Data: bytes.Join([][]byte{mine, others}, []byte("\n")),
	}), nil
}

// described is what git describe makes of a tag some commits ago.
var described = regexp.MustCompile(`^(.*)-([0-9]+)-g([0-9a-f]+)$`)

// debianVersion returns the version as Debian sorts them: a commit after a tag
// above the tag, one without any tag below every release, in the order of time.
func debianVersion(b build) string {
	v := strings.TrimPrefix(b.Version, "v")
	v, dirty := strings.CutSuffix(v, "-dirty")
	if m := described.FindStringSubmatch(v); m != nil {
		v = m[1] + "+" + m[2] + ".g" + m[3]
	}
	if v == "" || v[0] < '0' || v[0] > '9' || !strings.Contains(v, ".") {
		v = "0~" + b.Epoch.Format("20060102150405") + "." + v
	}
	if dirty {
		v += "+dirty"
	}
	return strings.ReplaceAll(v, "-", "~")
}
