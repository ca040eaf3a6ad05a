package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
	"bwrapgen/gen/verify"
	"bwrapgen/profiles"
)

// subject says which profile is meant, and for which hosts: the flags that
// several verbs share.
type subject struct {
	Host    []string `sep:"none" takes:"host" placeholder:"FILE" help:"Take the facts about a host from a file that probe has written (-: standard input), not from this one. Of several hosts, what any of them has; any: all places that are known, so that the launcher fits any host."`
	Project string   `placeholder:"DIR" help:"Look for tools in this project, not in the working directory."`
}

// wanted is a launcher as a command line or a manifest asks for it.
type wanted struct {
	Profile string `arg:"" optional:"" takes:"profile" help:"The name or path of a profile."`
	Output  string `short:"o" placeholder:"FILE" help:"Write the launcher to this file, not to standard output."`
	Name    string `placeholder:"NAME" help:"What the launcher calls itself. Without it, the name of its file, or else of its profile."`
	subject
}

// moved is the same with all paths as a function gives them. The path of a profile stays one
// that is not taken for the name of a built-in profile.
func (w wanted) moved(to func(path string) string) wanted {
	if profile.IsFile(w.Profile) {
		w.Profile = to(w.Profile)
		if !profile.IsFile(w.Profile) {
			w.Profile = "./" + w.Profile
		}
	}
	for _, path := range []*string{&w.Output, &w.Project} {
		if *path != "" {
			*path = to(*path)
		}
	}
	w.Host = slices.Clone(w.Host)
	for i, path := range w.Host {
		if path != "-" && path != anywhere {
			w.Host[i] = to(path)
		}
	}
	return w
}

// request is one sandbox that is wanted. Without an Output it goes to standard output.
type request struct {
	wanted
	source string   // the command that makes it again, if that is another than its own
	beside []string // the files of the others in its manifest

	said     string // the output as a launcher's second line names it
	manifest string // that it stands in; empty: it was asked for by itself
	apart    bool   // no launcher comes of it, so it protects none of the files that it is made of
}

// sandbox is a plan, and what it was made from; the environment is that of the host, or of
// the first of several.
type sandbox struct {
	verify.Sandbox
	inputs  []string // files
	written string   // a fingerprint of what the files of its profile say
}

// sandbox goes the way from a profile to a plan.
func (a app) sandbox(r request) (sandbox, error) {
	p, inputs, err := a.profile(r.Profile)
	if err != nil {
		return sandbox{}, err
	}
	written := a.fingerprint(p)
	c, tools, err := a.catalogue(p.Toolchains.Files...)
	if err != nil {
		return sandbox{}, err
	}
	name := cmp.Or(r.Name, p.Name)
	if r.Name == "" && r.Output != "" {
		name = filepath.Base(r.Output)
	}
	if err := checkName(name); err != nil {
		return sandbox{}, err
	}
	q := plan.Questions(p, c)
	var session map[string]string
	if len(r.Host) == 0 {
		session = probe.Host{}.Session(plan.SessionVariables(c), plan.SessionPlace)
	}
	if r.looks() {
		if q.Project, err = a.project(p.Project.Root.Kind, r.Project); err != nil {
			return sandbox{}, err
		}
	}
	f, err := a.facts(p, c, q, r.subject)
	if err != nil {
		return sandbox{}, err
	}
	inputs = slices.Concat(inputs, tools, r.files(), []string{r.manifest})
	var own plan.Inputs
	if !r.apart {
		if own, err = a.inputsOf(p.Project.Root, r, append(inputs, r.beside...)); err != nil {
			return sandbox{}, err
		}
	}
	source := cmp.Or(r.source, r.command(a.home))
	built, err := plan.Build(p, c, f, plan.Options{Name: name, Source: source, Inputs: own, Session: session})
	s := verify.Sandbox{Name: name, Plan: built, Profile: p, Catalogue: c, Env: f.Environment(q.Project)}
	return sandbox{s, inputs, written}, err
}

// fingerprint is that of the files of a profile, and of its own tools: of what they say, and not of
// comments and expectations. One that is built in has none.
func (a app) fingerprint(p profile.Profile) string {
	files := slices.Clone(p.Sources)
	for _, tool := range p.Toolchains.Files {
		files = append(files, tool.Text)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := a.readFile(file)
		if !profile.IsFile(file) || err != nil {
			continue
		}
		if text, wrong := source.Read(data); wrong == nil {
			delete(text.Values, "expect")
			all = append(all, text.Values)
		}
	}
	text, err := json.Marshal(all)
	if len(all) == 0 || err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// profile loads a profile by name or path; for a launcher, it loads the profile that the launcher was
// made from. It also gives the files that were read.
func (a app) profile(name string) (profile.Profile, []string, error) {
	file, err := a.profileOf(name)
	if err != nil {
		return profile.Profile{}, nil, err
	}
	p, err := a.loader().Load(file)
	if err != nil {
		return profile.Profile{}, nil, err
	}
	return p, slices.DeleteFunc(slices.Clone(p.Sources), func(s string) bool { return !profile.IsFile(s) }), nil
}

// profileOf is what to load for a word of the command line.
func (a app) profileOf(name string) (string, error) {
	script, isScript := a.launcherNamed(name)
	if !isScript {
		return a.profileFile(name), nil
	}
	r, err := a.madeBy(a.expand(name), script)
	return a.profileFile(r.Profile), err
}

func (a app) loader() profile.Loader {
	return profile.Loader{Builtin: profiles.FS, ReadFile: a.readFile, NearFile: a.nearProfile}
}

// nearProfile suggests a user's profile, or a launcher, for a name that is not a profile.
func (a app) nearProfile(name string) string {
	at := a.expand(name)
	if _, err := os.Stat(at + ".toml"); err == nil {
		return a.shorten(at + ".toml")
	}
	if near := nearFile(at); near != "" {
		if _, isScript := a.script(near); isScript || strings.HasSuffix(near, ".toml") {
			return a.shorten(near)
		}
	}
	if profile.IsFile(name) {
		return ""
	}
	own, _ := a.ownFiles("profiles")
	for i, file := range own {
		own[i] = strings.TrimSuffix(filepath.Base(file), ".toml")
	}
	return source.Nearest(name, own)
}

// profileFile turns a bare name that is not built in into the file of the
// user's own, if there is one.
func (a app) profileFile(name string) string {
	if profile.IsFile(name) {
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
