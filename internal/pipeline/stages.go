package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Names of the stages that a run may start.
const (
	redactName  = "spool-redact"
	teeName     = "spool-tee"
	previewName = "spool-preview"
)

// Stages are the files of the stages' programs.
type Stages struct {
	Redact, Tee, Preview string
}

// FindStages looks for the stages beside executable, then on path, a list of
// directories as in PATH. A relative or empty entry of path is not followed:
// the working directory is the command's affair.
func FindStages(executable, path string) (Stages, error) {
	var s Stages
	for _, stage := range []struct {
		name string
		file *string
	}{{redactName, &s.Redact}, {teeName, &s.Tee}, {previewName, &s.Preview}} {
		file, err := findStage(stage.name, executable, path)
		if err != nil {
			return Stages{}, err
		}
		*stage.file = file
	}
	return s, nil
}

func findStage(name, executable, path string) (string, error) {
	dirs := filepath.SplitList(path)
	if executable != "" {
		dirs = append([]string{filepath.Dir(executable)}, dirs...)
	}
	for _, dir := range dirs {
		file := strings.TrimSuffix(dir, "/") + "/" + name
		if filepath.IsAbs(dir) && executableFile(file) {
			return file, nil
		}
	}
	return "", fmt.Errorf("stage %q is neither beside %q nor on PATH", name, executable)
}

// executableFile tells whether path is a regular file that may be executed.
func executableFile(path string) bool {
	var st unix.Stat_t
	return unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG && unix.Access(path, unix.X_OK) == nil
}
