package main

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"text/template"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// initCmd is the verb init.
type initCmd struct {
	Dir    string `arg:"" optional:"" help:"The project. Without it, the working directory."`
	Output string `short:"o" placeholder:"FILE" help:"Write the profile to this file, which must not exist."`
}

// Run prints a profile for the tools that the project's files show.
func (c initCmd) Run(a app) error {
	dir, err := a.project(profile.RootGit, c.Dir) // where generate will look
	if err != nil {
		return err
	}
	all, _, err := a.catalogue()
	if err != nil {
		return err
	}
	var q host.Question
	for _, t := range all.Tools {
		q.Markers = append(q.Markers, t.Markers...)
	}
	q.Project = dir
	for _, t := range agents(all) {
		q.Paths = append(q.Paths, pathsOf(t.Project)...)
	}
	facts, err := a.ask(q)
	if err != nil {
		return err
	}
	agents, unprotected, err := a.agents(all, facts)
	if err != nil {
		return err
	}
	name := path.Base(cmp.Or(toFile(c.Output), "box.toml"))
	text, err := fill(draftPage, "init.toml.tmpl", map[string]any{
		"Profile": shell(name), "Launcher": shell(strings.TrimSuffix(name, ".toml")),
		"Tools": marked(all, facts.Markers), "Agents": agents, "Protect": unprotected, "Hide": hidden(all, dir),
	}, template.FuncMap{"quote": source.Quote})
	if err != nil {
		return err
	}
	if err := a.newFile(c.Output, text); err != nil || toFile(c.Output) == "" {
		return err
	}
	launcher := strings.TrimSuffix(c.Output, ".toml")
	a.line("next: ", "", fmt.Sprintf("look at %s, then: bwrapgen generate %s -o %s", visible(c.Output), shell(c.Output), shell(launcher)))
	return nil
}

//go:embed init.toml.tmpl
var draftPage embed.FS

// evidence is a tool and the files that show it; of an agent, with its built-in profile.
type evidence struct{ Tool, Files, Profile string }

// marked lists the tools whose markers the project has.
func marked(c catalogue.Catalogue, names []string) []evidence {
	var all []evidence
	for _, t := range c.Tools {
		var files []string
		for _, name := range names {
			if slices.ContainsFunc(t.Markers, func(m string) bool { ok, _ := path.Match(m, name); return ok }) {
				files = append(files, visible(name))
			}
		}
		if files != nil {
			all = append(all, evidence{Tool: t.Name, Files: strings.Join(files, ", ")})
		}
	}
	return all
}

// hidden are the files of a project that usually hold a secret: each by its path, or, of
// several folders beside each other that have one, by a pattern.
func hidden(c catalogue.Catalogue, dir string) []string {
	var names []string
	for _, t := range c.Tools {
		for _, e := range t.ProjectSecrets {
			names = append(names, strings.TrimPrefix(e.Path.Rest, "/"))
		}
	}
	found := probe.Host{}.Find(dir, names)
	pattern := func(name string) string {
		if path.Dir(name) == "." {
			return name
		}
		return path.Join(path.Dir(path.Dir(name)), "*", path.Base(name))
	}
	number := map[string]int{}
	for _, name := range found {
		number[pattern(name)]++
	}
	for i, name := range found {
		if number[pattern(name)] > 1 {
			found[i] = pattern(name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// agents are the tools of the catalogue that keep a login and settings in projects.
func agents(c catalogue.Catalogue) []catalogue.Tool {
	return slices.DeleteFunc(slices.Clone(c.Tools), func(t catalogue.Tool) bool { return len(t.State) == 0 || len(t.Project) == 0 })
}

// agents are those that have worked in a project, and which of their settings base does not
// protect.
func (a app) agents(c catalogue.Catalogue, f host.Facts) (all []evidence, unprotected []string, err error) {
	base, err := a.loader().Load("base")
	if err != nil {
		return nil, nil, err
	}
	for _, t := range agents(c) {
		var files []string
		for _, p := range pathsOf(t.Project) { // what the host's next session would believe
			if _, ok := f.Has(p); !ok {
				continue
			}
			name := strings.TrimPrefix(p.Rest, "/")
			files = append(files, name)
			protects := func(e profile.Rule) bool { return e.Path.Equal(p) || e.Path.Below(p) || p.Below(e.Path) }
			if !slices.ContainsFunc(base.Rules.Of(profile.KindProtect), protects) {
				unprotected = append(unprotected, name)
			}
		}
		if files != nil {
			all = append(all, evidence{t.Name, strings.Join(files, ", "), a.profileFor(t)})
		}
	}
	return all, unprotected, nil
}

// profileFor is the first built-in profile that names a tool; empty: none does.
func (a app) profileFor(t catalogue.Tool) string {
	for _, name := range a.loader().Names() {
		p, err := a.loader().Load(name)
		isIt := func(i profile.Item) bool { return i.Text == t.Name }
		if err == nil && slices.ContainsFunc(p.Toolchains.Use.Names, isIt) {
			return name
		}
	}
	return ""
}
