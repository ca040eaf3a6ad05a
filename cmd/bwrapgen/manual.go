package main

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"

	"bwrapgen/gen/profile"
)

// manualPages are Markdown: what profiles/README.md shows, and what man pages are
// made of.
//
//go:embed man/*.md
var manualPages embed.FS

// manualCmd is the hidden verb manual. Packages are made with it.
type manualCmd struct {
	Page   string `arg:"" enum:"bwrapgen.1,bwrapgen.toml.5,launcher.7" help:"bwrapgen.1, bwrapgen.toml.5 or launcher.7."`
	Format string `enum:"roff,markdown" default:"roff" placeholder:"FORMAT" help:"roff, for man; or markdown."`
}

// Run prints the page.
func (c manualCmd) Run(a app, k *kong.Kong) error {
	text, err := manual(c.Page, k.Model.Node)
	if err != nil {
		return err
	}
	if c.Format == "roff" {
		text = roff(text)
	}
	return a.artefact([]byte(text))
}

// manual is a page as Markdown.
func manual(page string, grammar *kong.Node) (string, error) {
	all, err := profile.Reference()
	if err != nil {
		return "", err
	}
	text, err := fill(manualPages, "man/"+page+".md", nil, template.FuncMap{
		"verbs":   func() string { return describe(grammar, "bwrapgen") },
		"keys":    func() string { return keyTable(all, false) },
		"entries": func() string { return keyTable(all, true) },
	})
	return string(text), err
}

// keyTable is a table of the profile's keys, or of those of a path.
func keyTable(all []profile.KeyDoc, entries bool) string {
	var b strings.Builder
	b.WriteString("| key | type | default | meaning | example |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range all {
		name, entry := strings.CutPrefix(d.Key, "entry.")
		if entry != entries {
			continue
		}
		usual := d.Default
		if usual != "" {
			usual = code(usual)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(name), cell(d.Type), usual, cell(d.Meaning), code(d.Example))
	}
	return b.String()
}

// code is a word of code in Markdown.
func code(text string) string { return "`" + cell(text) + "`" }

// cell keeps a text in its cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// describe tells of all commands below a node of the grammar.
func describe(n *kong.Node, name string) string {
	var b strings.Builder
	for _, child := range n.Children {
		path := name + " " + child.Name
		switch {
		case child.Hidden:
		case len(child.Children) > 0:
			b.WriteString(describe(child, path))
		default:
			describeOne(&b, child, path)
		}
	}
	return b.String()
}

// describeOne tells of one command; an empty line follows.
func describeOne(b *strings.Builder, n *kong.Node, path string) {
	fmt.Fprintf(b, "### %s\n\n%s\n\n", path, n.Help)
	var rows []string
	usage := path
	for _, p := range n.Positional {
		usage += " " + argument(p)
		rows = append(rows, fmt.Sprintf("| %s | %s |\n", code(argument(p)), cell(p.Help)))
	}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			if f.Name != "help" && f.Name != "version" {
				rows = append(rows, fmt.Sprintf("| %s | %s |\n", code(flagWords(f)), cell(f.Help)))
			}
		}
	}
	fmt.Fprintf(b, "    %s\n\n", usage)
	if len(rows) > 0 {
		fmt.Fprintf(b, "| argument | meaning |\n| --- | --- |\n%s\n", strings.Join(rows, ""))
	}
	if n.Detail != "" {
		fmt.Fprintf(b, "%s\n\n", strings.TrimSpace(n.Detail))
	}
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
