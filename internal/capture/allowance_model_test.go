package capture

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"spool/pkg/format"
)

// TestAllowanceIsNeverExceededAndNeverLeaks plays captures, writers, deaths,
// removals and a lost or spoiled allowance in any order, and holds it against
// what lies in the files.
func TestAllowanceIsNeverExceededAndNeverLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "spool-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		ns, err := OpenNamespace(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer ns.Close()
		m := &model{ns: ns, limit: format.Size(rapid.Int64Range(0, 100_000).Draw(t, "limit"))}
		defer m.closeAll()
		t.Repeat(map[string]func(*rapid.T){
			"begin":   m.begin,
			"open":    m.open,
			"write":   m.write,
			"trim":    m.trim,
			"end":     m.end,
			"die":     m.die,
			"publish": m.publish,
			"discard": m.discard,
			"recount": m.recount,
			"spoil":   m.spoil,
			"":        m.check,
		})
		m.checkAllIsToBeHad(t)
	})
}

// model is a namespace and the captures in it.
type model struct {
	ns       *Namespace
	limit    format.Size
	captures []*modelCapture
}

type modelCapture struct {
	c       *Capture
	writers map[string]*modelWriter // open ones
	begun   map[string]bool
	dead    bool // its lock is not held
	final   bool
}

type modelWriter struct {
	f    *os.File
	q    *Quota
	used int64
}

func (m *model) closeAll() {
	for _, c := range m.captures {
		for _, w := range c.writers {
			w.f.Close()
		}
		c.c.Close()
	}
}

// pick draws one of the captures for which ok holds, or skips the step.
func (m *model) pick(t *rapid.T, ok func(*modelCapture) bool) *modelCapture {
	var fit []*modelCapture
	for _, c := range m.captures {
		if ok(c) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		t.Skip("none")
	}
	return rapid.SampledFrom(fit).Draw(t, "capture")
}

func (m *model) pickWriter(t *rapid.T) (*modelCapture, string, *modelWriter) {
	c := m.pick(t, func(c *modelCapture) bool { return len(c.writers) > 0 })
	var streams []string
	for s := range c.writers {
		streams = append(streams, s)
	}
	slices.Sort(streams)
	s := rapid.SampledFrom(streams).Draw(t, "stream")
	return c, s, c.writers[s]
}

func (m *model) begin(t *rapid.T) {
	if len(m.captures) > 6 {
		t.Skip("enough")
	}
	c, err := m.ns.Begin(launch())
	if err != nil {
		t.Fatal(err)
	}
	m.captures = append(m.captures, &modelCapture{c: c, writers: map[string]*modelWriter{}, begun: map[string]bool{}})
}

func (m *model) open(t *rapid.T) {
	s := rapid.SampledFrom([]string{"stdout", "stderr"}).Draw(t, "stream")
	c := m.pick(t, func(c *modelCapture) bool { return !c.dead && !c.final && !c.begun[s] })
	f, err := c.c.CreateStream(s, plain)
	if err != nil {
		t.Fatal(err)
	}
	c.begun[s] = true
	c.writers[s] = &modelWriter{f: f, q: c.c.Quota(format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: m.limit})}
}

func (m *model) write(t *rapid.T) {
	_, _, w := m.pickWriter(t)
	want := rapid.Int64Range(1, 30_000).Draw(t, "want")
	for w.q.Granted()-w.used < want {
		_, err := w.q.Reserve(t.Context(), want-(w.q.Granted()-w.used))
		if errors.Is(err, ErrQuotaNamespace) {
			want = w.q.Granted() - w.used
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.f.Write(make([]byte, want)); err != nil {
		t.Fatal(err)
	}
	w.used += want
}

func (m *model) trim(t *rapid.T) {
	_, _, w := m.pickWriter(t)
	if err := w.q.Trim(t.Context(), w.used); err != nil {
		t.Fatal(err)
	}
}

func (m *model) end(t *rapid.T) {
	c, s, w := m.pickWriter(t)
	if err := errors.Join(w.q.Close(t.Context(), w.used), c.c.FinishStream(s, plain, false), w.f.Close()); err != nil {
		t.Fatal(err)
	}
	delete(c.writers, s)
}

// die is a kill of all who care for a capture.
func (m *model) die(t *rapid.T) {
	c := m.pick(t, func(c *modelCapture) bool { return !c.dead && !c.final })
	for s, w := range c.writers {
		w.f.Close()
		delete(c.writers, s)
	}
	c.dead = true
	if err := c.c.Release(); err != nil {
		t.Fatal(err)
	}
}

func (m *model) publish(t *rapid.T) {
	c := m.pick(t, func(c *modelCapture) bool { return !c.final && len(c.writers) == 0 })
	if err := c.c.Publish(t.Context(), partial(c.c), false); err != nil {
		t.Fatal(err)
	}
	c.final = true
}

func (m *model) discard(t *rapid.T) {
	c := m.pick(t, func(c *modelCapture) bool { return len(c.writers) == 0 })
	if err := c.c.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.c.Close()
	m.captures = slices.DeleteFunc(m.captures, func(o *modelCapture) bool { return o == c })
}

func (m *model) recount(t *rapid.T) {
	if err := m.ns.Recount(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// spoil is what a power cut or a curious user does.
func (m *model) spoil(t *rapid.T) {
	path := filepath.Join(m.ns.Path(), allowanceFile)
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		t.Skip("none")
	}
	if rapid.Bool().Draw(t, "remove") {
		err = os.Remove(path)
	} else {
		data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] ^= 1
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// held adds up what lies in the files.
func (m *model) held(t *rapid.T) (sum int64) {
	for _, c := range m.captures {
		n, err := c.c.Held()
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

func (m *model) check(t *rapid.T) {
	if sum := m.held(t); sum > int64(m.limit) {
		t.Fatalf("%d bytes of %d", sum, m.limit)
	}
}

// checkAllIsToBeHad ends all writers, and asks for all that the files leave.
func (m *model) checkAllIsToBeHad(t *rapid.T) {
	for _, c := range m.captures {
		for s, w := range c.writers {
			if err := errors.Join(w.q.Close(t.Context(), w.used), c.c.FinishStream(s, plain, false), w.f.Close()); err != nil {
				t.Fatal(err)
			}
			delete(c.writers, s)
		}
	}
	m.recount(t)
	c, err := m.ns.Begin(launch())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	q := c.Quota(format.Limits{CaptureBytes: format.Unlimited, NamespaceBytes: m.limit})
	for {
		if _, err = q.Reserve(t.Context(), 5000); err != nil {
			break
		}
	}
	if sum := m.held(t); !errors.Is(err, ErrQuotaNamespace) || sum+q.Granted() != int64(m.limit) {
		t.Fatalf("%d bytes in files, %d to be had, of %d: %v", sum, q.Granted(), m.limit, err)
	}
}
