package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// document is the JSON form. It holds every text as text, so that no byte of a
// path is lost.
type document struct {
	Version   int           `json:"version"`
	OS        text          `json:"os,omitempty"`
	Arch      text          `json:"arch,omitempty"`
	Home      text          `json:"home,omitempty"`
	Bwrap     program       `json:"bwrap"`
	Bash      program       `json:"bash"`
	Env       program       `json:"env"`
	Userns    bool          `json:"userns"`
	UsernsWhy text          `json:"userns-why,omitempty"`
	Timezone  text          `json:"timezone,omitempty"`
	Variables map[text]text `json:"variables,omitempty"`
	Markers   []text        `json:"markers,omitempty"`
	Git       []setting     `json:"git,omitempty"`

	// Last, and printed by hand: one path a line.
	Paths map[text]fact `json:"paths,omitempty"`
}

type program struct {
	Path    text   `json:"path,omitempty"`
	Version text   `json:"version,omitempty"`
	Options []text `json:"options,omitempty"`
}

type setting struct {
	Key     text `json:"key"`
	Path    text `json:"path"`
	Program text `json:"program,omitempty"`
}

type fact struct {
	Kind   Kind  `json:"kind"`
	Target text  `json:"target,omitempty"`
	Size   int64 `json:"size,omitempty"`
	Bound  bool  `json:"bound,omitempty"`
}

// JSON prints the facts in the form that Read reads. The same facts give the
// same bytes: keys are sorted, one fact stands on one line.
func (f Facts) JSON() []byte {
	d := f.document()
	paths := d.Paths
	d.Paths = nil
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must(e.Encode(d))
	if len(paths) > 0 {
		b.Truncate(b.Len() - len("\n}\n"))
		b.WriteString(",\n  \"paths\": {")
		printPaths(&b, paths)
		b.WriteString("\n  }\n}\n")
	}
	return b.Bytes()
}

func printPaths(b *bytes.Buffer, paths map[text]fact) {
	comma := ""
	for _, key := range slices.Sorted(maps.Keys(paths)) {
		b.WriteString(comma + "\n    ")
		b.Write(line(key))
		b.WriteString(": ")
		b.Write(line(paths[key]))
		comma = ","
	}
}

func line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(v))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// must is for values of this package's own types, which all can be encoded.
func must(err error) {
	if err != nil {
		panic("host: " + err.Error())
	}
}

func (f Facts) document() document {
	d := document{
		Version:   Version,
		OS:        text(f.OS),
		Arch:      text(f.Arch),
		Home:      text(f.Home),
		Bwrap:     f.Bwrap.wire(),
		Bash:      f.Bash.wire(),
		Env:       f.Env.wire(),
		Userns:    f.Userns,
		UsernsWhy: text(f.UsernsWhy),
		Timezone:  text(f.Timezone),
		Variables: map[text]text{},
		Markers:   texts(f.Markers),
		Paths:     map[text]fact{},
	}
	for name, value := range f.Variables {
		d.Variables[text(name)] = text(value)
	}
	for _, s := range f.Git {
		d.Git = append(d.Git, setting{text(s.Key), text(s.Path.String()), text(s.Program)})
	}
	for key, p := range f.Paths {
		d.Paths[text(key)] = fact{p.Kind, text(p.Target), p.Size, p.Bound}
	}
	return d
}

func (d document) facts() (Facts, error) {
	f := Facts{
		Version:   d.Version,
		OS:        string(d.OS),
		Arch:      string(d.Arch),
		Home:      string(d.Home),
		Bwrap:     d.Bwrap.program(),
		Bash:      d.Bash.program(),
		Env:       d.Env.program(),
		Userns:    d.Userns,
		UsernsWhy: string(d.UsernsWhy),
		Timezone:  string(d.Timezone),
		Variables: map[string]string{},
		Markers:   strs(d.Markers),
		Paths:     map[string]PathFact{},
	}
	for name, value := range d.Variables {
		f.Variables[string(name)] = string(value)
	}
	for _, s := range d.Git {
		p, err := expr.Parse(string(s.Path))
		if err != nil {
			return f, problem.Problem{Key: fmt.Sprintf("git.%q", s.Path), What: err.Error(), Hint: again}
		}
		f.Git = append(f.Git, Setting{string(s.Key), p, string(s.Program)})
	}
	for key, p := range d.Paths {
		f.Paths[string(key)] = PathFact{p.Kind, string(p.Target), p.Size, p.Bound}
	}
	return f, nil
}

func (p Program) wire() program {
	return program{text(p.Path), text(p.Version), texts(p.Options)}
}

func (p program) program() Program {
	return Program{string(p.Path), string(p.Version), strs(p.Options)}
}
