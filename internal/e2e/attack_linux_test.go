package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// canaryText is what no tool may ever read.
const canaryText = "the canary sings"

// battle is a namespace under attack, and a canary tree beside it.
type battle struct {
	*place
	ns, canary, aside string
	before            map[string]string
}

func newBattle(t *testing.T, ns string) *battle {
	t.Helper()
	b := &battle{place: newPlace(t)}
	b.ns, b.canary, b.aside = ns, filepath.Join(b.dir, "canary"), filepath.Join(b.dir, "aside")
	if ns == "" {
		b.ns = filepath.Join(b.dir, "ns")
	}
	for _, dir := range []string{b.canary, b.aside, filepath.Join(b.canary, "ns"), filepath.Join(b.canary, "01kb0000000000000000000000")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"file", "stdout", "stdout.live", "begin.json", "receipt.json", "lock", "allowance",
		"01kb0000000000000000000000/stdout", "01kb0000000000000000000000/receipt.json", "01kb0000000000000000000000/begin.json",
	} {
		if err := os.WriteFile(filepath.Join(b.canary, name), []byte(canaryText), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.before = b.snapshot()
	return b
}

// snapshot returns what lies in the canary tree, and how.
func (b *battle) snapshot() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(b.canary, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			all[path] += " " + info.ModTime().String() + " " + string(data)
			return err
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// attacked are the tools that are used meanwhile.
func (b *battle) attacked() [][]string {
	return [][]string{
		{"spool-run", "--keep", "always", "--", "sh", "-c", "seq 1 3000; exit 7"},
		{"spool-gc", "--grace", "0"},
		{"spool-receipt", "list"},
		{"spool-receipt", "show", "latest"},
		{"spool-preview", "latest"},
		{"spool-preview", "01kb0000000000000000000000/stdout", "--bytes-range", "0:100"},
		{"spool-receipt", "verify", "--all"},
		{"spool-receipt", "export", "-o", b.bundle(), "latest"},
		{"spool-gc", "--prune", "--max-total", "100K"},
	}
}

func (b *battle) bundle() string { return filepath.Join(b.dir, "bundle") }

// use runs a tool, and looks at all that it prints and exports.
func (b *battle) use(args ...string) {
	b.t.Helper()
	start := time.Now()
	r := b.run(args...)
	if took := time.Since(start); took > faultBound {
		b.t.Errorf("%q took %v", args, took)
	}
	if args[0] == "spool-run" && r.code != 7 {
		b.t.Errorf("%q: status %d: %s", args, r.code, r.stderr)
	}
	packed, _ := exec.Command("zstd", "-dcq", b.bundle()).Output() // there may be none
	_ = os.Remove(b.bundle())
	for _, out := range [][]byte{r.stdout, r.stderr, packed} {
		if bytes.Contains(out, []byte(canaryText)) || bytes.Contains(out, []byte("panic")) {
			b.t.Errorf("%q: %s", args, out)
		}
	}
}

// judge holds the canary tree against what it was. A hard link to a file of it
// changes nothing that is looked at.
func (b *battle) judge() {
	b.t.Helper()
	after := b.snapshot()
	for path, was := range b.before {
		if after[path] != was {
			b.t.Errorf("%s was %q, is %q", path, was, after[path])
		}
	}
	if len(after) != len(b.before) {
		b.t.Errorf("%d things in the canary tree, there were %d", len(after), len(b.before))
	}
}

// attackFor is how long an attack lasts.
func attackFor() time.Duration {
	if testing.Short() {
		return 3 * time.Second
	}
	return 20 * time.Second
}

// TestASwappingAttackerOfTheSameUserGetsNothing swaps the namespace, captures and
// files in them for links, pipes and second names, as fast as it can, while the
// tools are at work.
func TestASwappingAttackerOfTheSameUserGetsNothing(t *testing.T) {
	b := newBattle(t, "")
	b.run("spool-receipt", "begin")
	ns, err := unix.Open(b.ns, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ns)
	ctx, cancel := context.WithTimeout(t.Context(), attackFor())
	defer cancel()
	var wg sync.WaitGroup
	swaps := make([]int, 3)
	for i := range swaps {
		wg.Go(func() {
			for ; ctx.Err() == nil; swaps[i]++ {
				b.swap(ns)
			}
		})
	}
	for ctx.Err() == nil {
		for _, args := range b.attacked() {
			b.use(args...)
		}
	}
	wg.Wait()
	t.Logf("%d swaps", swaps)
	b.judge()
}

// swap swaps one thing for another, and back again. Much of it fails: others are
// at work. The attacker, too, has to see to it that it meets no link.
func (b *battle) swap(ns int) {
	var names []string
	entries, err := os.ReadDir(fmt.Sprintf("/proc/self/fd/%d", ns))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	kind := rand.IntN(8)
	switch {
	case kind == 0 || err != nil || len(names) == 0:
		swapName(unix.AT_FDCWD, b.ns, filepath.Join(b.aside, "ns"), b.canary)
	case kind < 3:
		name := names[rand.IntN(len(names))] // captures, lock and allowance
		swapName(ns, name, filepath.Join(b.aside, name), filepath.Join(b.canary, "01kb0000000000000000000000"))
	default:
		id := names[rand.IntN(len(names))]
		dir, err := unix.Openat(ns, id, unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return
		}
		files := []string{"stdout", "stdout.live", "begin.json", "receipt.json", "lock", ".reserved-receipt.json", "stdout.tee.json"}
		name := files[rand.IntN(len(files))]
		swapName(dir, name, filepath.Join(b.aside, id+name), filepath.Join(b.canary, "file"))
		_ = unix.Close(dir)
	}
}

// swapName puts a link, a pipe or a second name of bait in the place of name in
// dir for a moment.
func swapName(dir int, name, kept, bait string) {
	_ = unix.Renameat(dir, name, unix.AT_FDCWD, kept)
	switch rand.IntN(4) {
	case 0, 1:
		_ = unix.Symlinkat(bait, dir, name)
	case 2:
		_ = unix.Mknodat(dir, name, unix.S_IFIFO|0o600, 0)
	default:
		_ = unix.Linkat(unix.AT_FDCWD, bait, dir, name, 0)
	}
	_ = unix.Unlinkat(dir, name, 0)
	_ = unix.Renameat(unix.AT_FDCWD, kept, dir, name)
}

// swapper is the command swap-name: as whoever it runs as, it puts links, pipes,
// directories and files in the place of a path that is not there yet, until its
// stdin ends.
func swapper() {
	path, bait := os.Args[1], os.Args[2]
	done := make(chan struct{})
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1)) // its end is what is waited for
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		switch rand.IntN(4) {
		case 0:
			_ = os.Symlink(bait, path)
		case 1:
			_ = unix.Mkfifo(path, 0o666)
		case 2:
			_ = os.Mkdir(path, 0o777)
		default:
			_ = os.WriteFile(path, nil, 0o666)
		}
		_ = os.Remove(path)
	}
}

// TestASwappingAttackerOfAnotherUserGetsNothing lets another user put things in
// the place of a directory on the way to the namespace, in a place where all may
// make names, while tools make it.
func TestASwappingAttackerOfAnotherUserGetsNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: needs root, to be another user")
	}
	open, err := os.MkdirTemp("/tmp", "spool-open-") // every part of its path is one that all may search
	if err = errors.Join(err, os.Chmod(open, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(open) })
	way := filepath.Join(open, "way")
	b := newBattle(t, filepath.Join(way, "ns"))
	b.env = append(b.env, "SPOOL_DIR="+b.ns)
	helper := filepath.Join(open, "swap-name") // the attacker has to reach it
	if err := copyFile(os.Args[0], helper, 0o755); err != nil {
		t.Fatal(err)
	}
	attacker := exec.CommandContext(t.Context(), helper, way, b.canary)
	attacker.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	stop, err := attacker.StdinPipe()
	if err = errors.Join(err, attacker.Start()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), attackFor())
	defer cancel()
	made := 0
	for n := 0; ctx.Err() == nil; n++ {
		b.use("spool-receipt", "begin")
		if info, err := os.Lstat(way); err == nil && info.Mode() == fs.ModeDir|0o700 && info.Sys().(*syscall.Stat_t).Uid == 0 {
			made++
			b.use(b.attacked()[n%len(b.attacked())]...)
			_ = os.RemoveAll(way) // and the race begins anew
		}
	}
	if err := errors.Join(stop.Close(), attacker.Wait()); err != nil {
		t.Error(err)
	}
	t.Logf("%d times the tools made the namespace first", made)
	b.judge()
}

func copyFile(from, to string, mode fs.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, mode)
}
