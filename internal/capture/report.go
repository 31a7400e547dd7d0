package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"spool/pkg/format"
	"spool/pkg/fsafe"
)

// WriteRedact publishes the redactor's report of the stream that it names.
// This and the other Write methods write once: [fs.ErrExist] if the report is
// there, [ErrPublished] if the capture is final. A report that fits what was
// set aside for it needs no space on the disk; one that does not, and for which
// there is none, may be tried again in a shorter form.
func (c *Capture) WriteRedact(r *format.RedactReport) error {
	data, err := format.EncodeRedact(r)
	return c.report(r.Stream+redactSuffix, data, err)
}

// WriteTee publishes the report of a stream's writer; see WriteRedact.
func (c *Capture) WriteTee(r *format.TeeReport) error {
	data, err := format.EncodeTee(r)
	return c.report(r.Stream+teeSuffix, data, err)
}

// WritePreview publishes a preview's report; see WriteRedact.
func (c *Capture) WritePreview(r *format.PreviewReport) error {
	data, err := format.EncodePreview(r)
	return c.report(r.Stream+previewSuffix, data, err)
}

// WriteProcess publishes the process facts; see WriteRedact.
func (c *Capture) WriteProcess(p *format.ProcessFacts) error {
	data, err := format.EncodeProcess(p)
	return c.report(processFile, data, err)
}

// report publishes one report, whose encoding may have failed.
func (c *Capture) report(name string, data []byte, err error) error {
	if err != nil {
		return err
	}
	if kind, _ := KindInCapture(name); kind != NameReport && kind != NameProcess {
		return fmt.Errorf("report %q: not of a stream that a capture has", name)
	}
	if err := c.checkUnpublished(); err != nil {
		return err
	}
	if err := c.publish(name, data, false); err != nil {
		return err
	}
	if err := c.checkUnpublished(); err != nil {
		return errors.Join(err, gone(c.dir.Remove(name))) // it came too late to be folded
	}
	return nil
}

// publish writes data into the space set aside for name and gives it its name.
// Where the reservation is gone it does without.
func (c *Capture) publish(name string, data []byte, sync bool) error {
	if there, err := c.has(name); err != nil || there {
		if err == nil {
			err = &fsafe.Error{Op: "publish", Path: name, Kind: fsafe.KindExist, Err: fs.ErrExist}
		}
		return err
	}
	// The lock keeps a second one from writing into a file that has just been
	// published by the first. It is on the reservation, and moves with it.
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	l, err := c.dir.Lock(ctx, reservedName(name), fsafe.LockExclusive, false)
	if fsafe.KindOf(err) == fsafe.KindNotExist {
		return c.dir.Publish(name, data, sync)
	}
	if err != nil {
		return stalled(err)
	}
	err = c.dir.PublishReserved(reservedName(name), name, data, sync)
	return errors.Join(err, l.Unlock())
}

// Redact returns the redactor's report of a stream. This and the other readers
// of reports return an error of kind not-exist ([fs.ErrNotExist]) where there
// is none, and one that wraps a [format.FieldError] where it breaks a rule.
func (c *Capture) Redact(stream string) (*format.RedactReport, error) {
	return readReport(c, stream, redactSuffix, format.ParseRedact, func(r *format.RedactReport) string { return r.Stream })
}

// Tee returns the report of a stream's writer; see Redact.
func (c *Capture) Tee(stream string) (*format.TeeReport, error) {
	return readReport(c, stream, teeSuffix, format.ParseTee, func(r *format.TeeReport) string { return r.Stream })
}

// Preview returns a preview's report; see Redact.
func (c *Capture) Preview(stream string) (*format.PreviewReport, error) {
	return readReport(c, stream, previewSuffix, format.ParsePreview, func(r *format.PreviewReport) string { return r.Stream })
}

// Process returns the process facts; see Redact.
func (c *Capture) Process() (*format.ProcessFacts, error) {
	return read(c, processFile, format.ParseProcess)
}

// Receipt returns the receipt; see Redact. If it is there, everything that it
// names is there.
func (c *Capture) Receipt() (*format.Receipt, error) {
	r, err := read(c, receiptFile, format.ParseReceipt)
	if err == nil && r.ID != c.id {
		err = fmt.Errorf("capture %s: the receipt is that of %s: %w", c.id, r.ID, ErrCorrupt)
	}
	return r, err
}

// readReport reads a report and sees to it that it is that of the stream.
func readReport[T any](c *Capture, stream, suffix string, parse func([]byte) (*T, error), of func(*T) string) (*T, error) {
	if err := format.CheckStreams([]string{stream}); err != nil {
		return nil, err
	}
	r, err := read(c, stream+suffix, parse)
	if err != nil {
		return nil, err
	}
	if got := of(r); got != stream {
		return nil, fmt.Errorf("capture %s: %s is that of stream %q: %w", c.id, stream+suffix, got, ErrCorrupt)
	}
	return r, nil
}

func read[T any](c *Capture, name string, parse func([]byte) (*T, error)) (*T, error) {
	data, err := c.dir.ReadFile(name, format.MaxFile)
	if err != nil {
		return nil, err
	}
	v, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("capture %s: %w", c.id, err)
	}
	return v, nil
}
