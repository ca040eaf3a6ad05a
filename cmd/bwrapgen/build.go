package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// subject says which profile is meant, and for which hosts: the flags that
// several verbs share.
type subject struct {
	Host    []string `sep:"none" placeholder:"FILE" help:"Take the facts about a host from a file that probe has written (-: standard input), not from this one. Of several hosts, what any of them has."`
	Project string   `placeholder:"DIR" help:"Look for tools in this project, not in the working directory."`
}

// request is one sandbox that is wanted.
type request struct {
	profile string
	subject
	name   string // of the launcher; empty: the profile's
	source string // the command that makes it again
	list   string // the manifest that it stands in
	apart  bool   // no launcher comes of it, so it protects none of the files that it is made of
}

// sandbox is a plan, and what it was made from.
type sandbox struct {
	plan      plan.Plan
	profile   profile.Profile
	catalogue catalogue.Catalogue
	inputs    []string // files
	env       expr.Env // of the host, or the first of several
}

// sandbox goes the way from a profile to a plan.
func (a app) sandbox(r request) (sandbox, error) {
	p, inputs, err := a.profile(r.profile)
	if err != nil {
		return sandbox{}, err
	}
	c, tools, err := a.catalogue(p.Toolchains.Files...)
	if err != nil {
		return sandbox{}, err
	}
	if r.name == "" {
		r.name = p.Name
	}
	if err := checkName(r.name); err != nil {
		return sandbox{}, err
	}
	q := plan.Questions(p, c)
	if len(r.Host) == 0 {
		if q.Project, err = project(p.Project.Root.Kind, r.Project); err != nil {
			return sandbox{}, err
		}
	}
	f, err := a.facts(q, r.subject)
	if err != nil {
		return sandbox{}, err
	}
	inputs = append(inputs, tools...)
	var own []expr.Path
	if !r.apart {
		if own, err = a.inputsOf(p.Project.Root, r.Project, append(slices.Clone(inputs), r.list)); err != nil {
			return sandbox{}, err
		}
	}
	built, err := plan.Build(p, c, f, plan.Options{Name: r.name, Source: r.source, Inputs: own})
	return sandbox{built, p, c, append(inputs, r.Host...), f.Environment(q.Project)}, err
}

// inputsOf says where the files lie that a launcher is made of, for it to
// protect them. It is the same from wherever they were named: in the work tree
// that holds them; or, where there is none, below the project or the home
// directory. What lies elsewhere is in no project that is known.
func (a app) inputsOf(root profile.Root, dir string, files []string) ([]expr.Path, error) {
	at, err := project(root.Kind, dir)
	if err != nil {
		return nil, err
	}
	home := resolved(a.home)
	switch root.Path.Base {
	case expr.Root:
		at = root.Path.Rest
	case expr.Home:
		at = home + root.Path.Rest
	}
	at = resolved(at)
	var places []expr.Path
	for _, file := range files {
		if file != "" {
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
	inTree = inTree && root == profile.RootGit && !within(tree, home)
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
	case within(at, home) && within(home, file):
	case within(at, file) && (!inTree || isTree && at != tree):
		add(expr.Project, at)
	}
	if len(places) == 0 && within(home, file) {
		add(expr.Home, home)
	}
	return places
}

// resolved is the name without links; as it is, where nothing is there.
func resolved(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	return name
}

// profile loads a built-in profile, a file, or one of the user's own. It also
// gives the files that were read.
func (a app) profile(name string) (profile.Profile, []string, error) {
	p, err := a.loader().Load(a.profileFile(name))
	if err != nil {
		return profile.Profile{}, nil, err
	}
	return p, slices.DeleteFunc(slices.Clone(p.Sources), func(s string) bool { return !isFile(s) }), nil
}

func (a app) loader() profile.Loader {
	return profile.Loader{Builtin: profiles.FS, ReadFile: a.readFile}
}

// profileFile turns a bare name that is not built in into the file of the
// user's own, if there is one.
func (a app) profileFile(name string) string {
	if isFile(name) {
		return a.shorten(name)
	}
	if name == "" || slices.Contains(a.loader().Names(), name) || a.config() == "" {
		return name
	}
	own := filepath.Join(a.config(), "profiles", name+".toml")
	if _, err := os.Stat(own); err != nil {
		return name
	}
	return a.shorten(own)
}

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
			return host.Facts{}, cannot("bwrapgen probe -o writes such a file", "cannot read the facts in %q: %v", name, reason(err))
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
		return io.ReadAll(a.in)
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

// checkName refuses what is no name for a launcher: it stands in messages, and
// is a part of the name of its store.
func checkName(name string) error {
	bad := func(what string) error {
		return misuse("name the launcher with --name", "%s: %q", what, name)
	}
	switch {
	case name == "" || name == "." || name == "..":
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

// readDir lists the names in a directory, sorted; none where it does not exist.
func readDir(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}
