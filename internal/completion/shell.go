package completion

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"
)

//go:embed bash.tmpl
var bashTemplate string

//go:embed zsh.tmpl
var zshTemplate string

//go:embed fish.tmpl
var fishTemplate string

// Files returns the completions by their path below the directory of
// completions. topics are those of every tool, each tool before its commands.
func Files(topics []Topic) (map[string]string, error) {
	var tools []string
	for _, t := range topics {
		if t.Tool() == t.Name {
			tools = append(tools, t.Name)
		}
	}
	all := set{tools, topics}
	files := map[string]string{}
	var err error
	if files["bash/spool"], err = render(bashTemplate, all); err != nil {
		return nil, err
	}
	if files["zsh/_spool"], err = render(zshTemplate, all); err != nil {
		return nil, err
	}
	for _, tool := range tools {
		one := set{Tools: []string{tool}}
		for _, t := range topics {
			if t.Tool() == tool {
				one.Topics = append(one.Topics, t)
			}
		}
		if files["fish/"+tool+".fish"], err = render(fishTemplate, one); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// A set is what one file completes.
type set struct {
	Tools  []string
	Topics []Topic
}

// HasKind reports whether a value or operand of that kind is completed.
func (s set) HasKind(k Kind) bool {
	return slices.ContainsFunc(s.Topics, func(t Topic) bool {
		return t.Operand == k || slices.ContainsFunc(t.Options, func(o Option) bool { return o.Kind == k })
	})
}

func render(text string, data any) (string, error) {
	funcs := template.FuncMap{
		"join": strings.Join, "function": function,
		"spec": zshSpec, "describe": zshDescribe, "fish": fishQuote, "fishValue": fishValue,
	}
	t, err := template.New("").Funcs(funcs).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, data)
	return b.String(), err
}

// Tool returns the tool that the topic belongs to.
func (t Topic) Tool() string {
	tool, _, _ := strings.Cut(t.Name, " ")
	return tool
}

// Command returns the command that the topic is, "" for the tool itself.
func (t Topic) Command() string {
	_, command, _ := strings.Cut(t.Name, " ")
	return command
}

// Table returns the options as rows of --name, or --name=VALUE where VALUE is
// words and @kind, divided by bars.
func (t Topic) Table() []string {
	var rows []string
	for _, o := range t.Options {
		value := ""
		if o.Valued() {
			parts := o.Words
			if o.Kind != Nothing {
				parts = append(slices.Clip(parts), "@"+string(o.Kind))
			}
			value = "=" + strings.Join(parts, "|")
		}
		rows = append(rows, "--"+o.Name+value)
		if o.Letter != "" {
			rows = append(rows, "-"+o.Letter+value)
		}
	}
	return rows
}

// Valued returns the options that take a value, as they are typed.
func (t Topic) Valued() []string {
	var names []string
	for _, o := range t.Options {
		if !o.Valued() {
			continue
		}
		names = append(names, "--"+o.Name)
		if o.Letter != "" {
			names = append(names, "-"+o.Letter)
		}
	}
	return names
}

// function returns a name that every shell takes for a function's.
func function(name string) string { return strings.NewReplacer(" ", "_", "-", "_").Replace(name) }

// quote returns s as one word of bash and zsh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, `'`, `'\''`) + "'" }
