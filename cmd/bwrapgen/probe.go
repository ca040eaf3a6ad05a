package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
)

// probeCmd is the verb probe.
type probeCmd struct {
	Profile []string `arg:"" optional:"" help:"Also look for what these profiles list."`
	Output  string   `short:"o" placeholder:"FILE" help:"Write the facts to this file, as JSON."`
	Project string   `placeholder:"DIR" help:"Look for tools in this project, not in the working directory."`
	JSON    bool     `help:"Print JSON on a terminal, too."`
}

// Help is the longer help.
func (probeCmd) Help() string {
	return `The facts are what generate, explain and the other verbs read with --host, to make a launcher for a machine that is not at hand. They hold paths and the home directory's name, and of what stands in files only which others and which programs git's settings name. On a terminal they are printed as a table, with the sizes of the caches.`
}

// Run prints the host's facts.
func (c probeCmd) Run(a app) error {
	all, q, err := a.allQuestions(c.Profile)
	if err != nil {
		return err
	}
	if q.Project, err = projectDirectory(c.Project); err != nil {
		return err
	}
	toFile := c.Output != "" && c.Output != "-"
	table := a.table && !c.JSON && c.Output == ""
	if table {
		q.Sizes = cachePaths(all)
	}
	t := target{}
	if toFile {
		if t, err = openFacts(c.Output); err != nil {
			return err
		}
	}
	facts, err := a.ask(q)
	switch {
	case err != nil:
		return err
	case toFile:
		return t.write(facts.JSON())
	case table:
		return a.artefact(factsTable(a, all, facts))
	}
	return a.artefact(facts.JSON())
}

// openFacts refuses to replace a file that holds something else.
func openFacts(name string) (target, error) {
	t, err := openTarget(name)
	if err != nil || !t.exists {
		return t, err
	}
	if _, err := host.Read(t.old); err != nil {
		return t, cannot("choose another name, or remove it",
			"refusing to overwrite %q: it holds no facts about a host", name)
	}
	return t, nil
}

// allQuestions is what any built-in profile would like to know, and those that
// are named.
func (a app) allQuestions(named []string) (catalogue.Catalogue, host.Question, error) {
	all, _, err := a.catalogue()
	if err != nil {
		return all, host.Question{}, err
	}
	q := host.Question{Programs: true}
	for _, name := range append(a.loader().Names(), named...) {
		p, _, err := a.profile(name)
		if err != nil {
			return all, q, err
		}
		tools := all
		if len(p.Toolchains.Files) > 0 {
			if tools, _, err = a.catalogue(p.Toolchains.Files...); err != nil {
				return all, q, err
			}
		}
		q = q.Merge(plan.Questions(p, tools))
	}
	for _, t := range all.Tools {
		q = q.Merge(host.Question{Paths: places(t), Variables: t.Variables(), Markers: t.Markers})
	}
	return all, q, nil
}

// places are the paths of a tool that a sandbox may show.
func places(t catalogue.Tool) []expr.Path {
	var all []expr.Path
	for _, e := range slices.Concat(t.Toolchain, t.Path, t.Read, t.Settings(), t.Caches) {
		if !e.Glob() {
			all = append(all, e.Path)
		}
	}
	return all
}

func cachePaths(c catalogue.Catalogue) []expr.Path {
	var all []expr.Path
	for _, t := range c.Tools {
		for _, e := range t.Caches {
			all = append(all, e.Path)
		}
	}
	return all
}

// factsTable says which tools there are, where, and what becomes of them.
func factsTable(a app, c catalogue.Catalogue, f host.Facts) []byte {
	rows := [][]string{{"TOOL", "WHAT, WHERE AND HOW IN A SANDBOX"}}
	var absent []string
	for _, t := range c.Tools {
		found := len(rows)
		rows = append(rows, toolRows(a, t, f)...)
		if len(rows) == found && len(places(t)) > 0 {
			absent = append(absent, t.Name)
		}
	}
	text := a.list(append(rows, programRows(f)...))
	if len(absent) > 0 {
		text = append(text, '\n')
		for _, line := range wrapped("Not here: "+strings.Join(absent, ", "), screen) {
			text = append(text, line+"\n"...)
		}
	}
	return text
}

func toolRows(a app, t catalogue.Tool, f host.Facts) [][]string {
	var rows [][]string
	const overlaid = "overlaid; the host's does not change"
	add := func(list []catalogue.Entry, what, treated string) {
		for _, e := range list {
			if fact, ok := f.Has(e.Path); ok {
				at, _ := e.Path.Eval(f.Environment(""))
				treated := treated
				if what == "toolchain" && e.NeedsWrite == catalogue.NeedYes {
					treated = overlaid
				}
				where := what + " " + visible(a.shorten(at))
				if name := mover(e.Path, f); name != "" {
					where += ", by " + name
				}
				if n := size(fact); n != "" {
					where += ", " + n
				}
				rows = append(rows, []string{t.Name, where + ": " + treated})
			}
		}
	}
	add(t.Toolchain, "toolchain", "read-only")
	add(t.Caches, "cache", overlaid)
	add(t.Settings(), "settings", "read-only; a file that holds a login or sets variables is left out")
	found := len(rows)
	add(t.Read, "settings", "read-only")
	if n := len(rows) - found; n > 3 {
		rows = append(rows[:found], []string{t.Name, fmt.Sprintf("settings in %d places: read-only", n)})
	}
	return rows
}

func programRows(f host.Facts) [][]string {
	row := func(name string, p host.Program) []string {
		if p.Path == "" {
			return []string{name, "program, not found"}
		}
		return []string{name, "program " + p.Path + ", " + cmp.Or(p.Version, "of unknown version")}
	}
	return [][]string{row("bwrap", f.Bwrap), row("bash", f.Bash), row("env", f.Env)}
}

// mover is the variable that decides where the path is.
func mover(p expr.Path, f host.Facts) string {
	for _, name := range p.Variables() {
		if f.Variables[name] != "" {
			return name
		}
	}
	return ""
}

// size prints a number of bytes as people like it.
func size(f host.PathFact) string {
	if f.Size == 0 {
		return ""
	}
	n, unit := float64(f.Size), 0
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for n >= 1024 && unit < len(units)-1 {
		n, unit = n/1024, unit+1
	}
	text := fmt.Sprintf("%.3g %s", n, units[unit])
	if f.Bound {
		text = "over " + text
	}
	return text
}
