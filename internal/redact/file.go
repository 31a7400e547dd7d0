package redact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxSecrets bounds a file of secrets, in bytes.
const maxSecrets = 4 << 20

// FileLiterals returns the secrets of a file, one a line. A file that others may
// read is refused, as is anything but a regular file. Secrets under MinLiteral
// bytes are not taken: a warning tells how many there are.
func FileLiterals(name string) (literals []Literal, warnings []string, err error) {
	f, err := openSecrets(name)
	if err != nil {
		return nil, nil, fmt.Errorf("secrets file %q: %w", name, reason(err))
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("secrets file %q: %w", name, err)
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("secrets file %q: not a regular file; a pipe is read with --secrets-fd", name)
	}
	if err := checkPrivate(info); err != nil {
		return nil, nil, fmt.Errorf("secrets file %q: %w", name, err)
	}
	return ReadLiterals(f, fmt.Sprintf("secrets file %q", name))
}

// ReadLiterals reads secrets, one a line, to the end of r. Errors and warnings
// name it as what.
func ReadLiterals(r io.Reader, what string) (literals []Literal, warnings []string, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSecrets+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", what, err)
	case len(data) > maxSecrets:
		return nil, nil, fmt.Errorf("%s: larger than %d bytes", what, maxSecrets)
	}
	short := 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			continue
		}
		if len(line) < MinLiteral {
			short++
			continue
		}
		literals = append(literals, Literal{Name: "secret", Value: line})
	}
	if short > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: secrets shorter than %d bytes are not redacted: %d", what, MinLiteral, short))
	}
	return literals, warnings, nil
}

// DescriptorLiterals reads secrets, one a line, from a descriptor that was
// inherited, and closes it.
func DescriptorLiterals(fd int) (literals []Literal, warnings []string, err error) {
	what := fmt.Sprintf("secrets descriptor %d", fd)
	if fd < 3 {
		return nil, nil, fmt.Errorf("%s: want 3 or above", what)
	}
	f := os.NewFile(uintptr(fd), what)
	if f == nil {
		return nil, nil, fmt.Errorf("%s: not open", what)
	}
	defer f.Close() //nolint:errcheck // only read
	if literals, warnings, err = ReadLiterals(f, what); errors.Is(err, syscall.EBADF) {
		err = &usageError{fmt.Errorf("%s: not open; open it for the tool: %d<FILE", what, fd)}
	}
	return literals, warnings, err
}
