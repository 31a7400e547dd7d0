package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"spool/internal/preview"
	"spool/pkg/format"
)

// Print writes the previews: that of stderr to stderr, all others to stdout.
// Its error is that of stdout; a stderr that takes nothing leaves nobody to
// tell.
func (res *Result) Print(stdout, stderr io.Writer) error {
	var failure error
	for _, s := range res.Shown {
		to := stdout
		if s.Name == format.Stderr {
			to = stderr
		}
		if len(s.Text) == 0 {
			continue
		}
		text := s.Text
		if preview.IsTerminal(to) {
			text = preview.ForTerminal(text)
		}
		if _, err := to.Write(text); err != nil && s.Name != format.Stderr {
			failure = fmt.Errorf("write the preview to stdout: %w", err)
		}
	}
	return failure
}

// jsonResult is the object that --json prints.
type jsonResult struct {
	Receipt *format.Receipt        `json:"receipt"`
	Preview map[string]jsonPreview `json:"preview"`
	Path    *string                `json:"path"`
	Cursors map[string]string      `json:"cursors,omitempty"` // while the command runs
}

type jsonPreview struct {
	Head    string `json:"head"`
	Tail    string `json:"tail"`
	Omitted int64  `json:"omitted_bytes"`
	Text    string `json:"text"`
}

// PrintJSON writes everything as one object.
func (res *Result) PrintJSON(stdout io.Writer) error {
	out := jsonResult{Receipt: res.Receipt, Preview: map[string]jsonPreview{}, Cursors: res.Cursors}
	if res.Path != "" {
		out.Path = &res.Path
	}
	for _, s := range res.Shown {
		out.Preview[s.Name] = jsonPreview{Head: s.Head, Tail: s.Tail, Omitted: s.Omitted, Text: string(s.Text)}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	text := b.Bytes()
	if preview.IsTerminal(stdout) {
		text = preview.JSONForTerminal(text)
	}
	if _, err := stdout.Write(text); err != nil {
		return fmt.Errorf("write the result to stdout: %w", err)
	}
	return nil
}

// PrintRef writes the reference, a line.
func (res *Result) PrintRef(stdout io.Writer) error {
	if _, err := io.WriteString(stdout, res.Ref+"\n"); err != nil {
		return fmt.Errorf("write the reference %s to stdout: %w", res.Ref, err)
	}
	return nil
}
