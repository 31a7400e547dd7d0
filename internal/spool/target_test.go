package spool

import (
	"errors"
	"testing"

	"spool/internal/capture"
	"spool/pkg/format"
)

// A writer gives back what it does not use whenever its input is silent: what is
// left of a file's own allowance must then still be there.
func TestTrimGivesAFilesAllowanceBack(t *testing.T) {
	for _, limit := range []format.Size{10, 32 << 20, format.Unlimited} {
		s := (&fileTarget{}).share(format.Limits{CaptureBytes: limit})
		if n, err := s.Reserve(t.Context(), 6); n < 6 || err != nil {
			t.Fatalf("limit %v: the first reservation: %d, %v", limit, n, err)
		}
		if err := s.Trim(t.Context(), 6); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Reserve(t.Context(), 4); n < 4 || err != nil {
			t.Errorf("limit %v: after a pause: %d, %v", limit, n, err)
		}
	}
	s := (&fileTarget{}).share(format.Limits{CaptureBytes: 10})
	if err := s.Trim(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Reserve(t.Context(), 1); !errors.Is(err, capture.ErrQuotaCapture) {
		t.Errorf("a used-up allowance after a pause: %d, %v", n, err)
	}
}
