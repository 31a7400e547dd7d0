package format

// Schemas of the files in a capture's directory.
const (
	ReceiptSchema = "spool.receipt/v1"
	BeginSchema   = "spool.begin/v1"
	ProcessSchema = "spool.process/v1"
	RedactSchema  = "spool.redact/v1"
	TeeSchema     = "spool.tee/v1"
	PreviewSchema = "spool.preview/v1"
)

// Receipt is the final account of one capture. Every key is always there in
// JSON; what is not known is null. [Receipt.Check] has the rules.
type Receipt struct {
	Schema         string            `json:"schema"`
	ID             ID                `json:"id"`
	CallID         Opt[string]       `json:"call_id"`
	JobID          Opt[string]       `json:"job_id"`
	Parent         Opt[string]       `json:"parent"` // reference of the capture whose command began this one
	Origin         Opt[string]       `json:"origin"` // id of the capture that this one is a copy of
	Generation     int64             `json:"generation"`
	Label          Opt[string]       `json:"label"`
	CreatedAt      Time              `json:"created_at"`
	StartedAt      Time              `json:"started_at"`
	EndedAt        Time              `json:"ended_at"`
	PublishedAt    Time              `json:"published_at"`
	Process        Process           `json:"process"`
	Capture        Capture           `json:"capture"`
	Representation Representation    `json:"representation"`
	Streams        map[string]Stream `json:"streams"`
	Preview        Preview           `json:"preview"`
	Limits         Limits            `json:"limits"`
	Upstream       Upstream          `json:"upstream"`
	Tool           Tool              `json:"tool"`
}

// Process holds what was observed of the command.
type Process struct {
	State      ProcessState   `json:"state"`
	ExitCode   Opt[int64]     `json:"exit_code"` // 0…255
	Signal     Opt[string]    `json:"signal"`    // a name: SIGKILL
	CoreDumped Opt[bool]      `json:"core_dumped"`
	Reason     Opt[string]    `json:"reason"` // free text, redacted: why it did not start, who cancelled it
	Resources  Opt[Resources] `json:"resources"`
}

// Succeeded tells whether the command was seen to end by itself with code 0.
func (p Process) Succeeded() bool {
	code, ok := p.ExitCode.Get()
	return p.State == ProcessExited && ok && code == 0
}

// Resources is what the command and the descendants it waited for used,
// getrusage(2).
type Resources struct {
	WallMS      Count `json:"wall_ms"`
	UserMS      Count `json:"user_ms"`
	SystemMS    Count `json:"system_ms"`
	MaxRSSBytes Count `json:"max_rss_bytes"` // of the largest single process
}

// Capture tells what is kept.
type Capture struct {
	State   CaptureState `json:"state"`
	Reasons []Reason     `json:"reasons"` // never nil in JSON
}

// Representation tells what the kept bytes are.
type Representation struct {
	Kind       Opt[Kind]   `json:"kind"`
	Encoding   Opt[string] `json:"encoding"` // of the kept bytes: utf-8, or null for binary
	Transforms []string    `json:"transforms"`
}

// Stream is the account of one stream.
type Stream struct {
	Ref            Opt[string]           `json:"ref"` // ID/STREAM, or null if nothing is kept
	EOF            Opt[bool]             `json:"eof"` // the end of the input was seen, not that of a stage
	Compression    Opt[Compression]      `json:"compression"`
	Raw            RawCounts             `json:"raw"`
	Representation StreamCounts          `json:"representation"`
	Redactions     Opt[map[string]int64] `json:"redactions"` // hits by rule
	Omissions      Omissions             `json:"omissions"`
	Replaced       Count                 `json:"replaced"` // ill-formed sequences that became U+FFFD
	Lines          Count                 `json:"lines"`    // newlines in the retained bytes
	FinalNewline   Opt[bool]             `json:"final_newline"`
	SHA256         Opt[string]           `json:"sha256"` // of the retained bytes, uncompressed, lower-case hex
}

// RawCounts counts bytes as the command wrote them:
// Observed = Accepted + Pending + Discarded.
type RawCounts struct {
	Observed  Count `json:"observed"`
	Accepted  Count `json:"accepted"`
	Pending   Count `json:"pending"` // 0 in a final receipt
	Discarded Count `json:"discarded"`
}

// StreamCounts counts bytes of the representation: Emitted = Committed + Refused,
// and Committed = RetainedEnd − RetainedStart.
type StreamCounts struct {
	Emitted       Count `json:"emitted"`
	Committed     Count `json:"committed"`
	Refused       Count `json:"refused"`
	RetainedStart Count `json:"retained_start"`
	RetainedEnd   Count `json:"retained_end"`
}

// Omissions counts fragments that could not be decided within the window.
type Omissions struct {
	Spans Count `json:"spans"`
	Bytes Count `json:"bytes"` // raw bytes
}

// Preview tells what the caller was shown.
type Preview struct {
	State   Opt[PreviewState]        `json:"state"`
	Chars   Count                    `json:"chars"` // shown, with omission lines
	Bytes   Count                    `json:"bytes"`
	Streams map[string]PreviewCounts `json:"streams"`
}

// PreviewCounts counts bytes of one stream's representation.
type PreviewCounts struct {
	Returned Count `json:"returned_bytes"`
	Omitted  Count `json:"omitted_bytes"`
}

// Limits are the bounds in force; null in JSON is no bound.
type Limits struct {
	CaptureBytes   Size `json:"capture_bytes"`
	NamespaceBytes Size `json:"namespace_bytes"`
}

// Upstream is what the producer declares about its own output.
type Upstream struct {
	State UpstreamState `json:"state"`
	Note  Opt[string]   `json:"note"`
}

// Tool names the program that published the receipt.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}
