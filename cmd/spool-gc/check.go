package main

import (
	"context"
	"fmt"

	"spool/internal/capture"
	"spool/internal/cmdline"
	"spool/internal/sweep"
	"spool/pkg/format"
)

// check tells what is wrong with the call.
func (o *options) check(c *cmdline.Call) ([]format.Pattern, error) {
	given := func(name string) bool { return c.Given(name) == cmdline.SourceOption }
	rules := given("older-than") || given("max-total")
	switch {
	case o.delete && o.prune:
		return nil, cmdline.Usagef("--delete and --prune exclude each other")
	case o.prune && !rules:
		return nil, cmdline.Usagef("--prune needs --older-than or --max-total")
	case !o.prune && (rules || o.keepFailed):
		return nil, cmdline.Usagef("--older-than, --max-total and --keep-failed go with --prune")
	case o.delete && len(c.Args) == 0:
		return nil, cmdline.Usagef("--delete needs a REF: what is to be deleted")
	case !o.delete && len(c.Args) > 0:
		return nil, cmdline.Usagef("an operand goes with --delete alone: %q", c.Args[0])
	}
	patterns := make([]format.Pattern, len(c.Args))
	for i, arg := range c.Args {
		p, err := format.ParsePattern(arg)
		if err == nil && p.Stream != "" {
			err = fmt.Errorf("reference %q: a capture is deleted as a whole", arg)
		}
		if err != nil {
			return nil, cmdline.Usagef("%v", err)
		}
		patterns[i] = p
	}
	return patterns, nil
}

// work does what the call asks for.
func (o *options) work(ctx context.Context, c *cmdline.Call, ns *capture.Namespace, patterns []format.Pattern) (*sweep.Report, error) {
	switch {
	case o.prune:
		p := sweep.PruneOptions{KeepFailed: o.keepFailed}
		if c.Given("older-than") == cmdline.SourceOption {
			p.OlderThan = format.Some(o.olderThan)
		}
		if c.Given("max-total") == cmdline.SourceOption && o.maxTotal != format.Unlimited {
			p.MaxTotal = format.Some(o.maxTotal)
		}
		return sweep.Prune(ctx, ns, p, o.Options)
	case o.delete:
		ids := make([]format.ID, len(patterns))
		for i, p := range patterns { // all of them before the first is gone: "latest" is one
			ref, err := ns.Resolve(p)
			if err != nil {
				return nil, err
			}
			ids[i] = ref.ID
		}
		return sweep.Delete(ctx, ns, ids, o.Options)
	}
	return sweep.Sweep(ctx, ns, o.Options)
}
