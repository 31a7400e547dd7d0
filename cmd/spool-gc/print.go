package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"spool/internal/cmdline"
	"spool/internal/sweep"
)

// print prints the report: a line for each thing, or JSON.
func (o *options) print(c *cmdline.Call, r *sweep.Report) error {
	var b strings.Builder
	if o.json {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	for _, item := range r.Items {
		if o.json {
			break
		}
		if r.DryRun && item.Action != sweep.Left {
			b.WriteString("would be ")
		}
		b.WriteString(string(item.Action) + " " + item.Name)
		if item.Note != "" {
			b.WriteString(": " + item.Note)
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(c.Stdout, b.String()); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}
