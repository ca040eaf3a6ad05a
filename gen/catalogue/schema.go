package catalogue

import (
	"fmt"
	"maps"
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

// list says what the entries of one list may be.
type list struct {
	key    string
	field  func(*Tool) *[]Entry
	keys   []string // of the table form, besides path and why
	kind   Kind     // of what is sensitive
	shown  bool     // a sandbox may show it: no wildcard, not in the project
	inside bool     // in the project
}

var lists = []list{
	{
		key: "toolchain", field: func(t *Tool) *[]Entry { return &t.Toolchain }, shown: true,
		keys: []string{"file", "needs-write", "if-present", "active", "mask", "empty"},
	},
	{key: "path", field: func(t *Tool) *[]Entry { return &t.Path }},
	{key: "read", field: func(t *Tool) *[]Entry { return &t.Read }, shown: true, keys: []string{"file", "as", "mask"}},
	{
		key: "caches", field: func(t *Tool) *[]Entry { return &t.Caches }, shown: true,
		keys: []string{"file", "needs-write", "if-present", "mask", "empty"},
	},
	{key: "config", field: func(t *Tool) *[]Entry { return &t.Config }, kind: Config, keys: []string{"file", "if-no-login"}},
	{key: "secrets", field: func(t *Tool) *[]Entry { return &t.Secrets }, kind: Credential, keys: []string{"if-no-login"}},
	{key: "persistence", field: func(t *Tool) *[]Entry { return &t.Persistence }, kind: Persistence, keys: []string{"if-no-login"}},
	{key: "state", field: func(t *Tool) *[]Entry { return &t.State }, kind: State, keys: []string{"file", "protect"}},
	{
		key: "sockets", field: func(t *Tool) *[]Entry { return &t.Sockets }, kind: ControlSocket,
		keys: []string{"pass", "allows", "variables", "directory", "names", "inside", "sets", "engine"},
	},
	{key: "project", field: func(t *Tool) *[]Entry { return &t.Project }, inside: true},
	{key: "project-secrets", field: func(t *Tool) *[]Entry { return &t.ProjectSecrets }, inside: true},
}

var (
	toolName     = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]*$`)
	markerName   = regexp.MustCompile(`^[^/\x00\[\]?\\]+$`)
	passName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\*?$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	endpointName = regexp.MustCompile(`^(tcp|abstract|dbus):[!-~]+$`)
)

func (r *reader) tool() Tool {
	t := Tool{Name: strings.TrimSuffix(path.Base(r.file), ".toml"), Origin: r.file}
	if !toolName.MatchString(t.Name) {
		r.add("", "is not named like a tool", "lower case letters, digits, + . - and the ending .toml")
	}
	fields := []field{
		{"about", r.sentence(&t.About)},
		{"covers", r.names(&t.Covers, toolName)},
		{"markers", r.names(&t.Markers, markerName)},
		{"needs", r.names(&t.Needs, toolName)},
		{"programs", r.names(&t.Programs, toolName)},
		{"general", r.flag(&t.General)},
		{"endpoints", r.endpoints(&t.Endpoints)},
		{"pass", r.names(&t.Pass, passName)},
		{"addresses", r.names(&t.Addresses, variableName)},
		{"keys", r.names(&t.Keys, variableName)},
		{"set", r.settings(&t.Set)},
		{"clear", r.names(&t.Clear, passName)},
		{"notes", r.text(&t.Notes)},
	}
	for _, l := range lists {
		fields = append(fields, field{l.key, r.entries(l, l.field(&t))})
	}
	r.table("", r.source.Values, fields)
	return t
}

// sentence reads the text that no tool goes without.
func (r *reader) sentence(to *string) reading {
	return func(key string, raw any) {
		hint := `write one sentence: about = "Rust's package manager."`
		r.text(to)(key, raw)
		switch {
		case raw == nil:
			r.add(key, "is missing", hint)
		case *to == "", strings.ContainsFunc(*to, unicode.IsControl):
			r.add(key, "is not one sentence on one line", hint)
		}
	}
}

// entries reads one list of paths.
func (r *reader) entries(l list, to *[]Entry) reading {
	return func(key string, raw any) {
		seen := map[string]bool{}
		for i, item := range r.items(key, raw) {
			at := key + source.Index(i)
			e, ok := r.entry(l, at, item)
			if !ok {
				continue
			}
			e.line = r.source.Line(at)
			text := e.Path.String()
			if seen[text] {
				r.add(at, fmt.Sprintf("is listed twice: %q", text), "take one of them out")
			}
			seen[text] = true
			*to = append(*to, e)
		}
	}
}

// entry reads a path, or a table that holds one.
func (r *reader) entry(l list, key string, item any) (e Entry, ok bool) {
	table, isTable := item.(map[string]any)
	if _, isText := item.(string); isText {
		e.Path, ok = r.path(l, key, item)
		return e, ok
	}
	if !isTable {
		r.wrongType(key, item, "a path or a table with one", `"~/.x" or { path = "~/.x", why = "..." }`)
		return e, false
	}
	fields := []field{
		{"path", func(_ string, raw any) { e.Path, ok = r.path(l, key, raw) }},
		{"why", r.text(&e.Why)},
		{"file", r.flag(&e.File)},
		{"needs-write", r.word(&e.NeedsWrite, NeedNo, NeedOnMiss, NeedYes)},
		{"as", r.word(&e.As, "bind", "link", "synthetic")},
		{"if-present", r.flag(&e.IfPresent)},
		{"if-no-login", r.flag(&e.IfNoLogin)},
		{"active", r.flag(&e.Active)},
		{"mask", r.below(&e.Mask)},
		{"empty", r.below(&e.Empty)},
		{"protect", r.below(&e.Protect)},
		{"pass", r.text(&e.Pass.Name)},
		{"allows", r.text(&e.Pass.Allows)},
		{"variables", r.names(&e.Pass.Variables, variableName)},
		{"directory", r.text(&e.Pass.Directory)},
		{"names", r.below(&e.Pass.Names)},
		{"inside", r.text(&e.Pass.Inside)},
		{"sets", r.text(&e.Pass.Sets)},
		{"engine", r.flag(&e.Pass.Engine)},
	}
	others := func(f field) bool {
		return !slices.Contains([]string{"path", "why"}, f.name) && !slices.Contains(l.keys, f.name)
	}
	r.table(key, table, slices.DeleteFunc(fields, others))
	return e, ok
}

func (r *reader) path(l list, key string, raw any) (expr.Path, bool) {
	text, ok := raw.(string)
	if !ok {
		r.add(key, "has no path", `write { path = "~/.x" }, with the path in quotes`)
		return expr.Path{}, false
	}
	p, ok := r.parsed(key, text)
	switch {
	case !ok:
	case l.shown && isGlob(text):
		r.add(key, fmt.Sprintf("holds a *: %q", text), "name every path: what a sandbox shows is not matched by a pattern")
	case l.inside != (p.Base == expr.Project) && l.key != "state":
		what := map[bool]string{true: "does not begin with ./", false: "lies in the project"}[l.inside]
		r.add(key, fmt.Sprintf("%s: %q", what, text), "what lies in the project stands in project or project-secrets, and begins with ./")
	case p.Base != expr.Project && p.Base != expr.Variable && p.Rest == "":
		r.add(key, fmt.Sprintf("is the whole home directory: %q", text), "name what is meant in it")
	}
	return p, ok
}

// below reads names below an entry: relative and clean.
func (r *reader) below(to *[]string) reading {
	return func(key string, raw any) {
		*to = r.texts(key, raw)
		for _, n := range *to {
			if inside := filepath.IsLocal(n) && path.Clean(n) == n; !inside || isGlob(n) {
				r.add(key, fmt.Sprintf("is not a name below the entry's path: %q", n), "a name goes on from the path, and holds neither .. nor *")
			}
		}
	}
}

// settings reads the table of variables to set.
func (r *reader) settings(to *[]Setting) reading {
	return func(key string, raw any) {
		table := value[map[string]any](r, key, raw, "a table", `[set], and below it NAME = "value"`)
		for _, name := range slices.Sorted(maps.Keys(table)) {
			at := source.Join(key, name)
			if !variableName.MatchString(name) {
				r.add(at, fmt.Sprintf("is not a variable's name: %q", name), "letters, digits and _, not a digit first")
			}
			s := Setting{Name: name}
			r.setting(&s, at, table[name])
			*to = append(*to, s)
		}
	}
}

// setting reads NAME = "value" or NAME = { value or path, why }.
func (r *reader) setting(s *Setting, key string, raw any) {
	table, ok := raw.(map[string]any)
	if !ok {
		r.text(&s.Value)(key, raw)
		return
	}
	at := ""
	r.table(key, table, []field{{"value", r.text(&s.Value)}, {"path", r.text(&at)}, {"why", r.text(&s.Why)}})
	if (table["path"] == nil) == (table["value"] == nil) {
		r.add(key, "has not exactly one of value and path", `write NAME = "value", or NAME = { path = "~/.x" }`)
	}
	if table["path"] != nil {
		s.Path, _ = r.parsed(key+".path", at)
	}
}

func (r *reader) endpoints(to *[]Endpoint) reading {
	return func(key string, raw any) {
		for i, item := range r.items(key, raw) {
			at := key + source.Index(i)
			table := value[map[string]any](r, at, item, "a table with name and why", `{ name = "tcp:127.0.0.1:80", why = "..." }`)
			if table == nil {
				continue
			}
			var e Endpoint
			r.table(at, table, []field{{"name", r.text(&e.Name)}, {"why", r.text(&e.Why)}})
			if !endpointName.MatchString(e.Name) {
				r.add(at+".name", fmt.Sprintf("is not tcp:, abstract: or dbus: with an address: %q", e.Name), `write name = "tcp:127.0.0.1:80"`)
			}
			*to = append(*to, e)
		}
	}
}
