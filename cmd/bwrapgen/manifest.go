package main

import (
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// entry is one launcher of a manifest, its paths resolved.
type entry struct {
	profile, output, name, project string
	host                           []string
}

// manifest is a list of launchers that belong together.
type manifest struct {
	file     string
	source   source.Text
	entries  []entry
	problems problem.List
}

// readManifest reads a manifest. The error holds all that is wrong with it.
func (a app) readManifest(file string) (manifest, error) {
	data, err := a.readFile(file)
	if err != nil {
		return manifest{}, failed(err, "cannot read the manifest %q", file)
	}
	text, wrong := source.Read(data)
	if wrong != nil {
		return manifest{}, wrong.At(file, wrong.Line, "")
	}
	m := manifest{file: file, source: text}
	m.read(a)
	return m, m.problems.Err()
}

func (m *manifest) read(a app) {
	raw := m.source.Values
	for _, key := range m.source.Names(raw, "") {
		if key != "launcher" {
			m.wrong(source.Join("", key), "a manifest holds [[launcher]] tables only", "unknown key")
		}
	}
	list, _ := raw["launcher"].([]any)
	if len(list) == 0 {
		m.wrong("launcher", "write [[launcher]], and below it profile and output", "there is none")
	}
	for i, value := range list {
		where := "launcher" + source.Index(i)
		table, _ := value.(map[string]any)
		e := entry{}
		for _, key := range m.source.Names(table, where) {
			m.set(&e, source.Join(where, key), key, table[key])
		}
		m.require(where+".profile", e.profile)
		m.require(where+".output", e.output)
		m.entries = append(m.entries, m.resolve(a, e))
	}
}

func (m *manifest) set(e *entry, where, key string, value any) {
	texts := map[string]*string{
		"profile": &e.profile, "output": &e.output, "name": &e.name, "project": &e.project,
	}
	switch {
	case texts[key] != nil:
		text, ok := value.(string)
		switch {
		case !ok:
			m.wrong(where, `write it in quotes: "..."`, "is not a text")
		case text == "":
			m.wrong(where, "give it a value, or leave the key out", "is empty")
		}
		*texts[key] = text
	case key == "host":
		m.hosts(e, where, value)
	default:
		m.wrong(where, keyHint(key, []string{"host", "name", "output", "profile", "project"}), "unknown key")
	}
}

// keyHint is what to write instead of a key that is unknown.
func keyHint(key string, known []string) string {
	if near := source.Nearest(key, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "the keys here are " + strings.Join(known, ", ")
}

func (m *manifest) hosts(e *entry, where string, value any) {
	list, ok := value.([]any)
	if !ok {
		m.wrong(where, `write host = ["laptop.json"]`, "is not a list")
	}
	for i, v := range list {
		text, ok := v.(string)
		if !ok || text == "" || text == "-" {
			m.wrong(where+source.Index(i), `write its name in quotes: "..."`, "is not the name of a file")
		}
		e.host = append(e.host, text)
	}
}

func (m *manifest) require(where, value string) {
	if value == "" && !slices.ContainsFunc(m.problems, func(p problem.Problem) bool { return p.Key == where }) {
		m.wrong(where, "a launcher needs profile and output", "is missing")
	}
}

// resolve makes an entry's paths relative to where the manifest is.
func (m *manifest) resolve(a app, e entry) entry {
	path := func(name string) string {
		if name = a.expand(name); name == "" || filepath.IsAbs(name) {
			return name
		}
		dir := filepath.Dir(m.file)
		if dir == "." {
			return name
		}
		return dir + "/" + name
	}
	if profile.IsFile(e.profile) {
		if e.profile = path(e.profile); !profile.IsFile(e.profile) {
			e.profile = "./" + e.profile
		}
	}
	e.output, e.project = path(e.output), path(e.project)
	for i, name := range e.host {
		if name != anywhere {
			e.host[i] = path(name)
		}
	}
	return e
}

func (m *manifest) wrong(key, hint, what string) {
	m.problems = append(m.problems, problem.New(what, hint).At(m.file, m.source.Line(key), key))
}
