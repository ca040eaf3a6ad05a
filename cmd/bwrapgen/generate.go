package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"unicode"

	"bwrapgen/gen"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/plan"
)

// generateCmd is the verb generate.
type generateCmd struct {
	wanted
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
	r, err := a.again(c)
	if err != nil {
		return err
	}
	if r.Output == "" {
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

// again is the request of a command line. A launcher in the place of a profile is made again.
func (a app) again(c generateCmd) (request, error) {
	r := request{wanted: c.wanted}
	r.Output = toFile(c.Output)
	script, isScript := a.launcherNamed(c.Profile)
	if !isScript {
		return r, nil
	}
	if c.Output+c.Name+c.Project != "" || len(c.Host) > 0 {
		return r, misuse("leave them out, or name its profile", "%q is a launcher, which is made again as its second line says: -o, --name, --host and --project have no use", c.Profile)
	}
	r, err := a.madeBy(a.expand(c.Profile), script)
	r.Output = a.expand(c.Profile)
	return r, err
}

// print writes a launcher to standard output.
func (a app) print(r request) error {
	s, err := a.sandbox(r)
	if err != nil {
		return err
	}
	a.reportNotes(r, s.Plan)
	return a.artefact(finished(s))
}

// reportNotes reports what did not keep a launcher from being made, and the program that it
// starts where this host has none.
func (a app) reportNotes(r request, p plan.Plan) {
	if program := lacking(p.Command); program != "" && len(r.Host) == 0 {
		a.report(cannot("install it, and make the launcher again: it shows what the host had when it was made", "%s is not in PATH here, and the launcher starts it", program))
	}
	for _, note := range p.Notes() {
		a.report(note)
	}
}

// check refuses flags that contradict each other.
func (c generateCmd) check() error {
	isFile := toFile(c.Output) != "" || strings.Contains(c.Profile, "/") // it may be a launcher
	ofOne := c.Profile+c.Output+c.Name+c.Project != "" || len(c.Host) > 0
	return firstClash([]clash{
		{c.Check && c.Force, "leave one of them out", "--check writes nothing, so --force has no use"},
		{c.Test && c.All == "", "use bwrapgen test PROFILE", "--test is for --all"},
		{c.Test && c.Check, "leave one of them out", "--check writes nothing, so there is nothing to --test"},
		{c.All != "" && ofOne, "write it into the manifest", "--all takes profile, output, name, host and project from the manifest"},
		{c.All+c.Profile == "", "see bwrapgen profiles list, or bwrapgen init", "generate needs a profile"},
		{c.Check && c.All == "" && !isFile, "name the launcher with -o FILE", "--check needs a file to compare with"},
		{c.Force && c.All == "" && !isFile, "leave it out", "--force has no use without -o FILE"},
	})
}

// command is how the launcher is made again. It holds no home directory.
func (w wanted) command(home string) string {
	var paths []string
	w.moved(func(path string) string {
		paths = append(paths, path)
		return path
	})
	w = w.moved(placeFor(home, w.Output, paths).text)
	words := []string{"bwrapgen", "generate", pathWord(w.Profile)}
	for _, name := range w.Host {
		words = append(words, "--host", pathWord(name))
	}
	if w.Project != "" {
		words = append(words, "--project", pathWord(w.Project))
	}
	if w.Name != "" {
		words = append(words, "--name", shell(w.Name))
	}
	if w.Output != "" {
		words = append(words, "-o", pathWord(w.Output))
	}
	return strings.Join(words, " ")
}

func finished(s sandbox) ([]byte, error) {
	text, err := gen.Launcher(s.Plan)
	if err != nil {
		return nil, err
	}
	return checksum.Add(text, s.written), nil
}

// launcher makes a launcher for a file, if it may take its place. Only one that is to be
// compared may lie in a directory that does not exist.
func (a app) launcher(r request, c generateCmd) (launcher, error) {
	l := launcher{request: r, target: target{name: r.Output}}
	_, gone := os.Stat(r.Output)
	var err error
	if !c.Check || !errors.Is(gone, fs.ErrNotExist) {
		if l.target, err = openTarget(r.Output); err != nil {
			return l, err
		}
	}
	if l.sandbox, err = a.sandbox(r); err != nil {
		return l, err
	}
	if l.Script, err = finished(l.sandbox); err != nil {
		return l, err
	}
	for _, name := range l.inputs {
		if l.is(a.expand(name)) {
			return l, cannot("choose another name for the output", "input and output are the same file: %q and %q", a.expand(name), r.Output)
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
	case strings.ContainsFunc(name, invisible):
		return bad("a launcher's name cannot hold a character that is not visible")
	}
	return nil
}

const maxName = 200 // a file name holds 255 bytes, and the store's has a number behind it

func invisible(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
