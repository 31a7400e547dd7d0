package sweep

import (
	"errors"
	"slices"
	"testing"
	"time"

	"spool/internal/capture"
	"spool/internal/capture/capturetest"
	"spool/pkg/format"
)

func TestDeleteNeverTouchesWhatIsLive(t *testing.T) {
	ns := capturetest.Namespace(t)
	live, young, old := begin(t, ns, ""), orphan(t, ns, "x"), final(t, ns, "y", time.Now(), 0)
	r, err := Delete(t.Context(), ns, []format.ID{live.ID(), young.ID(), old.ID()}, Options{Grace: time.Minute})
	if !errors.Is(err, ErrLive) || !slices.Equal(lines(r), []string{"deleted " + string(old.ID())}) || r.Bytes != 1 {
		t.Errorf("%q, %v", lines(r), err)
	}
	ids, err := ns.IDs()
	if err != nil || len(ids) != 2 {
		t.Errorf("%q, %v", ids, err)
	}
	if r, err = Delete(t.Context(), ns, []format.ID{young.ID()}, Options{}); err != nil || len(r.Items) != 1 {
		t.Errorf("behind the grace: %+v, %v", r, err)
	}
}

func TestPruneByAgeAndBySize(t *testing.T) {
	hour := func(n int) time.Time { return time.Now().Add(-time.Duration(n) * time.Hour) }
	build := func(t *testing.T) (*capture.Namespace, []format.ID) {
		t.Helper()
		ns := capturetest.Namespace(t)
		var ids []format.ID
		for i, text := range []string{"1234567890", "12345", "1234"} {
			ids = append(ids, final(t, ns, text, hour(3-i), int64(i%2)).ID()) // the second failed
		}
		begin(t, ns, "") // live, and not to be touched
		return ns, ids
	}
	size := func(n format.Size) format.Opt[format.Size] { return format.Some(n) }
	for _, tt := range []struct {
		name string
		p    PruneOptions
		want []int
	}{
		{"older than 90 minutes", PruneOptions{OlderThan: format.Some(90 * time.Minute)}, []int{0, 1}},
		{"older, but not failed", PruneOptions{OlderThan: format.Some(90 * time.Minute), KeepFailed: true}, []int{0}},
		{"down to 9 bytes", PruneOptions{MaxTotal: size(9)}, []int{0}},
		{"down to 8 bytes", PruneOptions{MaxTotal: size(8)}, []int{0, 1}},
		{"down to 8 bytes, but not failed", PruneOptions{MaxTotal: size(8), KeepFailed: true}, []int{0, 2}},
		{"down to nothing", PruneOptions{MaxTotal: size(0)}, []int{0, 1, 2}},
		{"enough room", PruneOptions{MaxTotal: size(19)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ns, ids := build(t)
			want := []string{}
			for _, i := range tt.want {
				want = append(want, "deleted "+string(ids[i]))
			}
			for _, dry := range []bool{true, false} {
				r, err := Prune(t.Context(), ns, tt.p, Options{DryRun: dry})
				if err != nil || !slices.Equal(lines(r), want) {
					t.Errorf("dry %v: want %q; got %q, %v", dry, want, lines(r), err)
				}
			}
			if left, err := ns.IDs(); err != nil || len(left) != 4-len(want) {
				t.Errorf("%d are left, %v", len(left), err)
			}
		})
	}
}
