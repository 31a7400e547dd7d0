package receipt

import "spool/pkg/format"

// strip takes out of launch facts and receipt what speaks of the caller and his
// machine, for a copy that leaves the namespace. What spool counted and decided
// stays.
func strip(b *format.Begin, r *format.Receipt) {
	b.Label, b.CallID, b.JobID, b.Parent = format.None[string](), format.None[string](), format.None[string](), format.None[string]()
	b.Upstream.Note = format.None[string]()
	detach(b)
	r.Label, r.CallID, r.JobID, r.Parent = b.Label, b.CallID, b.JobID, b.Parent
	r.Upstream.Note = format.None[string]()
	r.Process.Reason = format.None[string]()
	for i, reason := range r.Capture.Reasons {
		r.Capture.Reasons[i] = reason.Code() // a detail may name a path
	}
	r.Capture.Reasons = once(r.Capture.Reasons)
}

// detach takes out what is true of the process and machine of the origin alone.
func detach(b *format.Begin) {
	b.BootID, b.Owner, b.Supervisor = format.None[string](), format.Unknown(), format.None[format.Supervisor]()
}

// once drops what stands twice.
func once(list []format.Reason) []format.Reason {
	out := []format.Reason{}
	for _, r := range list {
		seen := false
		for _, o := range out {
			seen = seen || o == r
		}
		if !seen {
			out = append(out, r)
		}
	}
	return out
}
