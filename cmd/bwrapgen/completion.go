package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"

	"bwrapgen/templates"
)

// completionCmd is the verb completion.
type completionCmd struct {
	Shell    string   `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
	Launcher []string `sep:"none" placeholder:"NAME" help:"Also complete the options of launchers with this name."`
}

// completions are a script per shell. It asks the hidden verb complete about bwrapgen's own command
// line, and lists the options of launchers.
//
//go:embed completions
var completions embed.FS

// launcherOption is a launcher's option.
type launcherOption struct{ Name, Takes, Help string }

// optionLine is a line of a launcher's help about one or two options.
var optionLine = regexp.MustCompile(`(?m)^ +(--sandbox-[a-z]+)(?:, -([a-z]+))? (?:\[?([A-Z]+)\S*)? *(.*)$`)

// Run prints the script.
func (c completionCmd) Run(a app) error {
	for _, name := range c.Launcher {
		if err := checkName(name); err != nil {
			return err
		}
	}
	help, err := templates.FS.ReadFile("help.txt.tmpl")
	if err != nil {
		return err
	}
	var options []launcherOption
	for _, m := range optionLine.FindAllStringSubmatch(string(help), -1) {
		words, _, _ := strings.Cut(m[4], " {{")
		options = append(options, launcherOption{m[1], m[3], words})
		if m[2] != "" {
			options = append(options, launcherOption{"--sandbox-" + m[2], "", words})
		}
	}
	slices.SortStableFunc(options, func(o, p launcherOption) int { return strings.Compare(o.Name, p.Name) })
	options = slices.CompactFunc(options, func(o, p launcherOption) bool { return o.Name == p.Name })
	functions := template.FuncMap{"quote": shell, "options": func() []launcherOption { return options }}
	return a.artefact(fill(completions, "completions/"+c.Shell+".tmpl", c.Launcher, functions))
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

// completeCmd is the hidden verb complete.
type completeCmd struct {
	Words []string `arg:"" help:"The words after bwrapgen, up to the one that is being typed."`
}

// Run prints the words that can take the place of the last one, each with a tab and what it means;
// :files stands for the names of files.
func (c completeCmd) Run(a app, k *kong.Kong) error {
	words := slices.Clone(c.Words)
	current := strings.TrimPrefix(words[len(words)-1], "=")
	// bash separates --format=json into three words.
	words = slices.DeleteFunc(words[:len(words)-1], func(word string) bool { return word == "=" })
	name, _, hasValue := strings.Cut(current, "=")
	before := ""
	if hasValue {
		words, before = append(words, name), name+"="
	}
	node, about, arguments := k.Model.Node, (*kong.Value)(nil), 0
	for _, word := range words {
		switch i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word }); {
		case about != nil: // the word is its value
			about = nil
		case strings.HasPrefix(word, "-"):
			about = valueOf(node, word)
		case i >= 0:
			node = node.Children[i]
		default:
			arguments++
		}
	}
	var b bytes.Buffer
	offer := func(word, help string) {
		if word != "" && strings.HasPrefix(before+word, current) {
			help, _, _ = strings.Cut(strings.TrimSuffix(help, "."), ". ")
			fmt.Fprintf(&b, "%s\t%s\n", before+word, visible(help))
		}
	}
	switch {
	case about == nil && strings.HasPrefix(current, "-"):
		for _, flag := range slices.Concat(node.AllFlags(true)...) {
			offer("--"+flag.Name, flag.Help)
		}
		return a.artefact(b.Bytes(), nil)
	case about == nil && len(node.Positional) > 0:
		about = node.Positional[min(arguments, len(node.Positional)-1)]
	}
	for _, child := range node.Children {
		if !child.Hidden {
			offer(child.Name, child.Help)
		}
	}
	if about == nil {
		return a.artefact(b.Bytes(), nil)
	}
	for _, word := range about.EnumSlice() {
		offer(word, "")
	}
	var rows [][]string
	var err error
	switch about.Tag.Get("takes") {
	case "profile":
		rows, err = a.listedProfiles()
	case "tool":
		rows, err = a.listedTools()
	case "host":
		rows = [][]string{{"any", "any host, not a certain one"}}
	}
	for _, row := range rows {
		offer(row[0], row[1])
	}
	if about.Enum == "" && about.Tag.Get("takes") != "tool" {
		b.WriteString(":files\n")
	}
	return a.artefact(b.Bytes(), err)
}

// valueOf is the value that the flag takes in its next word; nil: it takes none.
func valueOf(node *kong.Node, word string) *kong.Value {
	for _, flag := range slices.Concat(node.AllFlags(true)...) {
		isIt := word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short)
		if isIt && !flag.IsBool() {
			return flag.Value
		}
	}
	return nil
}
