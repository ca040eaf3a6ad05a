package main

import (
	"bytes"
	"cmp"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// completionCmd is the verb completion.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// completions are those of bwrapgen, made of its grammar, and those of launchers, which are
// the same for all: a launcher's own first lines say what options it has. Names of profiles
// and tools are asked for when they are wanted, so that one's own are among them.
//
//go:embed completions
var completions embed.FS

// Run prints the completions: the grammar itself says what there is.
func (c completionCmd) Run(a app, k *kong.Kong) error {
	name := "completions/bwrapgen." + c.Shell + ".tmpl"
	return a.artefact(fill(completions, name, verbs(k.Model.Node, ""), c.functions()))
}

// fill executes a template.
func fill(files fs.FS, name string, data any, functions template.FuncMap) ([]byte, error) {
	t, err := template.New(path.Base(name)).Funcs(functions).ParseFS(files, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (c completionCmd) functions() template.FuncMap {
	return template.FuncMap{
		"launchers": func() (string, error) {
			text, err := completions.ReadFile("completions/launcher." + c.Shell)
			return string(text), err
		},
		"quote": shell,
		"join":  strings.Join,
		"short": func(f *kong.Flag) string { return strings.Trim(string(f.Short), "\x00") },
		"plain": func(help string) string { // the first sentence, without the full stop
			first, _, _ := strings.Cut(help, ". ")
			first, _, _ = strings.Cut(first, ";")
			return strings.TrimSuffix(first, ".")
		},
	}
}

// verb is a command, with what can stand behind it.
type verb struct {
	Name  string   // "catalogue show"; empty: bwrapgen itself
	Typed string   // the command before it, and its own word: " catalogue", "catalogue show"
	Words []string // subcommands or fixed values
	Takes string   // what its argument is, as its tag says: "profile", "tool", "file" or nothing
	Flags []*kong.Flag
}

// verbs lists a node of the grammar, and those below it.
func verbs(n *kong.Node, above string) []verb {
	v := verb{Flags: slices.Concat(n.AllFlags(true)...)}
	if n.Type == kong.CommandNode {
		v.Typed = above + " " + n.Name
		v.Name = strings.TrimSpace(v.Typed)
	}
	for _, p := range n.Positional {
		switch {
		case p.Enum != "":
			v.Words = append(v.Words, p.EnumSlice()...)
		case v.Takes != "profile":
			v.Takes = cmp.Or(p.Tag.Get("takes"), "file")
		}
	}
	var all []verb
	for _, child := range n.Children {
		if !child.Hidden {
			v.Words = append(v.Words, child.Name)
			all = append(all, verbs(child, v.Name)...)
		}
	}
	return append([]verb{v}, all...)
}
