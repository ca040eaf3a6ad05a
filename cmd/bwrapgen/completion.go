package main

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// completionCmd is the verb completion.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is the longer help.
func (completionCmd) Help() string {
	return `One of these lines, in ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish, completes bwrapgen's command line, and the options of every launcher:

    source <(bwrapgen completion bash)
    source <(bwrapgen completion zsh)
    bwrapgen completion fish | source

In bash it stands behind what loads bash-completion, in zsh behind compinit.`
}

// completions are those of bwrapgen, made of its grammar, and those of launchers, which are
// the same for all: a launcher's own first lines say what options it has. Names of profiles
// and tools are asked for when they are wanted, so that one's own are among them.
//
//go:embed completions
var completions embed.FS

// Run prints the completions: the grammar itself says what there is.
func (c completionCmd) Run(a app, k *kong.Kong) error {
	text, err := fill(completions, "completions/bwrapgen."+c.Shell+".tmpl", verbs(k.Model.Node, nil), c.functions())
	if err != nil {
		return err
	}
	return a.artefact(text)
}

// fill executes a template.
func fill(files fs.FS, name string, data any, functions template.FuncMap) ([]byte, error) {
	t, err := template.New(path.Base(name)).Funcs(functions).ParseFS(files, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

func (c completionCmd) functions() template.FuncMap {
	return template.FuncMap{
		"launchers": func() (string, error) {
			text, err := completions.ReadFile("completions/launcher." + c.Shell)
			return string(text), err
		},
		"quote": shell,
		"join":  strings.Join,
		"parent": func(name string) string {
			parent, _ := cutLast(name)
			return parent
		},
		"last": func(name string) string {
			_, last := cutLast(name)
			return last
		},
		"options": func(v verb) string {
			var all []string
			for _, f := range v.Flags {
				all = append(all, f.Long, f.Short)
			}
			return strings.Join(strings.Fields(strings.Join(all, " ")), " ")
		},
	}
}

// cutLast splits a command at its last word.
func cutLast(name string) (parent, last string) {
	if at := strings.LastIndexByte(name, ' '); at >= 0 {
		return name[:at], name[at+1:]
	}
	return "", name
}

// verb is a command, with what can stand behind it.
type verb struct {
	Name  string // "catalogue show"; empty: bwrapgen itself
	Help  string
	Words []string // subcommands or fixed values
	Takes string   // what its argument is: "profile", "tool", "file" or nothing
	Flags []option
}

type option struct {
	Long, Short, Help string
	Value             bool     // something follows
	Values            []string // of a closed list
}

// verbs lists a node of the grammar, and those below it.
func verbs(n *kong.Node, path []string) []verb {
	v := verb{Name: strings.Join(path, " "), Help: plainHelp(n.Help)}
	for _, f := range n.AllFlags(true) {
		for _, one := range f {
			v.Flags = append(v.Flags, optionOf(one))
		}
	}
	for _, p := range n.Positional {
		if p.Enum != "" {
			v.Words = append(v.Words, p.EnumSlice()...)
		}
		if v.Takes == "" || v.Takes == "file" {
			v.Takes = takes(v.Name, p.Name)
		}
	}
	var all []verb
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		v.Words = append(v.Words, child.Name)
		all = append(all, verbs(child, append(path[:len(path):len(path)], child.Name))...)
	}
	return append([]verb{v}, all...)
}

func takes(command, argument string) string {
	switch {
	case argument == "profile", command == "profiles show", command == "diff":
		return "profile"
	case command == "catalogue show":
		return "tool"
	case argument == "shell":
		return ""
	}
	return "file"
}

func optionOf(f *kong.Flag) option {
	one := option{Long: "--" + f.Name, Help: plainHelp(f.Help), Value: !f.IsBool()}
	if f.Short != 0 {
		one.Short = "-" + string(f.Short)
	}
	if f.Enum != "" {
		one.Values = f.EnumSlice()
	}
	return one
}

// plainHelp is the first sentence, without the full stop.
func plainHelp(help string) string {
	first, _, _ := strings.Cut(help, ". ")
	first, _, _ = strings.Cut(first, ";")
	return strings.TrimSuffix(first, ".")
}
