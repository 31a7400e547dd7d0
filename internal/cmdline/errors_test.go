package cmdline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestUsageErrorsGoToStderrWithStatus2(t *testing.T) {
	for _, tt := range []struct {
		args []string
		env  map[string]string
		want string // the message without tool
		hint string // "" means the help is pointed at
	}{
		{args: []string{"--frobnicate"}, want: `unknown option "--frobnicate"`},
		{args: []string{"--out", "x"}, want: `unknown option "--out"`, hint: "did you mean --output?"},
		{args: []string{"--lable=x"}, want: `unknown option "--lable"`, hint: "did you mean --label?"},
		{args: []string{"-json"}, want: `option --jobs: "son" is no whole number`},
		{args: []string{"-label"}, want: `unknown option "-label"`, hint: "did you mean --label?"},
		{args: []string{"-h"}, want: `unknown option "-h"`},
		{args: []string{"-1"}, want: `unknown option "-1"`},
		{args: []string{"-vx"}, want: `unknown option "-vx"`},
		{args: []string{"---json"}, want: `unknown option "---json"`, hint: "did you mean --json?"},
		{args: []string{"--=x"}, want: `unknown option "--"`},
		{args: []string{"--label"}, want: "option --label needs a value: --label TEXT"},
		{args: []string{"-o"}, want: "option -o needs a value: -o FILE"},
		{args: []string{"--json=1"}, want: "option --json takes no value"},
		{args: []string{"--help=x"}, want: "option --help takes no value"},
		{args: []string{"--frob", "--help"}, want: `unknown option "--frob"`},
		{args: []string{"--jobs=0x10"}, want: `option --jobs: "0x10" is no whole number`},
		{args: []string{"--jobs=65"}, want: `option --jobs: "65" is not between 1 and 64`},
		{args: []string{"--jobs=99999999999999999999"}, want: `option --jobs: "99999999999999999999" is not between 1 and 64`},
		{args: []string{"--jobs="}, want: `option --jobs: "" is no whole number`},
		{args: []string{"--stall=5"}, want: `option --stall: "5" is no duration; write it like 500ms, 2s or 1h30m`},
		{args: []string{"--stall=-1s"}, want: `option --stall: duration "-1s" is negative`},
		{args: []string{"--ansi=drop"}, want: `option --ansi: "drop" is not one of strip, keep`},
		{args: []string{"--lines=9:2"}, want: `option --lines: range "9:2" ends before it begins`},
		{args: []string{"--lines=:"}, want: `option --lines: ":" is no range; write A:B, A: or :B`},
		{args: []string{"--lines=-1:2"}, want: `option --lines: "-1" is no count`},
		{env: map[string]string{"SPOOL_STALL": "soon"}, want: `environment variable SPOOL_STALL: "soon" is no duration; write it like 500ms, 2s or 1h30m`},
		{env: map[string]string{"SPOOL_JSON": "maybe"}, want: `environment variable SPOOL_JSON: "maybe" is neither true nor false`},
		{args: []string{"sbu"}, want: `unknown command "sbu"`, hint: "did you mean sub?"},
		{args: []string{"x\x1b[2J\n"}, want: `unknown command "x\x1b[2J\n"`, hint: "commands are sub"},
		{args: []string{"sub", "--label=x"}, want: `unknown option "--label"`, hint: "see spool-x sub --help"},
		{args: []string{"--" + strings.Repeat("a", 1<<20)}, want: `unknown option "--` + strings.Repeat("a", maxQuoted-2) + `…"`},
	} {
		t.Run(clip(fmt.Sprint(tt.args, tt.env), 100), func(t *testing.T) {
			tool := example(&seen{}, tt.env)
			if len(tt.args) > 0 && !strings.HasPrefix(tt.args[0], "-") {
				tool.Run = nil // operands are commands then
			}
			code, stdout, stderr := runTool(tool, tt.args...)
			if tt.hint == "" {
				tt.hint = "see spool-x --help"
			}
			want := "spool-x: " + tt.want + "\nspool-x: hint: " + tt.hint + "\n"
			if code != ExitUsage || stdout != "" || stderr != want {
				t.Errorf("status %d, stdout %q, stderr\n%swant\n%s", code, stdout, stderr, want)
			}
		})
	}
}

func TestCommandIsNeededWhereTheToolDoesNothing(t *testing.T) {
	tool := example(&seen{}, nil)
	tool.Run = nil
	code, stdout, stderr := runTool(tool)
	if code != ExitUsage || stdout != "" || stderr != "spool-x: a command is needed: sub\nspool-x: hint: see spool-x --help\n" {
		t.Errorf("status %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// busy is an error of another room: with a way out of its own.
type busy struct{}

func (busy) Error() string { return "namespace is full" }

func (busy) Hint() string { return "spool-gc --prune makes room" }

func TestErrorBecomesMessageAndStatus(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		code   int
		stderr string
	}{
		{"nil", nil, 0, ""},
		{"plain", errors.New("no such capture"), 1, "t: no such capture\n"},
		{"usage", fmt.Errorf("show: %w", Usagef("one REF is needed")), 2, "t: show: one REF is needed\nt: hint: see t --help\n"},
		{"other status", &ExitError{Code: 3, Err: errors.New("not final yet")}, 3, "t: not final yet\n"},
		{"silent status", &ExitError{Code: 75}, 75, ""},
		{"hint by method", fmt.Errorf("write: %w", busy{}), 1, "t: write: namespace is full\nt: hint: spool-gc --prune makes room\n"},
		{"hint added", WithHint(&ExitError{Code: 125, Err: errors.New("no stage")}, "install it"), 125, "t: no stage\nt: hint: install it\n"},
		{"every line named", errors.Join(errors.New("a"), errors.New("b")), 1, "t: a\nt: b\n"},
		{"control characters shown", errors.New("open \x1b]0;x\a\u202e\xff"), 1, "t: open \\x1b]0;x\\a\\u202e\\ufffd\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tool := Tool{Name: "t", Run: func(context.Context, *Call) error { return tt.err }}
			code, stdout, stderr := runTool(tool)
			if code != tt.code || stdout != "" || stderr != tt.stderr {
				t.Errorf("status %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

func TestLongMessageKeepsItsReason(t *testing.T) {
	for _, size := range []int{maxMessage - 1, maxMessage, maxMessage + 1, 10 * maxMessage} {
		name := strings.Repeat("é", size/2)
		tool := Tool{Name: "t", Run: func(context.Context, *Call) error { return fmt.Errorf("open %s: too long", name) }}
		_, _, stderr := runTool(tool)
		if len(stderr) > maxMessage+20 || !strings.HasPrefix(stderr, "t: open é") || !strings.HasSuffix(stderr, "é: too long\n") {
			t.Errorf("%d: %d bytes: %.20q", size, len(stderr), stderr)
		}
	}
}

func TestOptionBehindAnOperandIsToldSo(t *testing.T) {
	for args, hint := range map[string]string{
		"REF --lines 1:2":    "options come before operands: --lines",
		"REF x --lines=1:2":  "options come before operands: --lines",
		"REF -v":             "options come before operands: -v",
		"REF --help":         "options come before operands: --help",
		"REF --linez 1:2":    "see spool-x --help",
		"-- REF x":           "see spool-x --help",
		"-- REF -- --lines":  "see spool-x --help",
		"sub REF --grace 1s": "options come before operands: --grace",
		"--json REF -":       "see spool-x --help",
	} {
		var s seen
		tool := example(&s, nil)
		tool.Run = func(context.Context, *Call) error { return Usagef("one REF is needed") }
		tool.Commands[0].Run = tool.Run
		code, _, stderr := runTool(tool, strings.Fields(args)...)
		if want := "spool-x: one REF is needed\nspool-x: hint: " + hint + "\n"; code != ExitUsage || stderr != want {
			t.Errorf("%q: status %d, %q, want %q", args, code, stderr, want)
		}
		tool.Foreign = true
		if _, _, stderr := runTool(tool, strings.Fields(args)...); strings.Contains(stderr, "come before") {
			t.Errorf("%q are another program's: %q", args, stderr)
		}
	}
}
