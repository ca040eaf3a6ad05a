package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// inputNames decides how a launcher names the files that it protects because launchers are made
// from them. The names are the same from wherever the files were given.
type inputNames struct {
	project, home string // absolute, without links
	inGit         bool   // the project is the work tree around it
	output        string // the launcher's file, without links; empty: standard output
}

// inputsOf names the files that a launcher is made from, and the other launchers of its manifest
// with theirs.
func (a app) inputsOf(root profile.Root, r request, files []string) (plan.Inputs, error) {
	project, err := a.project(root.Kind, r.Project)
	if err != nil {
		return plan.Inputs{}, err
	}
	n := inputNames{home: resolved(a.home), inGit: root.Kind == profile.RootGit}
	if !root.Path.IsZero() {
		project, _ = root.Path.Eval(expr.Env{Home: n.home})
	}
	n.project = resolved(project)
	if r.Output != "" {
		n.output = resolved(absolute(a.expand(r.Output)))
	}
	var all plan.Inputs
	for _, file := range files {
		if file == "" || file == "-" {
			continue
		}
		file = absolute(a.expand(file))
		n.add(&all, resolved(file))
		for _, link := range linksTo(file) {
			n.addElsewhere(&all, link)
		}
	}
	slices.SortFunc(all.Paths, func(p, q expr.Path) int { return strings.Compare(p.String(), q.String()) })
	all.Paths = slices.CompactFunc(all.Paths, expr.Path.Equal)
	slices.Sort(all.Beside)
	all.Beside = slices.Compact(all.Beside)
	return all, nil
}

// add names one file without links. In a work tree, each checkout has its own, so it is named by its
// place there, too.
func (n inputNames) add(all *plan.Inputs, file string) {
	tree, inTree := workTree(filepath.Dir(file))
	inTree = inTree && n.inGit && !expr.Within(n.home, tree)
	if inTree {
		all.Paths = append(all.Paths, below(expr.Project, tree, file))
	}
	switch {
	case n.output != "", inTree && n.project != tree:
		n.addElsewhere(all, file)
	case inTree:
	case expr.Within(file, n.project) && !expr.Within(n.home, n.project):
		all.Paths = append(all.Paths, below(expr.Project, n.project, file))
	default:
		n.addElsewhere(all, file)
	}
}

// addElsewhere names a file for any project: by its place next to the launcher, if they move
// together; else from the home directory, or from the root.
func (n inputNames) addElsewhere(all *plan.Inputs, file string) {
	dir := filepath.Dir(n.output)
	if tree, inTree := workTree(dir); inTree {
		dir = tree
	}
	atHome := expr.Within(file, n.home)
	namesUser := atHome && expr.Within(n.home, dir) // a place next to the launcher would
	ofMoment := expr.Within(file, "/proc") || expr.Within(file, "/dev")
	switch {
	case n.output != "" && expr.Within(file, dir) && !namesUser:
		all.Beside = append(all.Beside, relative(filepath.Dir(n.output), file))
	case atHome:
		all.Paths = append(all.Paths, below(expr.Home, n.home, file))
	case n.output != "" && !ofMoment:
		all.Paths = append(all.Paths, expr.Path{Base: expr.Root, Rest: file})
	}
}

// below is the path of a file below a base, which is the directory dir.
func below(base expr.Base, dir, file string) expr.Path {
	return expr.Path{Base: base, Rest: strings.TrimPrefix(file, strings.TrimSuffix(dir, "/"))}
}

// linksTo lists the symbolic links on the way to a file: who replaces one replaces the file.
func linksTo(file string) []string {
	var links []string
	for _, at := range upward(file) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			links = append(links, filepath.Join(resolved(filepath.Dir(at)), filepath.Base(at)))
		}
	}
	return links
}

// resolved is the name without links, as far as something is there.
func resolved(name string) string {
	found, err := filepath.EvalSymlinks(name)
	above := filepath.Dir(name)
	switch {
	case err == nil:
		return found
	case above == name:
		return name
	}
	return filepath.Join(resolved(above), filepath.Base(name))
}
