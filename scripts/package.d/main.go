// Command package turns a staged installation into a tarball, a Debian package and
// a bill of materials. It is run by scripts/package, and a module of its own so that
// what it needs is nothing that the tools are built from.
//
// The caveat: every byte of the output follows from the staged files and the options.
// Nothing here may ask for the time, the user or the order of a map.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

// A build is one platform's installation, on its way into packages.
type build struct {
	OS, Arch, Version string
	Epoch             time.Time // of every file
	Files             []file    // by path
	Modules           []module  // what the tools are built from, by path
	Tools             []tool    // by name
	Out               string    // the directory of the packages
}

// A file is one entry of a package.
type file struct {
	Path string // below the prefix, with slashes
	Mode fs.FileMode
	Data []byte
	Link string // the target of a symbolic link; then there is no Data
}

// name returns the name of the platform's packages without an ending.
func (b build) name() string { return fmt.Sprintf("spool_%s_%s_%s", b.Version, b.OS, b.Arch) }

func run(args []string) error {
	var b build
	flags := flag.NewFlagSet("package", flag.ContinueOnError)
	flags.StringVar(&b.OS, "os", "", "operating system")
	flags.StringVar(&b.Arch, "arch", "", "architecture")
	flags.StringVar(&b.Version, "version", "", "version")
	epoch := flags.Int64("epoch", 0, "time of every file, in seconds since 1970")
	licences := flags.String("licences", "", "table of the modules' licences")
	stage := flags.String("stage", "", "directory of the installation")
	flags.StringVar(&b.Out, "out", "", "directory of the packages")
	sums := flags.String("sums", "", "write SHA256SUMS over this directory, and do nothing else")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *sums != "" {
		return writeSums(*sums)
	}
	b.Epoch = time.Unix(*epoch, 0).UTC()
	var err error
	if b.Files, err = readStage(*stage); err != nil {
		return err
	}
	known, err := readLicences(*licences)
	if err != nil {
		return err
	}
	if err := b.readTools(filepath.Join(*stage, "bin"), known); err != nil {
		return err
	}
	notices, err := b.notices()
	if err != nil {
		return err
	}
	bill, err := b.bill()
	if err != nil {
		return err
	}
	b.Files = append(b.Files, file{Path: "share/doc/spool/notices.txt", Mode: 0o644, Data: notices})
	if err := errors.Join(b.writeTarball(), os.WriteFile(filepath.Join(b.Out, b.name()+".cdx.json"), bill, 0o644)); err != nil {
		return err
	}
	if b.OS != "linux" {
		return nil
	}
	return b.writeDeb()
}

// readStage reads what scripts/install put below dir, but for its manifest.
func readStage(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == "share/spool/manifest" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := file{Path: filepath.ToSlash(name), Mode: info.Mode().Perm()}
		if d.Type() == fs.ModeSymlink {
			f.Mode = 0o777
			f.Link, err = os.Readlink(path)
		} else {
			f.Data, err = os.ReadFile(path)
		}
		files = append(files, f)
		return err
	})
	return files, err
}

// directories returns the paths above the files, each before those below it.
func directories(files []file) []string {
	var dirs []string
	for _, f := range files {
		for dir := filepath.Dir(f.Path); dir != "."; dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
