package main

import (
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// manifest is a list of launchers that belong together.
type manifest struct {
	file      string
	source    source.Text
	launchers []request // their paths resolved
	problems  problem.List
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
	if m.problems == nil {
		m.beside(a)
	}
	return m, m.problems.Err()
}

// beside says of each launcher by which files its command could change others: the other
// launchers, and what these are made of. What is wrong with one of the profiles is said when
// its launcher is made.
func (m *manifest) beside(a app) {
	var files []string
	for _, r := range m.launchers {
		p, sources, _ := a.profile(r.Profile)
		files = slices.Concat(files, r.files(), sources)
		for _, tool := range p.Toolchains.Files {
			files = append(files, tool.Text)
		}
	}
	for i, r := range m.launchers {
		m.launchers[i].beside = slices.Clone(files)
		for _, other := range m.launchers {
			if other.Output != r.Output {
				m.launchers[i].beside = append(m.launchers[i].beside, other.Output)
			}
		}
	}
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
		r := request{}
		for _, key := range m.source.Names(table, where) {
			m.set(&r, source.Join(where, key), key, table[key])
		}
		for _, key := range []string{"profile", "output"} {
			if table[key] == nil {
				m.wrong(source.Join(where, key), "a launcher needs profile and output", "is missing")
			}
		}
		m.launchers = append(m.launchers, m.resolve(a, r))
	}
}

func (m *manifest) set(r *request, where, key string, value any) {
	texts := map[string]*string{
		"profile": &r.Profile, "output": &r.Output, "name": &r.Name, "project": &r.Project,
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
		m.hosts(r, where, value)
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

func (m *manifest) hosts(r *request, where string, value any) {
	list, ok := value.([]any)
	if !ok {
		m.wrong(where, `write host = ["laptop.json"]`, "is not a list")
	}
	for i, v := range list {
		text, ok := v.(string)
		if !ok || text == "" || text == "-" {
			m.wrong(where+source.Index(i), `write its name in quotes: "..."`, "is not the name of a file")
		}
		r.Host = append(r.Host, text)
	}
}

// resolve makes the paths relative to where the manifest is.
func (m *manifest) resolve(a app, r request) request {
	dir := filepath.Dir(m.file)
	r.wanted = r.moved(func(name string) string {
		name = a.expand(name)
		if filepath.IsAbs(name) || dir == "." {
			return name
		}
		return dir + "/" + name
	})
	r.manifest = m.file
	r.source = "bwrapgen generate --all " + pathWord(placeFor(a.home, r.Output, []string{m.file}).text(m.file))
	return r
}

func (m *manifest) wrong(key, hint, what string) {
	m.problems = append(m.problems, problem.New(what, hint).At(m.file, m.source.Line(key), key))
}
