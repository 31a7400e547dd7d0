package cmdline

import (
	"strings"
)

// A request is what the arguments ask for, besides what the options hold.
type request int

const (
	requestRun request = iota
	requestHelp
	requestVersion
)

// parsed is one command's share of the arguments, in order.
type parsed struct {
	want     request
	options  []string // each "--name" or "--name=value", long and declared
	operands []string // not touched
}

// parse splits args (without the tool's name) by the rules in the package's
// documentation. It stops at --help and --version: what comes before them has
// to be right, what comes after is not looked at.
func parse(options []Option, args []string) (parsed, error) {
	var p parsed
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg == "--":
			p.operands = args[1:]
			return p, nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			p.operands = args
			return p, nil
		case arg == "--help":
			p.want = requestHelp
			return p, nil
		case arg == "--version":
			p.want = requestVersion
			return p, nil
		}
		var err error
		if strings.HasPrefix(arg, "--") {
			args, err = p.long(options, args)
		} else {
			args, err = p.letters(options, args)
		}
		if err != nil {
			return parsed{}, err
		}
	}
	return p, nil
}

// long takes the long option at args[0] and returns what follows it.
func (p *parsed) long(options []Option, args []string) ([]string, error) {
	name, value, given := strings.Cut(args[0][2:], "=")
	o, ok := find(options, name)
	switch {
	case !ok && given && (name == "help" || name == "version"):
		return nil, Usagef("option --%s takes no value", name)
	case !ok:
		return nil, unknownOption("--"+name, suggestOption(options, name))
	case o.isSwitch() && given:
		return nil, Usagef("option --%s takes no value", name)
	case o.isSwitch():
		p.add(o, "")
		return args[1:], nil
	case given:
		p.add(o, value)
		return args[1:], nil
	case len(args) == 1:
		return nil, Usagef("option --%s needs a value: --%s %s", name, name, o.Arg)
	}
	p.add(o, args[1])
	return args[2:], nil
}

// letters takes the cluster of short options at args[0] and returns what
// follows it.
func (p *parsed) letters(options []Option, args []string) ([]string, error) {
	cluster := args[0][1:]
	for i := range len(cluster) {
		o, ok := findLetter(options, cluster[i])
		switch {
		case !ok:
			return nil, unknownOption(args[0], suggestOption(options, cluster))
		case o.isSwitch():
			p.add(o, "")
		case i+1 < len(cluster):
			p.add(o, cluster[i+1:])
			return args[1:], nil
		case len(args) == 1:
			return nil, Usagef("option -%c needs a value: -%c %s", o.Letter, o.Letter, o.Arg)
		default:
			p.add(o, args[1])
			return args[2:], nil
		}
	}
	return args[1:], nil
}

func (p *parsed) add(o Option, value string) {
	if o.isSwitch() {
		p.options = append(p.options, "--"+o.Name)
		return
	}
	p.options = append(p.options, "--"+o.Name+"="+value)
}

// lateOption returns the first operand that would have been an option before
// the operands; "" for none.
func (c *Call) lateOption() string {
	if c.foreign {
		return ""
	}
	for _, arg := range c.Args {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(arg, "=")
		for _, b := range c.bindings {
			if name == "--"+b.option.Name || len(arg) > 1 && arg[0] == '-' && arg[1] == b.option.Letter {
				return name
			}
		}
		if name == "--help" || name == "--version" {
			return name
		}
	}
	return ""
}

func unknownOption(given, meant string) error {
	e := &UsageError{Message: "unknown option " + quote(given)}
	if meant != "" {
		e.Advice = "did you mean --" + meant + "?"
	}
	return e
}

// suggestOption returns the long name that given was likely meant to be, or "".
func suggestOption(options []Option, given string) string {
	names := []string{"help", "version"}
	for _, o := range options {
		names = append(names, o.Name)
	}
	return suggest(names, given)
}

// suggest returns the one of names that given is a beginning of, or at most
// two typing errors away from; "" where none is or two are.
func suggest(names []string, given string) string {
	best, bestCost, tied := "", 3, false
	for _, name := range names {
		cost := distance(given, name)
		if len(given) > 1 && strings.HasPrefix(name, given) {
			cost = min(cost, 1)
		}
		switch {
		case cost > 2 || cost >= len(name):
		case cost < bestCost:
			best, bestCost, tied = name, cost, false
		case cost == bestCost:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// distance returns how many typing errors make one name of the other: a character
// too many, too few, wrong, or two exchanged. Where the lengths alone tell that it
// is much, so is the answer.
func distance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return max(len(a), len(b))
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := row[j]
			if a[i] != b[j] {
				cost++
			}
			next[j+1] = min(cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
