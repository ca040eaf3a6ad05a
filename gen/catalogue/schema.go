package catalogue

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// Check reads one tool's file. All that is wrong in it is reported together,
// as problem.List. Whether the tools that it needs exist is for Add.
func Check(name string, data []byte) (Tool, error) {
	text, wrong := source.Read(data)
	if wrong != nil {
		return Tool{}, problem.List{wrong.At(name, wrong.Line, "")}
	}
	r := reader{file: name, source: text}
	t := r.tool()
	return t, r.problems.Err()
}

// reader turns one decoded file into a Tool and collects what is wrong.
type reader struct {
	file     string
	source   source.Text
	problems problem.List
}

// list says what the entries of one list may be.
type list struct {
	key    string
	keys   []string // of the table form, besides path and why
	shown  bool     // a sandbox may show it: no wildcard, not in the project
	inside bool     // in the project
	field  func(*Tool) *[]Entry
}

var lists = []list{
	{"toolchain", []string{"file", "needs-write", "if-present", "active", "mask", "empty"}, true, false, func(t *Tool) *[]Entry { return &t.Toolchain }},
	{"path", nil, false, false, func(t *Tool) *[]Entry { return &t.Path }},
	{"read", []string{"file", "as", "mask"}, true, false, func(t *Tool) *[]Entry { return &t.Read }},
	{"caches", []string{"file", "needs-write", "if-present", "mask", "empty"}, true, false, func(t *Tool) *[]Entry { return &t.Caches }},
	{"config", []string{"file", "if-no-login"}, false, false, func(t *Tool) *[]Entry { return &t.Config }},
	{"secrets", []string{"if-no-login"}, false, false, func(t *Tool) *[]Entry { return &t.Secrets }},
	{"persistence", []string{"if-no-login"}, false, false, func(t *Tool) *[]Entry { return &t.Persistence }},
	{"state", []string{"file", "protect"}, false, false, func(t *Tool) *[]Entry { return &t.State }},
	{"sockets", []string{"pass", "allows", "variables", "directory", "names", "inside", "sets", "engine"}, false, false, func(t *Tool) *[]Entry { return &t.Sockets }},
	{"project", nil, false, true, func(t *Tool) *[]Entry { return &t.Project }},
	{"project-secrets", nil, false, true, func(t *Tool) *[]Entry { return &t.ProjectSecrets }},
}

// everyEntry are the keys of every entry in its table form.
var everyEntry = []string{"path", "why"}

// others are the keys of a file that are not lists of entries.
var others = []string{"about", "covers", "markers", "needs", "programs", "general", "endpoints", "pass", "addresses", "keys", "set", "clear", "notes"}

func keys() []string {
	known := slices.Clone(others)
	for _, l := range lists {
		known = append(known, l.key)
	}
	return known
}

func (r *reader) tool() Tool {
	table := r.source.Values
	t := Tool{Name: strings.TrimSuffix(path.Base(r.file), ".toml"), Origin: r.file}
	if !toolName.MatchString(t.Name) {
		r.add("", "is not named like a tool", "lower case letters, digits, + . - and the ending .toml")
	}
	r.unknown("", table, keys())
	t.About = r.sentence(table)
	t.Notes = r.str("notes", table["notes"])
	t.Covers = r.names("covers", table["covers"], toolName)
	t.Markers = r.names("markers", table["markers"], markerName)
	t.Needs = r.names("needs", table["needs"], toolName)
	t.Programs = r.names("programs", table["programs"], toolName)
	t.General = r.flag("general", table["general"])
	t.Pass = r.names("pass", table["pass"], passName)
	t.Addresses = r.names("addresses", table["addresses"], variableName)
	t.Keys = r.names("keys", table["keys"], variableName)
	t.Clear = r.names("clear", table["clear"], passName)
	t.Set = r.settings(table["set"])
	t.Endpoints = r.endpoints(table["endpoints"])
	for _, l := range lists {
		*l.field(&t) = r.entries(l, table[l.key])
	}
	return t
}

var (
	toolName     = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]*$`)
	markerName   = regexp.MustCompile(`^[^/\x00\[\]?\\]+$`)
	passName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	endpointName = regexp.MustCompile(`^(tcp|abstract|dbus):[!-~]+$`)
)

const aboutHint = `write one sentence: about = "Rust's package manager."`

func (r *reader) sentence(table map[string]any) string {
	about := r.str("about", table["about"])
	switch {
	case table["about"] == nil:
		r.add("about", "is missing", aboutHint)
	case about == "", strings.ContainsFunc(about, unicode.IsControl):
		r.add("about", "is not one sentence on one line", aboutHint)
	}
	return about
}

// entries reads one list of paths.
func (r *reader) entries(l list, raw any) []Entry {
	items := r.items(l.key, raw)
	all := make([]Entry, 0, len(items))
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		key := l.key + source.Index(i)
		e, ok := r.entry(l, key, item)
		if !ok {
			continue
		}
		e.line = r.source.Line(key)
		text := e.Path.String()
		if seen[text] {
			r.add(key, fmt.Sprintf("is listed twice: %q", text), "take one of them out")
		}
		seen[text] = true
		all = append(all, e)
	}
	return all
}

// entry reads a path, or a table that holds one.
func (r *reader) entry(l list, key string, item any) (Entry, bool) {
	switch v := item.(type) {
	case string:
		p, ok := r.path(l, key, v)
		return Entry{Path: p}, ok
	case map[string]any:
		return r.table(l, key, v)
	}
	what, hint := wrongType(item, "a path or a table with one", `"~/.x" or { path = "~/.x", why = "..." }`)
	r.add(key, what, hint)
	return Entry{}, false
}

// table reads the table form of an entry.
func (r *reader) table(l list, key string, table map[string]any) (Entry, bool) {
	r.unknown(key, table, everyEntry, l.keys)
	p, ok := r.path(l, key, table["path"])
	return Entry{
		Path:       p,
		Why:        r.str(key+".why", table["why"]),
		File:       r.flag(key+".file", table["file"]),
		IfPresent:  r.flag(key+".if-present", table["if-present"]),
		IfNoLogin:  r.flag(key+".if-no-login", table["if-no-login"]),
		Active:     r.flag(key+".active", table["active"]),
		NeedsWrite: Need(r.word(key+".needs-write", table["needs-write"], "", "no", "on-miss", "yes")),
		As:         As(r.word(key+".as", table["as"], "bind", "link", "synthetic")),
		Pass:       r.passing(key, table),
		Mask:       r.below(key+".mask", table["mask"]),
		Empty:      r.below(key+".empty", table["empty"]),
		Protect:    r.below(key+".protect", table["protect"]),
	}, ok
}

// passing reads how a socket is passed.
func (r *reader) passing(key string, table map[string]any) Passing {
	return Passing{
		Name:      r.str(key+".pass", table["pass"]),
		Allows:    r.str(key+".allows", table["allows"]),
		Variables: r.names(key+".variables", table["variables"], variableName),
		Directory: r.str(key+".directory", table["directory"]),
		Names:     r.below(key+".names", table["names"]),
		Inside:    r.str(key+".inside", table["inside"]),
		Sets:      r.str(key+".sets", table["sets"]),
		Engine:    r.flag(key+".engine", table["engine"]),
	}
}

// unknown reports the keys of a table that are in none of the lists.
func (r *reader) unknown(key string, table map[string]any, known ...[]string) {
	var strange []string
	for k := range table {
		if !slices.ContainsFunc(known, func(list []string) bool { return slices.Contains(list, k) }) {
			strange = append(strange, k)
		}
	}
	slices.Sort(strange)
	for _, k := range strange {
		what, hint := unknownKey(k, slices.Concat(known...))
		r.add(source.Join(key, k), what, hint)
	}
}

func (r *reader) path(l list, key string, raw any) (expr.Path, bool) {
	text, ok := raw.(string)
	if !ok {
		r.add(key, "has no path", `write { path = "~/.x" }, with the path in quotes`)
		return expr.Path{}, false
	}
	p, err := expr.Parse(text)
	switch {
	case err != nil:
		what, hint := wrongPath(text, err)
		r.add(key, what, hint)
		return p, false
	case l.shown && isGlob(text):
		r.add(key, fmt.Sprintf("holds a *: %q", text), "name every path: what a sandbox shows is not matched by a pattern")
	case l.inside != (p.Base == expr.Project) && l.key != "state":
		r.add(key, wrongSide(l.inside, text), "what lies in the project stands in project or project-secrets, and begins with ./")
	case p.Base != expr.Project && p.Base != expr.Variable && p.Rest == "":
		r.add(key, fmt.Sprintf("is the whole home directory: %q", text), "name what is meant in it")
	}
	return p, true
}

func wrongSide(inside bool, text string) string {
	if inside {
		return fmt.Sprintf("does not begin with ./: %q", text)
	}
	return fmt.Sprintf("lies in the project: %q", text)
}

// below reads names below an entry: relative and clean.
func (r *reader) below(key string, raw any) []string {
	names := r.strings(key, raw)
	for _, n := range names {
		if inside := filepath.IsLocal(n) && path.Clean(n) == n; !inside || isGlob(n) {
			r.add(key, fmt.Sprintf("is not a name below the entry's path: %q", n), "a name goes on from the path, and holds neither .. nor *")
		}
	}
	return names
}
