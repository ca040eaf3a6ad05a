package profile

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// rules is a list of paths.
func rules(key string, p *Profile, kind Kind) field {
	entry := map[string]any{"$ref": "#/$defs/entry"}
	f := field{
		key: key, kind: "a list of paths", shape: listOf(either(typed("string"), entry)),
		read: func(r *reader, key string, value any) bool {
			r.list(key, value, func(at string, v any) {
				e := Rule{Key: key, Kind: kind, Origin: r.origin(at)}
				if r.entry(&e, at, v) {
					r.claim(e)
				}
			})
			return false
		},
		elements: func() []element { return elements(p.Rules.under(key), Rule.toml, Rule.origin) },
		drop: func(text string, _ document) bool {
			return without(&p.Rules, func(e Rule) bool { return e.Key == key && e.isAt(text) })
		},
	}
	if kind == KindCredential {
		f.shape = listOf(entry)
	}
	return f
}

// links is the table of symbolic links.
func links(key string, p *Profile) field {
	f := rules(key, p, KindLink)
	f.kind, f.braces, f.shape = "a table", true, map[string]any{"type": "object", "additionalProperties": typed("string")}
	f.read = func(r *reader, key string, value any) bool {
		r.table(key, value, `link = { "/bin" = "usr/bin" }`, func(at, name string, target any) {
			e := Rule{Key: key, Kind: KindLink, Origin: r.origin(at)}
			if bad := e.link(name, target); bad.What != "" {
				r.fail(at, bad)
				return
			}
			r.claim(e)
		})
		return false
	}
	return f
}

func (e *Rule) link(name string, value any) problem.Problem {
	target, ok := value.(string)
	p, bad := parseConstant(name)
	e.Path, e.Text = p, target
	switch {
	case !ok:
		return wrongType(value, "a text", `"/bin" = "usr/bin"`)
	case bad.What != "":
		return bad
	case reserved(p), p.Rest == "":
		return refusedPlace(name)
	case target == "":
		return wrong(`write what the link says: "/bin" = "usr/bin"`, "a link without a target")
	}
	return checkArgument(target)
}

// claim merges a rule, which takes its place in the file; two rules there that differ are
// a contradiction.
func (r *reader) claim(e Rule) {
	place := e.Place().String()
	first, taken := r.places[place]
	if taken && !first.equal(e) {
		line := ""
		if first.Origin.Line > 0 {
			line = fmt.Sprintf(" in line %d", first.Origin.Line)
		}
		r.fail(e.Origin.Key, wrong("one path has one entry in a file; take one of the two out",
			"contradicts %s%s: %q", first.Origin.Key, line, place))
		return
	}
	if !taken {
		r.places[place] = e
	}
	r.into.put(e)
}

// put adds a rule. What stood at its place gives way, but one of the user's own remains
// that where a built-in profile asks for the same.
func (p *Profile) put(e Rule) {
	at := slices.IndexFunc(p.Rules, func(o Rule) bool { return o.Place().Equal(e.Place()) })
	if at < 0 || p.Rules[at].Key != e.Key {
		p.Rules = slices.DeleteFunc(p.Rules, func(o Rule) bool { return o.Place().Equal(e.Place()) })
		p.Rules = append(p.Rules, e)
		return
	}
	old := p.Rules[at]
	repeats := e.Origin.Builtin() && old.equal(e)
	if old.Origin.Builtin() || !repeats {
		p.Rules[at] = e
	}
}

// equal compares all but the origins.
func (e Rule) equal(o Rule) bool {
	same := e.Path.Equal(o.Path) && e.At.Equal(o.At)
	o.Key, o.Path, o.At, o.Origin = e.Key, e.Path, e.At, e.Origin
	return same && e == o
}

// entry reads one element: a text with its suffix, or a table.
func (r *reader) entry(e *Rule, key string, value any) bool {
	var bad problem.Problem
	switch v := value.(type) {
	case string:
		bad = e.parse(v)
		if bad.What == "" && e.Kind == KindCredential {
			bad = wrong(`write { path = "...", at = "~/...", why = "..." }`, "a credential needs its reason")
		}
	case map[string]any:
		good := r.inline(key, "an entry", v, e.fields())
		if _, ok := v["path"]; !ok {
			r.fail(key, noPath())
			return false
		}
		if !good {
			return false
		}
	default:
		bad = wrongType(value, "a path", `"~/.gitconfig" or { path = "~/.gitconfig" }`)
	}
	if bad.What == "" {
		bad = e.judge()
	}
	if bad.What != "" {
		r.fail(key, bad)
	}
	return bad.What == ""
}

func noPath() problem.Problem { return wrong(`write { path = "~/.gitconfig" }`, "has no path") }

// fields are the keys of an entry of this kind that is written as a table.
func (e *Rule) fields() []field {
	mayBe := map[string]bool{
		"path": true, "at": e.canMove(), "optional": true, "create": e.canCreate(), "content": e.canCreate(),
		"links": e.Kind == KindRead, "why": true,
	}
	return slices.DeleteFunc(e.allFields(), func(f field) bool { return !mayBe[f.key] })
}

// allFields are the keys of such a table, in which nothing in a path is a suffix.
func (e *Rule) allFields() []field {
	return []field{
		textual("path", "a path", e.parsePath, func() string {
			if e.Folder {
				return e.Path.String() + "/"
			}
			return e.Path.String()
		}),
		pathText("at", &e.At, func(text string) (bad problem.Problem) {
			if text != "" {
				e.At, bad = parse(text)
			}
			return bad
		}),
		flag("optional", &e.Optional),
		flag("create", &e.Create),
		text("content", &e.Text, every(notEmpty, checkArgument)),
		flag("links", &e.Links),
		text("why", &e.Why, checkLine),
	}
}

// inProject reports whether the paths of a rule's key are below the project.
func (e *Rule) inProject() bool { return strings.HasPrefix(e.Key, "project.") }

// parse reads the short form of an entry.
func (e *Rule) parse(text string) problem.Problem {
	path := text
	if last := len(path) - 1; last >= 0 && strings.ContainsRune("?!", rune(path[last])) {
		e.Optional, e.Create = path[last] == '?', path[last] == '!'
		path = path[:last]
	}
	switch {
	case strings.HasSuffix(path, "?"), strings.HasSuffix(path, "!"):
		return wrong("write ? for what may be absent or ! for what is made where it is absent; "+
			"for a name that ends so, write { path = ... }",

			"more than one suffix: %q", text)
	case e.Create && !e.canCreate():
		return wrong("leave out the !; for a name that ends so, write { path = ... }",
			"nothing is created for %s: %q", e.Kind, text)
	case !e.inProject() && strings.Contains(path, "*"):
		e.Pattern = e.Kind == KindHide && starName.MatchString(path)
		if !e.Pattern {
			return wrong("list the names: only project.protect and project.hide take patterns, "+
				"and filesystem.hide a * in a plain last name; "+
				"for a name that really holds a *, write { path = ... }", "holds a *, which is not expanded: %q", text)
		}
	}
	bad := e.parsePath(path)
	if bad.What == "" && dollar(e.Path) {
		return wrong("a variable stands only at the beginning; for a name that really holds a $, write { path = ... }",
			"holds a $, which is not expanded: %q", text)
	}
	return bad
}

// parsePath reads a path without suffix. Every character stands for itself but for
// what the expression's beginning means and, in the project, for patterns.
func (e *Rule) parsePath(text string) (bad problem.Problem) {
	if !e.inProject() {
		e.Path, bad = parse(text)
		return bad
	}
	e.Folder = e.Kind == KindProtect && strings.HasSuffix(text, "/")
	outside := wrong("write it from the project's root: .git/hooks", "not a path inside the project: %q", text)
	path := text
	switch {
	case text == "", text == ".", strings.HasPrefix(text, "./"):
	case strings.HasPrefix(text, "/"), text == "~", strings.HasPrefix(text, "~/"):
		return outside
	default:
		path = "./" + text
	}
	e.Path, bad = parse(path)
	switch {
	case strings.Contains(bad.What, "climbs"):
		return outside
	case bad.What == "" && isPattern(e.Path.Rest):
		e.Pattern = true
		return checkNames(e.Path.Rest)
	}
	return bad
}

// isAt reports whether a text, with or without its suffix, names a rule's path.
func (e Rule) isAt(text string) bool {
	return slices.ContainsFunc([]string{text, strings.TrimRight(text, "?!")}, func(text string) bool {
		named := Rule{Key: e.Key}
		return named.parsePath(text).What == "" && named.Path.Equal(e.Path)
	})
}

// canCreate reports whether an absent path of this kind can be made.
func (e *Rule) canCreate() bool { return slices.Contains(Shown(), e.Kind) }

// canMove reports whether an entry of this kind may stand at another place.
func (e *Rule) canMove() bool { return e.canCreate() || e.Kind == KindCredential }

// toml prints the short form where it says all, else the table.
func (e Rule) toml() string {
	path := e.Path.String()
	if e.Kind == KindLink {
		return source.Join("", path) + " = " + source.Quote(e.Text)
	}
	short := path
	if e.Folder {
		short += "/"
	}
	if e.Optional {
		short += "?"
	}
	if e.Create {
		short += "!"
	}
	if e.inProject() {
		short = strings.TrimPrefix(short, "./")
	}
	again := Rule{Key: e.Key, Kind: e.Kind}
	if again.parse(short).What == "" && again.equal(e) && e.Kind != KindCredential {
		return source.Quote(short)
	}
	e.Create = e.Create && e.Text == "" // else the content says so
	return inline(e.fields())
}

func (e Rule) origin() Origin { return e.Origin }

// judge refuses what no host could make right.
func (e *Rule) judge() problem.Problem {
	if e.At.Equal(e.Path) {
		e.At = expr.Path{}
	}
	e.Create = e.Create || e.Text != ""
	covers := slices.Contains([]Kind{KindHide, KindEmpty}, e.Kind)
	isWhole := e.inProject() && e.Path.Rest == ""
	switch {
	case e.Optional && e.Create:
		return wrong("what is created is never absent; choose one", "both optional and created: %q", e.Path)
	case isWhole && e.Kind == KindProtect:
		return wrong(`write project.access = "read"`, "would protect the whole project")
	case isWhole:
		return wrong("name what is in it", "would hide the whole project")
	case e.Kind == KindCredential && e.Why == "":
		return wrong(`say what it is for: why = "..."`, "a credential without its reason")
	case covers && e.Path.String() == "/":
		return refusedPlace("/")
	case reserved(e.At):
		return refusedPlace(e.At.String())
	case !covers && ofProcesses(e.Path):
		return wrong("leave it out: the sandbox's own /proc is always there",
			"would show the host's processes: %q", e.Path)
	case !covers && OfDevices(e.Path):
		return e.device()
	case e.Kind == KindWrite, e.Kind == KindOverlay:
		return e.tooWide()
	}
	return problem.Problem{}
}

// tooWide refuses to make a whole tree writable.
func (e *Rule) tooWide() problem.Problem {
	what := wide(e.Path)
	hint := map[string]string{
		"the whole home directory": "name the directory below it that is meant",
		"the whole file system":    "name the directory that is meant",
		"a system directory":       "show it with filesystem.read, or name a directory of your own",
	}[what]
	if what == "" {
		return problem.Problem{}
	}
	return wrong(hint, "would make %s writable: %q", what, e.Path)
}

func refusedPlace(text string) problem.Problem {
	return wrong("choose a directory of its own, such as /workspace or /home/sandbox",
		"not a place for this inside: %q", text)
}

// device judges an entry for a device: it can be opened for reading and for writing,
// or not at all.
func (e *Rule) device() problem.Problem {
	own := []string{
		"console", "core", "fd", "full", "null", "ptmx", "pts", "random",
		"stderr", "stdin", "stdout", "tty", "urandom", "zero",
	}
	name, _ := under("/dev", e.Path)
	example := fmt.Sprintf("{ path = %q, why = \"...\" }", e.Path)
	switch {
	case slices.Contains(own, name):
		return wrong("leave it out", "the sandbox has its own: %q", e.Path)
	case e.Kind != KindWrite:
		return wrong("list it in filesystem.write: "+example, "a device cannot be had read-only: %q", e.Path)
	case e.Why == "":
		return wrong("if that is meant, say why: "+example, "is a device of the host: %q", e.Path)
	}
	return problem.Problem{}
}

// under is the name directly below an absolute directory that a path is or lies below; for
// the directory itself there is none.
func under(top string, p expr.Path) (string, bool) {
	if p.Base != expr.Root || !expr.Within(p.Rest, top) {
		return "", false
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(p.Rest[len(top):], "/"), "/")
	return name, true
}

// ofProcesses reports whether a path tells of the host's processes, or leads into
// one. /proc/cpuinfo and its like do not.
func ofProcesses(p expr.Path) bool {
	name, ok := under("/proc", p)
	isNumber := strings.Trim(name, "0123456789") == ""
	return ok && (isNumber || slices.Contains([]string{"self", "thread-self"}, name))
}

// OfDevices reports whether a path is a device, or holds some. Not all that lies in
// /dev does.
func OfDevices(p expr.Path) bool {
	name, ok := under("/dev", p)
	return ok && !slices.Contains([]string{"", "disk", "hugepages", "log", "mqueue", "shm"}, name)
}

// reserved reports whether a place belongs to the sandbox itself.
func reserved(p expr.Path) bool {
	_, ofProc := under("/proc", p)
	_, ofSys := under("/sys", p)
	return ofProc || ofSys || slices.Contains([]string{"/", "/dev"}, p.String())
}
