package format

import (
	"fmt"
	"strings"
)

// Reason tells why a capture is not complete: one of the closed list below,
// with an optional detail after a colon.
type Reason string

// The closed list of reasons.
const (
	ReasonQuotaCapture   Reason = "quota-capture"
	ReasonQuotaNamespace Reason = "quota-namespace"
	ReasonWriteError     Reason = "write-error"
	ReasonNoSpace        Reason = "no-space"
	ReasonWriterStalled  Reason = "writer-stalled"
	ReasonDrainTimeout   Reason = "drain-timeout"
	ReasonStageLost      Reason = "stage-lost"
	ReasonCrash          Reason = "crash"
	ReasonUpstream       Reason = "upstream-truncated"
	ReasonInline         Reason = "inline" // with disabled: all of it is in the preview
	ReasonPolicy         Reason = "policy" // with disabled: keeping was switched off
)

// MaxDetail is the greatest length of a reason's detail in bytes.
const MaxDetail = 200

// With returns the reason with a detail, which is stripped of control
// characters and cut to [MaxDetail] bytes.
func (r Reason) With(detail string) Reason {
	detail = CleanText(detail, MaxDetail)
	for len(detail) > MaxDetail {
		detail = detail[:strings.LastIndexFunc(detail, func(rune) bool { return true })]
	}
	if detail == "" {
		return r.Code()
	}
	return r.Code() + ": " + Reason(detail)
}

// Code returns the reason without its detail.
func (r Reason) Code() Reason {
	code, _, _ := strings.Cut(string(r), ":")
	return Reason(code)
}

// Check tells whether r is of the closed list and its detail within bounds.
func (r Reason) Check() error {
	code := r.Code()
	if !oneOf(code, ReasonQuotaCapture, ReasonQuotaNamespace, ReasonWriteError, ReasonNoSpace, ReasonWriterStalled,
		ReasonDrainTimeout, ReasonStageLost, ReasonCrash, ReasonUpstream, ReasonInline, ReasonPolicy) {
		return fmt.Errorf("reason %q is none of the list", clipString(string(r)))
	}
	detail := strings.TrimPrefix(string(r[len(code):]), ":")
	if len(detail) > MaxDetail+1 || strings.TrimSpace(detail) != CleanText(detail, MaxDetail) {
		return fmt.Errorf("reason %q: the detail is too long or holds control characters", clipString(string(r)))
	}
	return nil
}
