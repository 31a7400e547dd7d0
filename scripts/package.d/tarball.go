package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writeTarball writes the files below one directory that bears the package's name.
func (b build) writeTarball() error {
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	add := func(h tar.Header, data []byte) error {
		h.Name = b.name() + "/" + h.Name
		h.ModTime, h.Format = b.Epoch, tar.FormatUSTAR
		h.Uname, h.Gname = "root", "root"
		h.Size = int64(len(data))
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	}
	for _, dir := range append([]string{""}, directories(b.Files)...) {
		if err := add(tar.Header{Typeflag: tar.TypeDir, Name: strings.TrimPrefix(dir+"/", "/"), Mode: 0o755}, nil); err != nil {
			return err
		}
	}
	for _, f := range b.Files {
		h := tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Mode: int64(f.Mode)}
		if f.Link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.Link
		}
		if err := add(h, f.Data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.Out, b.name()+".tar.gz"), buf.Bytes(), 0o644)
}

// compress returns data as gzip -9n makes it.
func compress(data []byte) ([]byte, error) {
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return buf.Bytes(), err
}

// writeSums writes SHA256SUMS over the files of a directory, as sha256sum does.
func writeSums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		if e.Name() == "SHA256SUMS" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), e.Name()))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[sha256.Size*2:], b[sha256.Size*2:]) })
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
