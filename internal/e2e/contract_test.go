//go:build unix

package e2e

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spool/internal/capture"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// A heldRow is a row of a held table: the code spans of its first cell, and
// those of its second.
type heldRow struct{ first, second []string }

// heldTable returns the rows of the table in the contract below the line that
// says that it is held to the code.
func heldTable(t *testing.T, name string) (rows []heldRow) {
	t.Helper()
	data, err := os.ReadFile("../../docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(data), "\n<!-- held: "+name+" -->\n\n")
	if !found {
		t.Fatalf("the contract has no table %q", name)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for i, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			t.Fatalf("%s: %q is no row", name, line)
		}
		if i > 1 {
			rows = append(rows, heldRow{spans(cells[1]), spans(cells[2])})
		}
	}
	return rows
}

// spans returns the code spans of a cell.
func spans(cell string) (all []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}

// firsts returns what stands in the first cells, sorted.
func firsts(rows []heldRow) (all []string) {
	for _, r := range rows {
		all = append(all, r.first...)
	}
	slices.Sort(all)
	return all
}

// constants returns the values of the constants that a package declares with
// that type, or with no type if a suffix of their names is given.
func constants(t *testing.T, dir, typ string, suffixes ...string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, spec := range gen.Specs {
				values = append(values, constant(spec.(*ast.ValueSpec), typ, suffixes)...)
			}
		}
	}
	slices.Sort(values)
	return values
}

func constant(spec *ast.ValueSpec, typ string, suffixes []string) (values []string) {
	ident, ok := spec.Type.(*ast.Ident)
	if typ != "" && (!ok || ident.Name != typ) || typ == "" && spec.Type != nil {
		return nil
	}
	for i, name := range spec.Names {
		matches := func(suffix string) bool { return strings.HasSuffix(name.Name, suffix) }
		if typ == "" && !slices.ContainsFunc(suffixes, matches) || i >= len(spec.Values) {
			continue
		}
		if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				values = append(values, text)
			}
		}
	}
	return values
}

func TestContractListsWhatTheFormatKnows(t *testing.T) {
	for table, typ := range map[string]string{
		"process-states":  "ProcessState",
		"capture-states":  "CaptureState",
		"kinds":           "Kind",
		"preview-states":  "PreviewState",
		"upstream-states": "UpstreamState",
		"reasons":         "Reason",
	} {
		if diff := cmp.Diff(constants(t, "../../pkg/format", typ), firsts(heldTable(t, table))); diff != "" {
			t.Errorf("%s: code (-) and contract (+) differ:\n%s", table, diff)
		}
	}
}

func TestContractListsTheReceiptsKeys(t *testing.T) {
	_, out, _ := call(t, "spool-run", "--json", "true")
	var doc struct {
		Receipt map[string]json.RawMessage `json:"receipt"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Receipt) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	want := slices.Sorted(maps.Keys(doc.Receipt))
	if diff := cmp.Diff(want, firsts(heldTable(t, "receipt-keys"))); diff != "" {
		t.Errorf("receipt (-) and contract (+) differ:\n%s", diff)
	}
}

// keysOf returns the keys of the object that a tool prints, sorted.
func keysOf(t *testing.T, text string) []string {
	t.Helper()
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return slices.Sorted(maps.Keys(doc))
}

func TestContractListsTheKeysOfEveryAnswer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ns")
	answer := func(tool string, args ...string) []string {
		_, out, _ := call(t, tool, append([]string{"--json", "--dir", dir}, args...)...)
		return keysOf(t, out)
	}
	// A command that runs on until it is told to end.
	end := filepath.Join(t.TempDir(), "end")
	if err := syscall.Mkfifo(end, 0o600); err != nil {
		t.Fatal(err)
	}
	result := answer("spool-run", "--promote-after", "1ms", "--", "cat", end)
	if err := os.WriteFile(end, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, "spool-receipt", "wait", "--dir", dir, "latest"); code != 0 {
		t.Fatal(stderr)
	}
	part := answer("spool-preview", "--from", "1:0", "latest/stdout")
	match := slices.DeleteFunc(answer("spool-preview", "--match", "a", "latest/stdout"),
		func(key string) bool { return slices.Contains(part, key) })
	for table, keys := range map[string][]string{"result-keys": result, "part-keys": part, "match-keys": match} {
		if diff := cmp.Diff(keys, firsts(heldTable(t, table))); diff != "" {
			t.Errorf("%s: tool (-) and contract (+) differ:\n%s", table, diff)
		}
	}
}

func TestContractListsTheFiles(t *testing.T) {
	inNamespace, inCapture := firsts(heldTable(t, "namespace-files")), firsts(heldTable(t, "capture-files"))
	for _, name := range inNamespace {
		if kind, _ := capture.KindInNamespace(name); kind == capture.NameUnknown {
			t.Errorf("%q in a namespace means nothing to the code", name)
		}
	}
	for _, name := range inCapture {
		if kind, _ := capture.KindInCapture(name); kind == capture.NameUnknown {
			t.Errorf("%q in a capture means nothing to the code", name)
		}
	}
	all := slices.Concat(inNamespace, inCapture)
	names := constants(t, "../../internal/capture", "", "File", "Dir", "Prefix", "Suffix")
	if len(names) < 10 {
		t.Fatalf("only %q were found in the code", names)
	}
	for _, part := range names {
		told := func(name string) bool {
			return name == part || strings.HasPrefix(part, ".") && (strings.HasPrefix(name, part) || strings.HasSuffix(name, part))
		}
		if !slices.ContainsFunc(all, told) {
			t.Errorf("the contract does not tell of %q", part)
		}
	}
}

func TestContractListsTheTools(t *testing.T) {
	if diff := cmp.Diff(tools(t), firsts(heldTable(t, "tools"))); diff != "" {
		t.Errorf("tools (-) and contract (+) differ:\n%s", diff)
	}
}

func TestContractListsTheExitStatuses(t *testing.T) {
	row := regexp.MustCompile(`(?m)^  ([0-9]+(?:, [0-9]+)*)  `)
	want, got := map[string][]string{}, map[string][]string{}
	for _, p := range pages(t) {
		_, section, _ := strings.Cut(p.text, "\nExit status:\n")
		for _, m := range row.FindAllStringSubmatch(section, -1) {
			for code := range strings.SplitSeq(m[1], ", ") {
				if code > "2" || len(code) > 1 {
					want[p.args[0]] = append(want[p.args[0]], code)
				}
			}
		}
	}
	for _, r := range heldTable(t, "exit-statuses") {
		got[r.second[0]] = append(got[r.second[0]], r.first...)
	}
	for _, codes := range []map[string][]string{want, got} {
		for tool := range codes {
			slices.Sort(codes[tool])
			codes[tool] = slices.Compact(codes[tool])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-) and contract (+) differ:\n%s", diff)
	}
}

func TestContractListsTheEnvironment(t *testing.T) {
	want, got := map[string][]string{}, map[string][]string{}
	for _, p := range pages(t) {
		for _, o := range p.options {
			if o.env != "" && !slices.Contains(want[o.env], p.args[0]) {
				want[o.env] = append(want[o.env], p.args[0])
			}
		}
	}
	for _, r := range heldTable(t, "environment") {
		got[r.first[0]] = r.second
	}
	for _, users := range want {
		slices.Sort(users)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-) and contract (+) differ:\n%s", diff)
	}
}
