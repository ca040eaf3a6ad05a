package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"bwrapgen/gen"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// generateCmd is the verb generate.
type generateCmd struct {
	Profile string `arg:"" optional:"" help:"A built-in profile, one of your own, or the path of a file."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the launcher to this file, not to standard output."`
	Name    string `placeholder:"NAME" help:"What the launcher calls itself. Without it, the name of its file, or else of its profile."`
	subject
	All   string `placeholder:"FILE" help:"Write all launchers that this manifest lists."`
	Test  bool   `help:"With --all: try what the profiles expect, after the launchers are written."`
	Check bool   `help:"Write nothing, but show how the file differs from what the profile says."`
	Force bool   `help:"Overwrite a file that bwrapgen did not write, or that was edited by hand."`
}

// Run writes the launcher, or all of a manifest.
func (c generateCmd) Run(a app) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.All != "" {
		return a.generateAll(c)
	}
	r := request{profile: c.Profile, subject: c.subject, name: c.Name, output: toFile(c.Output)}
	r.source = c.command(a.home, r.output)
	if r.output == "" {
		return a.print(r)
	}
	l, err := a.launcher(r, c)
	if err != nil {
		return err
	}
	if c.Check {
		return a.compare(l)
	}
	return a.save(l)
}

// print writes a launcher to standard output.
func (a app) print(r request) error {
	s, err := a.sandbox(r)
	if err != nil {
		return err
	}
	a.reportNotes(r, s.Plan)
	return a.artefact(finished(s.Plan))
}

// reportNotes reports what did not keep a launcher from being made, and the program that it
// starts where this host has none.
func (a app) reportNotes(r request, p plan.Plan) {
	if program := lacking(p.Command); program != "" && len(r.Host) == 0 {
		a.report(cannot("install it, and make the launcher again: it shows what the host had when it was made", "%s is not in PATH here, and the launcher starts it", program))
	}
	for _, note := range p.Notes() {
		a.report(cannot(note.Hint, "%s", note.What))
	}
}

// check refuses flags that contradict each other.
func (c generateCmd) check() error {
	isFile := toFile(c.Output) != ""
	alone := c.Profile+c.Output+c.Name+c.Project == "" && len(c.Host) == 0
	switch {
	case c.Check && c.Force:
		return misuse("leave one of them out", "--check writes nothing, so --force has no use")
	case c.Test && c.All == "":
		return misuse("use bwrapgen test PROFILE", "--test is for --all")
	case c.Test && c.Check:
		return misuse("leave one of them out", "--check writes nothing, so there is nothing to --test")
	case c.All != "" && !alone:
		return misuse("write it into the manifest", "--all takes profile, output, name, host and project from the manifest")
	case c.All != "":
		return nil
	case c.Profile == "":
		return misuse("see bwrapgen profiles list, or bwrapgen init", "generate needs a profile")
	case c.Check && !isFile:
		return misuse("name the launcher with -o FILE", "--check needs a file to compare with")
	case c.Force && !isFile:
		return misuse("leave it out", "--force has no use without -o FILE")
	}
	return nil
}

// command is how the launcher is made again. It holds no home directory, and
// an empty output is standard output.
func (c generateCmd) command(home, output string) string {
	others := slices.DeleteFunc(c.files(), func(name string) bool { return name == "-" })
	if profile.IsFile(c.Profile) {
		others = append(others, c.Profile)
	}
	if c.Project != "" {
		others = append(others, c.Project)
	}
	at := placeFor(home, output, others)
	words := []string{"bwrapgen", "generate", at.profile(c.Profile)}
	for _, name := range c.Host {
		words = append(words, "--host", at.host(name))
	}
	if c.Project != "" {
		words = append(words, "--project", at.show(c.Project))
	}
	if c.Name != "" {
		words = append(words, "--name", shell(c.Name))
	}
	if output != "" {
		words = append(words, "-o", at.show(output))
	}
	return strings.Join(words, " ")
}

func finished(p plan.Plan) ([]byte, error) {
	text, err := gen.Launcher(p)
	if err != nil {
		return nil, err
	}
	return checksum.Add(text), nil
}

// launcher makes a launcher for a file, if it may take its place. Only one that is to be
// compared may lie in a directory that does not exist.
func (a app) launcher(r request, c generateCmd) (launcher, error) {
	l := launcher{request: r, target: target{name: r.output}}
	_, gone := os.Stat(r.output)
	var err error
	if !c.Check || !errors.Is(gone, fs.ErrNotExist) {
		if l.target, err = openTarget(r.output); err != nil {
			return l, err
		}
	}
	if l.sandbox, err = a.sandbox(r); err != nil {
		return l, err
	}
	if l.Script, err = finished(l.Plan); err != nil {
		return l, err
	}
	for _, name := range append(l.inputs, r.manifest) {
		if l.is(a.expand(name)) {
			return l, cannot("choose another name for the output", "input and output are the same file: %q and %q", a.expand(name), r.output)
		}
	}
	if c.Check {
		return l, nil
	}
	return l, l.refuse(c.Force)
}

// lacking gives the program that a command begins with, if PATH has none of that name.
func lacking(command []string) string {
	if len(command) == 0 || strings.Contains(command[0], "/") {
		return ""
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return command[0]
	}
	return ""
}

// checkName refuses what is no name for a launcher: it stands in messages, and
// is a part of the name of its store.
func checkName(name string) error {
	bad := func(what string) error {
		return misuse("name the launcher with --name", "%s: %q", what, name)
	}
	switch {
	case name == "", name == ".", name == "..":
		return bad("not a name for a launcher")
	case strings.HasPrefix(name, "-"):
		return bad("a launcher's name cannot begin with a dash")
	case strings.Contains(name, "/"):
		return bad("a launcher's name cannot hold a slash")
	case len(name) > maxName:
		return bad("a launcher's name cannot be that long")
	case strings.IndexFunc(name, invisible) >= 0:
		return bad("a launcher's name cannot hold a character that is not visible")
	}
	return nil
}

const maxName = 200 // a file name holds 255 bytes, and the store's has a number behind it

func invisible(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
