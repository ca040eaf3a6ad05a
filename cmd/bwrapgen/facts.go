package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"bwrapgen/gen/host"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
)

// facts answers a question, on this host or from files.
func (a app) facts(q host.Question, s subject) (host.Facts, error) {
	switch {
	case len(s.Host) == 0:
		return a.ask(q)
	case s.Project != "":
		return host.Facts{}, misuse("leave one of them out", "--host says what the project has, so --project has no use")
	}
	return a.factsFrom(s.Host)
}

// project is the directory in which a profile's tools are looked for.
func project(root profile.RootKind, dir string) (string, error) {
	abs, err := projectDirectory(dir)
	if err != nil {
		return "", err
	}
	if around, ok := workTree(abs); ok && root == profile.RootGit {
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
		data, err := a.readHost(name)
		if err != nil {
			return host.Facts{}, cannot(missing(err, "bwrapgen probe -o writes such a file"), "cannot read the facts in %q: %v", name, reason(err))
		}
		f, err := host.Read(data)
		if err != nil {
			return host.Facts{}, inFile(name, err)
		}
		all = append(all, f)
	}
	return host.Union(all...), nil
}

// readHost reads a file of facts, or standard input: ssh HOST bwrapgen probe.
func (a app) readHost(name string) ([]byte, error) {
	if name == "-" {
		return a.readInput()
	}
	return a.readFile(name)
}

// inFile puts the file's name before a problem with facts.
func inFile(name string, err error) error {
	var p host.Problem
	if !errors.As(err, &p) {
		return err
	}
	return cannot(p.Hint, "%s: %s", name, p)
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
