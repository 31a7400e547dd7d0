package format

// Begin holds the facts of a capture's launch: begin.json, written once.
type Begin struct {
	Schema     string          `json:"schema"`
	ID         ID              `json:"id"`
	CallID     Opt[string]     `json:"call_id"`
	JobID      Opt[string]     `json:"job_id"`
	Parent     Opt[string]     `json:"parent"`
	Origin     Opt[string]     `json:"origin"`
	Generation int64           `json:"generation"`
	Label      Opt[string]     `json:"label"`
	CreatedAt  Time            `json:"created_at"`
	Streams    []string        `json:"streams"`
	Limits     Limits          `json:"limits"`
	Upstream   Upstream        `json:"upstream"`
	BootID     Opt[string]     `json:"boot_id"` // proc(5), /proc/sys/kernel/random/boot_id
	Owner      Count           `json:"owner"`   // user id
	Supervisor Opt[Supervisor] `json:"supervisor"`
	Tool       Tool            `json:"tool"`
}

// Supervisor names a process so that its number, used again, is not taken for
// it.
type Supervisor struct {
	PID       int64 `json:"pid"`
	StartTime int64 `json:"start_time"` // clock ticks since boot, field 22 of /proc/PID/stat
}

// ProcessFacts is process.json: what the one who started the command saw of its
// end, and of the streams' ends. Written once.
type ProcessFacts struct {
	Schema    string   `json:"schema"`
	StartedAt Time     `json:"started_at"`
	EndedAt   Time     `json:"ended_at"`
	Process   Process  `json:"process"`
	Reasons   []Reason `json:"reasons"` // what the supervisor did to the capture: drain-timeout, stage-lost
}

// RedactReport is what spool-redact says of one stream, once, at its end.
type RedactReport struct {
	Schema     string           `json:"schema"`
	Stream     string           `json:"stream"`
	EOF        bool             `json:"eof"` // the input ended by itself
	Kind       Kind             `json:"kind"`
	Encoding   Opt[string]      `json:"encoding"` // of the input, as decided: utf-8, utf-16le, …
	Transforms []string         `json:"transforms"`
	Raw        RawCounts        `json:"raw"`
	Emitted    Count            `json:"emitted"` // bytes that its stdout was given; one that failed took fewer
	Redactions map[string]int64 `json:"redactions"`
	Omissions  Omissions        `json:"omissions"`
	Replaced   Count            `json:"replaced"`
	Error      Opt[string]      `json:"error"` // the first error of input or output
	Tool       Tool             `json:"tool"`
}

// TeeReport is what spool-tee says of one stream, once, at its end.
type TeeReport struct {
	Schema       string           `json:"schema"`
	Stream       string           `json:"stream"`
	EOF          bool             `json:"eof"`
	Observed     Count            `json:"observed"`
	Counts       StreamCounts     `json:"representation"` // Emitted is what it observed
	Forwarded    Count            `json:"forwarded"`      // bytes that its stdout took
	Compression  Opt[Compression] `json:"compression"`
	Lines        Count            `json:"lines"`
	FinalNewline Opt[bool]        `json:"final_newline"`
	SHA256       Opt[string]      `json:"sha256"`
	Limits       Limits           `json:"limits"`
	Reasons      []Reason         `json:"reasons"` // why retention ended early
	Error        Opt[string]      `json:"error"`
	Tool         Tool             `json:"tool"`
}

// PreviewReport is what spool-preview says of one stream: its head and its
// tail. It stays beside a receipt whose stream is partial, where it has the only
// copy of the tail.
type PreviewReport struct {
	Schema    string      `json:"schema"`
	Stream    string      `json:"stream"`
	EOF       bool        `json:"eof"`
	Observed  Count       `json:"observed"`
	Head      string      `json:"head"`       // bytes [0, HeadEnd), as valid UTF-8
	HeadEnd   Count       `json:"head_end"`   // len(Head), but for binary bytes that became U+FFFD
	Tail      string      `json:"tail"`       // bytes [TailStart, Observed); never overlaps Head
	TailStart Count       `json:"tail_start"` // HeadEnd if nothing lies between
	Returned  Count       `json:"returned_bytes"`
	Omitted   Count       `json:"omitted_bytes"`
	Error     Opt[string] `json:"error"`
	Tool      Tool        `json:"tool"`
}
