package cmdline

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// seen is what a run of the example tool filled in and was called with.
type seen struct {
	Label   string
	Streams string
	JSON    bool
	Verbose bool
	Out     string
	Jobs    int
	Stall   time.Duration
	Globs   []string
	Mode    string
	Range   Range
	Args    []string
	Ran     string
}

// example has an option of every kind, and a command.
func example(s *seen, env map[string]string) Tool {
	remember := func(name string) func(context.Context, *Call) error {
		return func(_ context.Context, c *Call) error {
			s.Ran, s.Args = name, c.Args
			return nil
		}
	}
	s.Stall = 2 * time.Second
	return Tool{
		Name:     "spool-x",
		Synopsis: []string{"[options] FILE", "[options] sub [operand]"},
		About:    "Does a thing for the tests. And another.",
		Options: []Option{
			String(&s.Label, "label", "TEXT", "name it"),
			String(&s.Streams, "stream", "NAME", "pick one").OneOff(),
			Switch(&s.JSON, "json", "print JSON"),
			Switch(&s.Verbose, "verbose", "say more").Short('v'),
			String(&s.Out, "output", "FILE", "write there").Short('o'),
			Int(&s.Jobs, 1, 64, "jobs", "N", "at once").Short('j'),
			Duration(&s.Stall, "stall", "D", "wait that long"),
			Strings(&s.Globs, "secret-env", "GLOB", "take these variables"),
			Choice(&s.Mode, []string{"strip", "keep"}, "ansi", "what to do with escapes"),
			Parsed(&s.Range, ParseRange, "lines", "A:B", "only these"),
		},
		Commands: []Tool{{
			Name:     "sub",
			Synopsis: []string{"[operand]"},
			About:    "Does less. Much less.",
			Options:  []Option{Duration(&s.Stall, "grace", "D", "wait")},
			Exit:     []ExitStatus{{"3", "not yet"}},
			Run:      remember("sub"),
		}},
		Run: remember("tool"),
		LookupEnv: func(name string) (string, bool) {
			v, ok := env[name]
			return v, ok
		},
	}
}

// runTool runs a tool without its path among the arguments.
func runTool(t Tool, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = t.Main(context.Background(), append([]string{"/bin/" + t.Name}, args...), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestArguments(t *testing.T) {
	def := seen{Stall: 2 * time.Second, Ran: "tool", Args: []string{}}
	with := func(change func(*seen)) seen {
		s := def
		change(&s)
		return s
	}
	for _, tt := range []struct {
		rule string
		args []string
		env  map[string]string
		want seen
	}{
		{rule: "value after =", args: []string{"--label=a=b"}, want: with(func(s *seen) { s.Label = "a=b" })},
		{rule: "value as the next argument", args: []string{"--label", "a"}, want: with(func(s *seen) { s.Label = "a" })},
		{rule: "value may look like an option", args: []string{"--label", "--json"}, want: with(func(s *seen) { s.Label = "--json" })},
		{rule: "value may be --", args: []string{"--label", "--", "--json"}, want: with(func(s *seen) { s.Label, s.JSON = "--", true })},
		{rule: "value may be empty", args: []string{"--label=x", "--label="}, want: def},
		{rule: "value keeps its white space", args: []string{"--label= a \n"}, want: with(func(s *seen) { s.Label = " a \n" })},
		{rule: "empty next argument is a value", args: []string{"--label", "", "x"}, want: with(func(s *seen) { s.Args = []string{"x"} })},
		{rule: "last value counts", args: []string{"--label=a", "--label=b"}, want: with(func(s *seen) { s.Label = "b" })},
		{rule: "values are collected, never split", args: []string{"--secret-env=A,B", "--secret-env", "C D"}, want: with(func(s *seen) { s.Globs = []string{"A,B", "C D"} })},
		{rule: "-- ends the options", args: []string{"--json", "--", "--label", "-v"}, want: with(func(s *seen) { s.JSON, s.Args = true, []string{"--label", "-v"} })},
		{rule: "second -- is an operand", args: []string{"--", "--"}, want: with(func(s *seen) { s.Args = []string{"--"} })},
		{rule: "no option after the first operand", args: []string{"make", "--help", "--version", "--label", "-v"}, want: with(func(s *seen) { s.Args = []string{"make", "--help", "--version", "--label", "-v"} })},
		{rule: "-- after the first operand stays", args: []string{"make", "--", "x"}, want: with(func(s *seen) { s.Args = []string{"make", "--", "x"} })},
		{rule: "operand help is an operand", args: []string{"help"}, want: with(func(s *seen) { s.Args = []string{"help"} })},
		{rule: "operand h after -- is an operand", args: []string{"--", "h", "help"}, want: with(func(s *seen) { s.Args = []string{"h", "help"} })},
		{rule: "a dash is an operand", args: []string{"-", "--json"}, want: with(func(s *seen) { s.Args = []string{"-", "--json"} })},
		{rule: "an empty argument is an operand", args: []string{"", "--json"}, want: with(func(s *seen) { s.Args = []string{"", "--json"} })},
		{rule: "white space is an operand", args: []string{" --json", "\t"}, want: with(func(s *seen) { s.Args = []string{" --json", "\t"} })},
		{rule: "completion request is an operand", args: []string{"x", "--generate-shell-completion"}, want: with(func(s *seen) { s.Args = []string{"x", "--generate-shell-completion"} })},
		{rule: "letter with its value attached", args: []string{"-ofile"}, want: with(func(s *seen) { s.Out = "file" })},
		{rule: "-out is -o ut, not --out", args: []string{"-out"}, want: with(func(s *seen) { s.Out = "ut" })},
		{rule: "letter with a value as the next argument", args: []string{"-o", "-v"}, want: with(func(s *seen) { s.Out = "-v" })},
		{rule: "letter keeps a =", args: []string{"-o=file"}, want: with(func(s *seen) { s.Out = "=file" })},
		{rule: "cluster of letters", args: []string{"-vofile"}, want: with(func(s *seen) { s.Verbose, s.Out = true, "file" })},
		{rule: "-v is the tool's own, not version", args: []string{"-v"}, want: with(func(s *seen) { s.Verbose = true })},
		{rule: "numbers are base 10", args: []string{"-j", "010"}, want: with(func(s *seen) { s.Jobs = 10 })},
		{rule: "duration", args: []string{"--stall=1m30s"}, want: with(func(s *seen) { s.Stall = 90 * time.Second })},
		{rule: "choice", args: []string{"--ansi", "keep"}, want: with(func(s *seen) { s.Mode = "keep" })},
		{rule: "range", args: []string{"--lines", "2:9"}, want: with(func(s *seen) { s.Range = Range{2, 9} })},
		{rule: "command", args: []string{"--json", "sub", "--grace=3s", "x"}, want: with(func(s *seen) {
			s.JSON, s.Stall, s.Ran, s.Args = true, 3*time.Second, "sub", []string{"x"}
		})},
		{rule: "options of a command end at its operand", args: []string{"sub", "x", "--grace"}, want: with(func(s *seen) { s.Ran, s.Args = "sub", []string{"x", "--grace"} })},
		{rule: "environment", env: map[string]string{"SPOOL_LABEL": "e", "SPOOL_JSON": "1", "SPOOL_SECRET_ENV": "A\nB,C\n", "SPOOL_STALL": "5s"}, want: with(func(s *seen) {
			s.Label, s.JSON, s.Stall, s.Globs = "e", true, 5*time.Second, []string{"A", "B,C"}
		})},
		{rule: "argument before environment", args: []string{"--label=a", "--secret-env=X"}, env: map[string]string{"SPOOL_LABEL": "e", "SPOOL_SECRET_ENV": "A"}, want: with(func(s *seen) {
			s.Label, s.Globs = "a", []string{"X"}
		})},
		{rule: "empty variable is unset", env: map[string]string{"SPOOL_STALL": "", "SPOOL_JSON": "", "SPOOL_LABEL": ""}, want: def},
		{rule: "switch off in the environment", env: map[string]string{"SPOOL_JSON": "off"}, want: def},
		{rule: "one-off option ignores the environment", env: map[string]string{"SPOOL_STREAM": "stdout"}, want: def},
		{rule: "environment of a command", args: []string{"sub"}, env: map[string]string{"SPOOL_GRACE": "7s"}, want: with(func(s *seen) { s.Stall, s.Ran = 7*time.Second, "sub" })},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var got seen
			code, stdout, stderr := runTool(example(&got, tt.env), tt.args...)
			if code != 0 || stdout != "" || stderr != "" {
				t.Fatalf("status %d, stdout %q, stderr %q", code, stdout, stderr)
			}
			if got.Args == nil {
				got.Args = []string{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHelpAndVersionGoToStdout(t *testing.T) {
	bad := map[string]string{"SPOOL_STALL": "soon"}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--help"}, "usage: spool-x [options] FILE\n       spool-x [options] sub [operand]\n"},
		{[]string{"--json", "--help", "--nonsense"}, "usage: spool-x "},
		{[]string{"sub", "--help"}, "usage: spool-x sub [operand]\n"},
		{[]string{"--version"}, "spool-x " + Version() + "\n"},
		{[]string{"sub", "--version"}, "spool-x " + Version() + "\n"},
	} {
		code, stdout, stderr := runTool(example(&seen{}, bad), tt.args...)
		if code != ExitOK || !strings.HasPrefix(stdout, tt.want) || stderr != "" {
			t.Errorf("%q: status %d, stdout %q, stderr %q", tt.args, code, stdout, stderr)
		}
	}
}

func TestHelpNamesEveryOptionWithItsVariable(t *testing.T) {
	_, stdout, _ := runTool(example(&seen{}, nil), "--help")
	want := `usage: spool-x [options] FILE
       spool-x [options] sub [operand]

Does a thing for the tests. And another.

Commands:
  sub                     Does less

Options:
  --label TEXT            name it [SPOOL_LABEL]
  --stream NAME           pick one
  --json                  print JSON [SPOOL_JSON]
  -v, --verbose           say more [SPOOL_VERBOSE]
  -o, --output FILE       write there [SPOOL_OUTPUT]
  -j, --jobs N            at once [SPOOL_JOBS]
  --stall D               wait that long (default 2s) [SPOOL_STALL]
  --secret-env GLOB       take these variables (repeatable) [SPOOL_SECRET_ENV]
  --ansi strip|keep       what to do with escapes [SPOOL_ANSI]
  --lines A:B             only these [SPOOL_LINES]
  --help                  print this help
  --version               print the version

Exit status:
  0  done
  1  it failed, or what it produced is incomplete
  2  usage
`
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(stdout) {
		if len(line) > helpWidth+1 {
			t.Errorf("line of %d columns: %s", len(line)-1, line)
		}
	}
}

func TestHelpOnAFullDeviceFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("SKIPPED: needs /dev/full")
	}
	defer full.Close()
	for _, arg := range []string{"--help", "--version"} {
		var stderr bytes.Buffer
		code := example(&seen{}, nil).Main(context.Background(), []string{"x", arg}, nil, full, &stderr)
		if code != ExitFail || !strings.HasPrefix(stderr.String(), "spool-x: write standard output: ") {
			t.Errorf("%s: status %d, stderr %q", arg, code, stderr.String())
		}
	}
}

func TestSettingsTellWhereAValueComesFrom(t *testing.T) {
	var s seen
	tool := example(&s, map[string]string{"SPOOL_STALL": "3s", "SPOOL_LABEL": "e"})
	var got []Setting
	tool.Run = func(_ context.Context, c *Call) error {
		got = c.Settings()
		if c.Given("label") != SourceOption || c.Given("stall") != SourceEnvironment || c.Given("json") != SourceDefault {
			t.Errorf("given: label %s, stall %s, json %s", c.Given("label"), c.Given("stall"), c.Given("json"))
		}
		return nil
	}
	if code, _, stderr := runTool(tool, "--label=a", "--secret-env=A", "--secret-env=B"); code != 0 {
		t.Fatal(stderr)
	}
	want := map[string]Setting{
		"label":      {"label", "SPOOL_LABEL", "a", SourceOption},
		"stream":     {"stream", "", "", SourceDefault},
		"stall":      {"stall", "SPOOL_STALL", "3s", SourceEnvironment},
		"secret-env": {"secret-env", "SPOOL_SECRET_ENV", "A B", SourceOption},
	}
	if len(got) != len(tool.Options) {
		t.Errorf("%d settings of %d options", len(got), len(tool.Options))
	}
	for _, s := range got {
		if w, ok := want[s.Name]; ok && w != s {
			t.Errorf("got %v, want %v", s, w)
		}
	}
}

func TestWrongTablePanics(t *testing.T) {
	var s string
	for name, options := range map[string][]Option{
		"twice":      {String(&s, "label", "T", "x"), String(&s, "label", "T", "x")},
		"letter":     {String(&s, "label", "T", "x").Short('l'), String(&s, "list", "T", "x").Short('l')},
		"help":       {String(&s, "help", "T", "x")},
		"capital":    {String(&s, "Label", "T", "x")},
		"no help":    {String(&s, "label", "T", "")},
		"no value":   {{Name: "label", Help: "x"}},
		"one letter": {String(&s, "l", "T", "x")},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			runTool(Tool{Name: "t", Options: options, Run: func(context.Context, *Call) error { return nil }})
		})
	}
}

func TestRangeReadsWhatItWrites(t *testing.T) {
	for _, text := range []string{"0:0", "1:2", "7:", "0:9223372036854775807"} {
		r, err := ParseRange(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseRange(r.String()); err != nil || again != r {
			t.Errorf("%s: %v, %v", text, again, err)
		}
	}
}
