package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/pkg/format"
)

func dirOption(dir *string) cmdline.Option {
	return cmdline.String(dir, "dir", "DIR", "the namespace").DefaultText("$XDG_STATE_HOME/spool or ~/.local/state/spool")
}

// openNamespace opens the namespace that --dir or the environment names.
func openNamespace(explicit string) (*capture.Namespace, error) {
	dir, err := capture.Dir(explicit, os.Getenv)
	if err != nil {
		return nil, err
	}
	ns, err := capture.OpenNamespace(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = cmdline.WithHint(err, "there is no namespace yet; --dir names another")
	}
	return ns, err
}

// parsePatterns reads references as a user writes them.
func parsePatterns(args []string) ([]format.Pattern, error) {
	list := make([]format.Pattern, len(args))
	for i, arg := range args {
		p, err := format.ParsePattern(arg)
		if err != nil {
			return nil, cmdline.Usagef("%v", err)
		}
		list[i] = p
	}
	return list, nil
}

// withReference calls do with the one capture that the operands name.
func withReference(c *cmdline.Call, dir string, do func(*capture.Capture, format.Ref) error) error {
	switch {
	case len(c.Args) == 0:
		return cmdline.Usagef("one REF is needed: an id, the first characters of one, or latest")
	case len(c.Args) > 1:
		return cmdline.Usagef("one REF is taken, and no more: %q", c.Args[1])
	}
	patterns, err := parsePatterns(c.Args)
	if err != nil {
		return err
	}
	return withNamespace(dir, func(ns *capture.Namespace) error { return open(ns, patterns[0], do) })
}

// withNamespace calls do with the namespace that --dir or the environment names.
func withNamespace(dir string, do func(*capture.Namespace) error) (err error) {
	ns, err := openNamespace(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ns.Close()) }()
	return do(ns)
}

// open calls do with the capture that p names.
func open(ns *capture.Namespace, p format.Pattern, do func(*capture.Capture, format.Ref) error) (err error) {
	ref, err := ns.Resolve(p)
	if err != nil {
		return err
	}
	k, err := ns.Open(ref.ID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	if ref.Stream != "" {
		begin, err := k.Begin()
		if err != nil {
			return err
		}
		if !slices.Contains(begin.Streams, ref.Stream) {
			return fmt.Errorf("reference %q: the capture has no such stream", ref)
		}
	}
	return do(k, ref)
}
