package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// anywhere is the name of a host that has all that is known: --host any.
const anywhere = "any"

// looks reports whether the project's files are looked at: facts from files alone say
// what it has.
func (s subject) looks() bool { return len(s.Host) == 0 || slices.Contains(s.Host, anywhere) }

// files are those that the facts come from.
func (s subject) files() []string {
	return slices.DeleteFunc(slices.Clone(s.Host), func(name string) bool { return name == anywhere })
}

// facts answers a question about what a profile could use: on this host, from files, or
// for any host.
func (a app) facts(p profile.Profile, c catalogue.Catalogue, q host.Question, s subject) (host.Facts, error) {
	switch {
	case len(s.Host) == 0:
		return a.ask(q)
	case !s.looks():
		if s.Project != "" {
			return host.Facts{}, misuse("leave one of them out", "--host says what the project has, so --project has no use")
		}
		return a.factsFrom(s.Host)
	}
	here, err := a.ask(host.Question{Markers: q.Markers, Project: q.Project})
	if err != nil {
		return host.Facts{}, err
	}
	known, err := a.factsFrom(s.files())
	return host.Union(known, plan.Anywhere(p, c, here.Markers)), err
}

// project is the directory in which a profile's tools are looked for: as the launcher
// sees it, the work tree around, unless that holds the home directory.
func (a app) project(root profile.RootKind, dir string) (string, error) {
	abs, err := projectDirectory(dir)
	if err != nil {
		return "", err
	}
	if around, ok := workTree(abs); ok && root == profile.RootGit && !expr.Within(a.home, around) {
		return around, nil
	}
	return abs, nil
}

func (a app) ask(q host.Question) (host.Facts, error) {
	done := a.progress("looking at this host")
	defer done()
	return probe.Host{}.Facts(context.Background(), q)
}

func (a app) factsFrom(names []string) (host.Facts, error) {
	var all []host.Facts
	for _, name := range names {
		data, err := a.readNamed(name)
		if err != nil {
			return host.Facts{}, cannot(missing(err, "bwrapgen probe -o writes such a file"), "cannot read the facts in %q: %v", name, reason(err))
		}
		f, err := host.Read(data)
		var wrong problem.Problem
		if errors.As(err, &wrong) {
			err = wrong.At(name, 0, wrong.Key)
		}
		if err != nil {
			return host.Facts{}, err
		}
		all = append(all, f)
	}
	return host.Union(all...), nil
}

func projectDirectory(dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", cannot("go to a directory that exists", "the working directory is gone: %v", reason(err))
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", cannot("name an existing directory", "there is no such project: %q", dir)
	case err != nil:
		return "", failed(err, "cannot look at the project %q", dir)
	case !info.IsDir():
		return "", cannot("name a directory", "the project is not a directory: %q", dir)
	}
	return abs, nil
}
