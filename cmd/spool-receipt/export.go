package main

import (
	"context"
	"errors"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/receipt"
	"spool/pkg/format"
)

func exportCommand() cmdline.Tool {
	var dir, out, streams string
	o := receipt.ExportOptions{MaxBytes: format.Unlimited}
	return cmdline.Tool{
		Name:     "export",
		Synopsis: []string{"[options] -o FILE.tar.zst REF…"},
		About:    "Writes final captures to one file, which unpacks to a namespace. Label, ids and notes stay here.",
		Options: []cmdline.Option{
			dirOption(&dir),
			cmdline.String(&out, "output", "FILE", "the bundle; must not exist").Short('o').OneOff(),
			cmdline.String(&streams, "streams", "LIST", "only these streams; others are marked unavailable").OneOff(),
			cmdline.Parsed(&o.MaxBytes, format.ParseSize, "max-bytes", "SIZE", "at most this much, unpacked").OneOff(),
			cmdline.Switch(&o.WithMetadata, "with-metadata", "take label, ids and notes along").OneOff(),
		},
		Run: func(ctx context.Context, c *cmdline.Call) (err error) {
			if out == "" || len(c.Args) == 0 {
				return cmdline.Usagef("-o FILE and REF are needed")
			}
			if streams != "" {
				if o.Streams, err = format.ParseStreams(streams); err != nil {
					return cmdline.Usagef("--streams: %v", err)
				}
			}
			patterns, err := wholePatterns(c.Args)
			if err != nil {
				return err
			}
			return withNamespace(dir, func(ns *capture.Namespace) error {
				captures, err := openAll(ns, patterns)
				if err == nil {
					err = receipt.Export(ctx, captures, out, o)
				}
				for _, k := range captures {
					err = errors.Join(err, k.Close())
				}
				return err
			})
		},
	}
}

// wholePatterns reads references to captures as a whole.
func wholePatterns(args []string) ([]format.Pattern, error) {
	patterns, err := parsePatterns(args)
	for i, p := range patterns {
		if p.Stream != "" {
			return nil, cmdline.Usagef("reference %q: a capture as a whole is wanted", args[i])
		}
	}
	return patterns, err
}

// openAll opens the captures that the patterns name, each once.
func openAll(ns *capture.Namespace, patterns []format.Pattern) (list []*capture.Capture, err error) {
	seen := map[format.ID]bool{}
	for _, p := range patterns {
		ref, err := ns.Resolve(p)
		if err != nil {
			return list, err
		}
		if seen[ref.ID] {
			continue
		}
		seen[ref.ID] = true
		k, err := ns.Open(ref.ID)
		if err != nil {
			return list, err
		}
		list = append(list, k)
	}
	return list, nil
}

func shareCommand() cmdline.Tool {
	var dir, to string
	o := receipt.ShareOptions{Limits: format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: 128 << 20}}
	return cmdline.Tool{
		Name:     "share",
		Synopsis: []string{"[options] --to NAMESPACE REF"},
		About:    "Copies a final capture into another namespace, within that one's allowance, and prints the copy's reference.",
		Options: []cmdline.Option{
			dirOption(&dir),
			cmdline.String(&to, "to", "NAMESPACE", "the receiving namespace").OneOff(),
			cmdline.Parsed(&o.Limits.NamespaceBytes, format.ParseSize, "max-namespace", "SIZE", "what all captures of that namespace may keep"),
			cmdline.Switch(&o.WithMetadata, "with-metadata", "take label, ids and notes along").OneOff(),
		},
		Run: func(ctx context.Context, c *cmdline.Call) (err error) {
			if to == "" {
				return cmdline.Usagef("--to NAMESPACE is needed")
			}
			if _, err := wholePatterns(c.Args); err != nil {
				return err
			}
			return withReference(c, dir, func(k *capture.Capture, _ format.Ref) (err error) {
				if err := receipt.CheckShare(k, o); err != nil {
					return err // before anything is made
				}
				other, err := capture.CreateNamespace(to)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, other.Close()) }()
				id, err := receipt.Share(ctx, k, other, o)
				if err != nil {
					return err
				}
				return emit(c, []byte(string(id)+"\n"))
			})
		},
	}
}
