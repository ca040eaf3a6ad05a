package main

import (
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
)

// probeCmd is the verb probe.
type probeCmd struct {
	Profile []string `arg:"" optional:"" takes:"profile" help:"Also look for what these profiles list."`
	Output  string   `short:"o" placeholder:"FILE" help:"Write the facts to this file, as JSON."`
	Project string   `placeholder:"DIR" help:"Look for tools in this project, not in the working directory."`
	Format  string   `enum:"text,json," default:"" placeholder:"FORMAT" help:"text, a table; or json. Without it, a table on a terminal, and JSON elsewhere."`
}

// Run prints the host's facts.
func (c probeCmd) Run(a app) error {
	if c.Format == "text" && c.Output != "" {
		return misuse("leave one of them out", "--output writes JSON, not text")
	}
	all, q, err := a.allQuestions(c.Profile)
	if err != nil {
		return err
	}
	if q.Project, err = projectDirectory(c.Project); err != nil {
		return err
	}
	var t target
	output := toFile(c.Output)
	if output != "" {
		if t, err = openFacts(output); err != nil {
			return err
		}
	}
	isTable := c.Format == "text" || c.Format == "" && a.table && c.Output == ""
	if isTable {
		for _, t := range all.Tools {
			q.Sizes = append(q.Sizes, pathsOf(t.Caches)...)
		}
	}
	facts, err := a.ask(q)
	switch {
	case err != nil:
		return err
	case output != "":
		return t.write(facts.JSON())
	case isTable:
		return a.artefact(a.factsTable(all, facts), nil)
	}
	return a.artefact(facts.JSON(), nil)
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
		tools, _, err := a.catalogue(p.Toolchains.Files...)
		if err != nil {
			return all, q, err
		}
		q = q.Merge(plan.Questions(p, tools))
	}
	for _, t := range all.Tools {
		q = q.Merge(host.Question{Paths: placesOf(t), Variables: t.Variables(), Markers: t.Markers})
	}
	return all, q, nil
}

// placesOf are the paths of a tool that a sandbox shows, if it is asked to.
func placesOf(t catalogue.Tool) []expr.Path {
	return pathsOf(slices.Concat(t.Toolchain, t.Path, t.Read, t.Settings(), t.Caches))
}

// pathsOf are the paths of entries that are no patterns.
func pathsOf(entries []catalogue.Entry) []expr.Path {
	var all []expr.Path
	for _, e := range entries {
		if !e.Glob() {
			all = append(all, e.Path)
		}
	}
	return all
}
