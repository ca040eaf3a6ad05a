package profile

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// entries reads a list of paths and merges it.
func (r *reader) entries(f field, value any) {
	list, ok := value.([]any)
	if !ok {
		r.fail(f.key, wrongType(value, "a list", lastPart(f.key)+` = ["..."]`))
		return
	}
	for i, v := range list {
		key := f.key + source.Index(i)
		if e, ok := r.entry(f, key, v); ok && r.claim(e) {
			r.into.put(e)
		}
	}
}

// entry reads one element: a text with its suffix, or a table.
func (r *reader) entry(f field, key string, value any) (Rule, bool) {
	e := Rule{Key: f.key, Kind: f.kind, Origin: r.origin(key)}
	switch v := value.(type) {
	case string:
		bad := e.parse(v, inProject(f.key))
		if bad.What == "" && e.Kind == KindCredential {
			bad = credentialText()
		}
		if bad.What != "" {
			r.fail(key, bad)
			return e, false
		}
	case map[string]any:
		if !r.entryTable(&e, inProject(f.key), key, v) {
			return e, false
		}
	default:
		r.fail(key, wrongType(value, "a path", `"~/.gitconfig" or { path = "~/.gitconfig" }`))
		return e, false
	}
	bad := e.judge(inProject(f.key))
	if bad.What != "" {
		r.fail(key, bad)
	}
	return e, bad.What == ""
}

// inProject reports whether the paths of a key are below the project.
func inProject(key string) bool { return strings.HasPrefix(key, "project.") }

// parse reads the short form of an entry.
func (e *Rule) parse(text string, project bool) problem.Problem {
	path := text
	if last := len(path) - 1; last >= 0 && strings.ContainsRune("?!", rune(path[last])) {
		e.Optional, e.Create = path[last] == '?', path[last] == '!'
		path = path[:last]
	}
	switch {
	case strings.HasSuffix(path, "?"), strings.HasSuffix(path, "!"):
		return twoSuffixes(text)
	case e.Create && !e.canCreate():
		return noCreate(e.Kind, text)
	case !project && strings.Contains(path, "*"):
		e.Pattern = e.Kind == KindHide && starName.MatchString(path)
		if !e.Pattern {
			return literal("*", text)
		}
	}
	if bad := e.parsePath(path, project); bad.What != "" {
		return bad
	}
	if dollar(e.Path) {
		return literal("$", text)
	}
	return problem.Problem{}
}

// parsePath reads a path without suffix. Every character stands for itself but for
// what the expression's beginning means and, in the project, for patterns.
func (e *Rule) parsePath(text string, project bool) problem.Problem {
	path := text
	if project {
		switch {
		case text == "", text == ".", strings.HasPrefix(text, "./"):
		case strings.HasPrefix(text, "/"), text == "~", strings.HasPrefix(text, "~/"):
			return notInProject(text)
		default:
			path = "./" + text
		}
	}
	p, err := parse(path)
	switch {
	case err != nil && project && strings.Contains(err.Error(), "climbs"):
		return notInProject(text)
	case err != nil:
		return badPath(err, text)
	}
	e.Path = p
	e.Dir = strings.HasSuffix(text, "/") && strings.Trim(p.Rest, "/") != ""
	if project && isPattern(p.Rest) {
		e.Pattern = true
		return checkNames(p.Rest)
	}
	return problem.Problem{}
}

// canCreate reports whether an absent path of this kind can be made.
func (e *Rule) canCreate() bool { return e.Kind <= KindOverlay }

// canMove reports whether an entry of this kind may stand at another place.
func (e *Rule) canMove() bool { return e.Kind <= KindOverlay || e.Kind == KindCredential }

// dollar reports whether a $ stands where it is not expanded.
func dollar(p expr.Path) bool {
	return strings.Contains(p.Rest, "$") || p.Default != nil && dollar(*p.Default)
}

// entryTable reads the long form of an entry, in which nothing in a path is a
// suffix.
func (r *reader) entryTable(e *Rule, project bool, key string, values map[string]any) bool {
	known := []string{"path", "optional", "why"}
	if e.canMove() {
		known = append(known, "at")
	}
	if e.canCreate() {
		known = append(known, "create", "content")
	}
	if e.Kind == KindRead {
		known = append(known, "links")
	}
	good := true
	for _, name := range r.source.Names(values, key) {
		if !slices.Contains(known, name) {
			r.fail(source.Join(key, name), entryKey(name, known))
			good = false
			continue
		}
		if bad := e.set(name, values[name], project); bad.What != "" {
			r.fail(source.Join(key, name), bad)
			good = false
		}
	}
	if _, ok := values["path"]; !ok {
		r.fail(key, noPath())
		good = false
	}
	return good
}

// set puts one value of the long form.
func (e *Rule) set(name string, value any, project bool) problem.Problem {
	flags := map[string]*bool{"optional": &e.Optional, "create": &e.Create, "links": &e.Links}
	if flag := flags[name]; flag != nil {
		b, ok := value.(bool)
		if !ok {
			return wrongType(value, "true or false", name+" = true")
		}
		*flag = b
		return problem.Problem{}
	}
	text, ok := value.(string)
	if !ok {
		return wrongType(value, "a text", name+` = "..."`)
	}
	switch name {
	case "why":
		e.Why = text
		return checkLine(text)
	case "content":
		e.Content, e.Create = text, true
		return checkContent(text)
	case "at":
		if text == "" {
			return problem.Problem{}
		}
		at, err := parse(text)
		if err != nil {
			return badPath(err, text)
		}
		e.At = at
		return problem.Problem{}
	}
	return e.parsePath(text, project)
}

// judge refuses what no host could make right.
func (e *Rule) judge(project bool) problem.Problem {
	if e.At.Equal(e.Path) {
		e.At = expr.Path{}
	}
	whole := e.Path.Base == expr.Root && e.Path.Rest == "/"
	switch {
	case e.Optional && e.Create:
		return optionalAndCreated(e.Path.String())
	case project && e.Path.Rest == "":
		return wholeProject(e.Kind)
	case e.Kind == KindCredential && e.Why == "":
		return noWhy()
	case (e.Kind == KindHide || e.Kind == KindEmpty) && whole:
		return refusedPlace("/")
	case !e.At.IsZero() && reserved(e.At):
		return refusedPlace(e.At.String())
	case e.Kind != KindHide && e.Kind != KindEmpty && ofProcesses(e.Path):
		return hostProcesses(e.Path.String())
	case OfDevices(e.Path):
		return e.device()
	}
	if e.Kind == KindWrite || e.Kind == KindOverlay {
		if what := wide(e.Path); what != "" {
			return tooWide(what, e.Path.String())
		}
	}
	return problem.Problem{}
}

// ofProcesses reports whether a path tells of the host's processes, or leads into
// one. /proc/cpuinfo and its like do not.
func ofProcesses(p expr.Path) bool {
	name, ok := strings.CutPrefix(p.Rest+"/", "/proc/")
	name, _, _ = strings.Cut(name, "/")
	process := strings.Trim(name, "0123456789") == "" || slices.Contains([]string{"self", "thread-self"}, name)
	return p.Base == expr.Root && ok && process
}

// device judges an entry for a device: it can be opened for reading and for writing,
// or not at all.
func (e *Rule) device() problem.Problem {
	name, _, _ := strings.Cut(strings.TrimPrefix(e.Path.Rest, "/dev/"), "/")
	switch {
	case e.Kind == KindHide, e.Kind == KindEmpty:
		return problem.Problem{}
	case slices.Contains([]string{"console", "core", "fd", "full", "null", "ptmx", "pts", "random", "stderr", "stdin", "stdout", "tty", "urandom", "zero"}, name):
		return ownDevice(e.Path.String())
	case e.Kind != KindWrite:
		return deviceRead(e.Path.String())
	case e.Why == "":
		return deviceNoWhy(e.Path.String())
	}
	return problem.Problem{}
}

// OfDevices reports whether a path is a device, or holds some. Not all that lies in
// /dev does.
func OfDevices(p expr.Path) bool {
	name, ok := strings.CutPrefix(p.Rest, "/dev/")
	name, _, _ = strings.Cut(name, "/")
	return p.Base == expr.Root && ok && !slices.Contains([]string{"disk", "hugepages", "log", "mqueue", "shm"}, name)
}

// reserved reports whether a place belongs to the sandbox itself.
func reserved(p expr.Path) bool {
	if p.Base != expr.Root {
		return false
	}
	return slices.Contains([]string{"/", "/dev", "/proc", "/sys"}, p.Rest) ||
		expr.Below(p.Rest, "/proc") || expr.Below(p.Rest, "/sys")
}
