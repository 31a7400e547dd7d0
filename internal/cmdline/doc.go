// Package cmdline is the command line of every tool: it brings the arguments
// into order, fills the options, answers --help and --version, and turns an
// error into a message and an exit status.
//
// A tool is a [Tool]: data first, one function last. The table of options is
// the only place where an option is named. Help, environment variables, the
// settings in force and the checks of manual and completions derive from it.
//
//	func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
//		var o spool.Options
//		t := cmdline.Tool{
//			Name:     "spool-tee",
//			Synopsis: []string{"[options] FILE"},
//			About:    "Writes stdin to one private file and passes it on.",
//			Options: []cmdline.Option{
//				cmdline.Parsed(&o.MaxBytes, format.ParseSize, "max-bytes", "SIZE", "keep at most this much"),
//				cmdline.String(&o.Report, "report", "FILE", "write the stage report there").OneOff(),
//			},
//			Run: func(ctx context.Context, c *cmdline.Call) error {
//				if len(c.Args) != 1 {
//					return cmdline.Usagef("one FILE is needed")
//				}
//				return spool.Tee(ctx, c.Args[0], o, c.Stdin, c.Stdout)
//			},
//		}
//		return t.Main(ctx, args, stdin, stdout, stderr)
//	}
//
// # Arguments
//
// The rules are those of getopt: options come before operands, "--" ends them,
// and after the first operand nothing is an option, so that the arguments of a
// command that is to be run pass through untouched. A value follows as
// "--option=value" or "--option value", for a declared letter as "-ovalue" or
// "-o value". Long names are exact: an abbreviation is refused, and so is a
// long name after a single dash. The last of several values counts, except
// where an option collects them.
//
// # Environment
//
// Every option but the one-off ones is also read from SPOOL_ and its name in
// capitals. An option given as an argument wins; an empty variable counts as
// unset. A switch takes 1, true, yes, on, 0, false, no or off. An option that
// collects values takes one from each line.
//
// # Exit status
//
// 0 done, 1 it failed, 2 usage; another status is carried by an [ExitError].
// Messages go to stderr as "tool: message" and "tool: hint: way out"; nothing
// but help, version and the tool's own data goes to stdout.
//
// The caveat: parsing is done here, before github.com/urfave/cli sees the
// arguments, because its own rules take options after operands, run help for
// an operand of that name and print usage errors to stdout. What is left to it
// is the tree of commands and the order of argument over environment.
package cmdline
