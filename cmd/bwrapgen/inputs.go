package main

import (
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// inputsOf says where the files lie that a launcher is made of, and those of others in
// its manifest, for it to protect them. It is the same from wherever they were named: in the work tree
// that holds them; or, where there is none, below the project or the home
// directory. What lies elsewhere is in no project that is known.
func (a app) inputsOf(root profile.Root, dir string, files []string) ([]expr.Path, error) {
	at, err := a.project(root.Kind, dir)
	if err != nil {
		return nil, err
	}
	home := resolved(a.home)
	if !root.Path.IsZero() {
		at, _ = root.Path.Eval(expr.Env{Home: home})
	}
	at = resolved(at)
	var places []expr.Path
	for _, file := range files {
		if file != "" && file != "-" {
			places = append(places, inputPlaces(root.Kind, at, home, resolved(absolute(a.expand(file))))...)
		}
	}
	slices.SortFunc(places, func(p, q expr.Path) int { return strings.Compare(p.String(), q.String()) })
	return slices.CompactFunc(places, expr.Path.Equal), nil
}

// inputPlaces are the paths of one file, where the project is at. No project is
// the home directory or holds it. A repository may lie in the project's own.
func inputPlaces(root profile.RootKind, at, home, file string) []expr.Path {
	tree, inTree := workTree(filepath.Dir(file))
	inTree = inTree && root == profile.RootGit && !expr.Within(home, tree)
	around, isTree := workTree(at)
	isTree = isTree && around == at
	var places []expr.Path
	add := func(base expr.Base, dir string) {
		places = append(places, expr.Path{Base: base, Rest: strings.TrimPrefix(file, strings.TrimSuffix(dir, "/"))})
	}
	if inTree {
		add(expr.Project, tree)
	}
	switch {
	case expr.Within(home, at) && expr.Within(file, home):
	case inTree && !isTree, inTree && at == tree:
	case expr.Within(file, at):
		add(expr.Project, at)
	}
	if len(places) == 0 && expr.Within(file, home) {
		add(expr.Home, home)
	}
	return places
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
