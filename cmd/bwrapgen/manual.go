package main

import (
	"embed"
	"slices"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"

	"bwrapgen/gen/profile"
)

// manualPages are Markdown, which profiles/README.md shows. .ci/install renders them as man pages.
//
//go:embed man/*.md
var manualPages embed.FS

// manualCmd is the hidden verb manual. Packages are made with it.
type manualCmd struct {
	Page string `arg:"" enum:"bwrapgen.1,bwrapgen.toml.5,launcher.7" help:"bwrapgen.1, bwrapgen.toml.5 or launcher.7."`
}

// Run prints the page as Markdown.
func (c manualCmd) Run(a app, k *kong.Kong) error {
	return a.artefact(fill(manualPages, "man/"+c.Page+".md", nil, template.FuncMap{
		"verbs":    func() []*kong.Node { return k.Model.Node.Leaves(true) },
		"rows":     argumentRows,
		"argument": argument,
		"keys":     keys,
		"code":     func(text string) string { return "`" + cell(text) + "`" },
		"cell":     cell,
	}))
}

// cell keeps a text in its cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// keys tells of the profile's keys, or of those of a path.
func keys(ofPath bool) ([]profile.KeyDoc, error) {
	all, err := profile.Reference()
	var chosen []profile.KeyDoc
	for _, d := range all {
		name, isOfPath := strings.CutPrefix(d.Key, "entry.")
		if d.Key = name; isOfPath == ofPath {
			chosen = append(chosen, d)
		}
	}
	return chosen, err
}

// argumentRows are the arguments and flags of a command, and what they mean.
func argumentRows(n *kong.Node) [][2]string {
	var rows [][2]string
	for _, p := range n.Positional {
		rows = append(rows, [2]string{argument(p), p.Help})
	}
	for _, f := range slices.Concat(n.AllFlags(true)...) {
		if f.Name != "help" && f.Name != "version" {
			rows = append(rows, [2]string{flagWords(f), f.Help})
		}
	}
	return rows
}

// argument is how a positional argument is written.
func argument(p *kong.Positional) string {
	name := strings.ToUpper(p.Name)
	if p.IsCumulative() {
		name += "..."
	}
	if !p.Required {
		name = "[" + name + "]"
	}
	return name
}

// flagWords is how a flag is written.
func flagWords(f *kong.Flag) string {
	text := "--" + f.Name
	if f.Short != 0 {
		text = "-" + string(f.Short) + ", " + text
	}
	if !f.IsBool() {
		text += " " + f.FormatPlaceHolder()
	}
	return text
}
