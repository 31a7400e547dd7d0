//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: [!] json FILE PATH WANT")
	}
	got, err := query([]byte(ts.ReadFile(args[0])), args[1])
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s: %s is %s", args[0], args[1], got)
	}
}

func cmdJSONLet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: jsonlet NAME FILE PATH")
	}
	got, err := query([]byte(ts.ReadFile(args[1])), args[2])
	if err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	ts.Setenv(args[0], got)
}

// query returns the value at a path like ".a.b[0]" or "." of a JSON document:
// a string as it is, anything else as compact JSON with numbers as written. A
// key that is not there is an error, since every key of a receipt always is.
func query(data []byte, path string) (string, error) {
	rest, ok := strings.CutPrefix(path, ".")
	if !ok {
		return "", fmt.Errorf("path %q does not begin with a dot", path)
	}
	value := json.RawMessage(data)
	for rest != "" {
		var step string
		step, rest = nextStep(rest)
		next, err := descend(value, step)
		if err != nil {
			return "", fmt.Errorf("%s at %q: %w", path, step, err)
		}
		value = next
	}
	var text string
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text, nil
	}
	var compact any
	decoder := json.NewDecoder(strings.NewReader(string(value)))
	decoder.UseNumber()
	if err := decoder.Decode(&compact); err != nil {
		return "", err
	}
	out, err := json.Marshal(compact)
	return string(out), err
}

// nextStep splits "a.b" into a and b, "a[0].b" into a and [0].b, "[0].b" into
// [0] and b.
func nextStep(path string) (step, rest string) {
	end := strings.IndexAny(path[1:], ".[") + 1
	if end == 0 {
		return path, ""
	}
	return path[:end], strings.TrimPrefix(path[end:], ".")
}

func descend(value json.RawMessage, step string) (json.RawMessage, error) {
	if strings.HasPrefix(step, "[") {
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(strings.Trim(step, "[]"))
		if err != nil || i < 0 || i >= len(list) {
			return nil, fmt.Errorf("no such element of %d", len(list))
		}
		return list[i], nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(value, &object); err != nil {
		return nil, err
	}
	next, ok := object[step]
	if !ok {
		return nil, fmt.Errorf("no such key")
	}
	return next, nil
}

func TestQuery(t *testing.T) {
	const doc = `{"a": {"b-c": [1, {"d": "x y"}], "n": null, "big": 12345678901234567890}, "s": "1"}`
	for path, want := range map[string]string{
		".a.b-c[0]":   "1",
		".a.b-c[1].d": "x y",
		".a.b-c":      `[1,{"d":"x y"}]`,
		".a.n":        "null",
		".a.big":      "12345678901234567890",
		".s":          "1",
	} {
		if got, err := query([]byte(doc), path); err != nil || got != want {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	for _, path := range []string{".x", ".a.b-c[2]", ".s.t", "a"} {
		if got, err := query([]byte(doc), path); err == nil {
			t.Errorf("%s: %s", path, got)
		}
	}
}
