//go:build unix

package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"spool/internal/completion"
)

// completions is where the files lie, a directory for each shell.
const completions = "../../docs/completions"

var update = flag.Bool("update", false, "write the files that are generated from the tables")

// topics returns the help of every tool and command as completions see it.
func topics(t *testing.T) []completion.Topic {
	t.Helper()
	var all []completion.Topic
	for _, p := range pages(t) {
		topic, err := completion.Read(p.text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, topic)
	}
	return all
}

func TestCompletionsAreThoseOfTheTables(t *testing.T) {
	want, err := completion.Files(topics(t))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		for name, text := range want {
			path := filepath.Join(completions, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string]string{}
	files, err := filepath.Glob(completions + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(completions, file)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(data)
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s is of no tool", name)
		}
	}
	for name := range want {
		if want[name] != got[name] {
			t.Errorf("%s does not tell what the tables do: go test ./internal/e2e -run TestCompletions -update", name)
		}
	}
}
