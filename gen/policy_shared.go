package gen

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
)

// shared is a directory to which the host and the sandbox both write, with rules for names in it.
type shared struct {
	top   plan.Mount
	names []sharedName
}

// sharedName is a name in a shared directory, and what the launcher does with it.
type sharedName struct {
	kind, name string
	variable   string // the name counts only where this variable is set
}

// The kinds of names. One that begins with fileKind goes on with the first line of a file.
const (
	pinKind   = "pins"
	fileKind  = "file "
	emptyKind = "empty"
)

// sharedKinds are all, in the order in which the policy lists them.
var sharedKinds = []string{pinKind, "folders", "links", fileKind, "existing", emptyKind}

// sharedIn finds the shared directories of a plan, parents first, and the other entries outside the
// project, in their order.
func sharedIn(p plan.Plan) (all []shared, rest plan.Mounts) {
	listed := outside(p)
	for _, top := range sharedTops(listed) {
		all = append(all, shared{top: top})
	}
	for _, m := range listed {
		if i, name := nameIn(all, m); i >= 0 {
			all[i].names = append(all[i].names, name)
		}
	}
	all = slices.DeleteFunc(all, func(s shared) bool {
		return len(s.names) == 0 && !s.top.Create && !(s.top.Optional && s.top.Origin.Builtin())
	})
	for _, m := range listed {
		isTop := func(s shared) bool { return m.Target.Equal(s.top.Target) && (m.Op == plan.Bind || m.Pin()) }
		if i, _ := nameIn(all, m); i < 0 && !slices.ContainsFunc(all, isTop) {
			rest = append(rest, m)
		}
	}
	return all, rest
}

// sharedTops are the directories that may be shared: those that no entry other than such a
// directory lies above.
func sharedTops(listed plan.Mounts) plan.Mounts {
	isShared := func(m plan.Mount) bool {
		return m.Op == plan.Bind && m.InPlace() && !m.Device() && !m.BelowView && m.Text == "" && m.Source.Name != "XDG_RUNTIME_DIR"
	}
	var tops plan.Mounts
	for _, m := range listed.Where(isShared) {
		isOther := func(o plan.Mount) bool { return !isShared(o) && !o.Pin() && m.Target.Within(o.Target) }
		isSame := func(o plan.Mount) bool { return m.Target.Equal(o.Target) }
		if !listed.Any(isOther) && !tops.Any(isSame) {
			tops = append(tops, m)
		}
	}
	depth := func(m plan.Mount) int {
		if needsVariable(m.Target) {
			return 100 + strings.Count(m.Target.Rest, "/") // it may lie below another one's default
		}
		return strings.Count(m.Target.Usual().Rest, "/")
	}
	slices.SortStableFunc(tops, func(a, b plan.Mount) int { return cmp.Compare(depth(a), depth(b)) })
	return tops
}

// nameIn finds the deepest shared directory in which a mount is a name with a kind; -1: none.
func nameIn(all []shared, m plan.Mount) (int, sharedName) {
	for i, s := range slices.Backward(all) {
		top := s.top.Target
		name := sharedName{kind: kindOf(m), name: strings.TrimPrefix(m.Target.Rest, top.Rest+"/")}
		isMoved := top.Rest == "" && needsVariable(m.Target) && m.Target.Name == top.Name && !needsVariable(top)
		if isMoved {
			name.variable = top.Name
		}
		if !m.Target.Below(top) && !(isMoved && m.Target.Rest != "") {
			continue
		}
		isPinnedTop := m.Pin() && slices.ContainsFunc(all, func(o shared) bool { return o.top.Target.Equal(m.Target) })
		if name.kind == "" || isPinnedTop || m.BelowView || !m.InPlace() || !simple.MatchString(name.name) {
			return -1, sharedName{}
		}
		return i, name
	}
	return -1, sharedName{}
}

// kindOf is what the launcher does with a name in a shared directory; empty: it cannot be one.
func kindOf(m plan.Mount) string {
	content, isLine := strings.CutSuffix(m.Text, "\n")
	switch {
	case m.Pin():
		return pinKind
	case m.Op == plan.Tmpfs && !m.Optional:
		return emptyKind
	case m.Op != plan.ROBind:
		return ""
	case m.Create && isLine && !m.Links && !strings.Contains(content, "\n"):
		return fileKind + content
	case m.Create && m.Text == "" && m.Links:
		return "links"
	case m.Create && m.Text == "":
		return "folders"
	case m.Optional && !m.Create && !m.Links:
		return "existing"
	}
	return ""
}

// shared adds the shared directories: a row for each, and below it rows of a kind and names.
func (w *policy) shared(all []shared) {
	var rows [][]bash.Word
	for _, s := range all {
		kind := "write"
		switch {
		case s.top.Create:
			kind = "create"
		case s.top.Optional:
			kind = "write-try"
		}
		rows = append(rows, []bash.Word{w.quote(kind), w.path(s.top.Source)})
		for _, kind := range kindsOf(s.names) {
			rows = append(rows, w.namesOf(s, kind)...)
		}
	}
	w.table("shared_directories", rows)
	w.group("Directories shared with the host, such as an agent's own: writable, and created if the command is " +
		"installed. In them, folders, links (folders in which symbolic links are followed), files (with their first " +
		"line) and other existing names are read-only, since the host would run or believe them. All but the latter " +
		"are created if absent. Those marked empty hold state of other sessions and look empty.")
}

// kindsOf are the kinds of some names, in order.
func kindsOf(names []sharedName) []string {
	var kinds []string
	for _, n := range names {
		kinds = append(kinds, n.kind)
	}
	rank := func(kind string) int {
		return slices.IndexFunc(sharedKinds, func(k string) bool { return kind == k || k == fileKind && strings.HasPrefix(kind, k) })
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return slices.Compact(kinds)
}

// namesOf are rows for the names of a kind, each narrower than a line.
func (w *policy) namesOf(s shared, kind string) [][]bash.Word {
	var names []string
	var rows [][]bash.Word
	for _, n := range s.names {
		if n.kind == kind && n.variable == "" && !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	}
	mark := w.quote(kind)
	for _, line := range fill(names, " ", columns-6-len(mark.String())) {
		rows = append(rows, []bash.Word{mark, w.quote(line)})
	}
	for _, n := range s.names {
		if n.kind == kind && n.variable != "" {
			rows = append(rows, []bash.Word{mark, w.keep(bash.Join(bash.Part{Var: n.variable, Present: []bash.Part{{Text: n.name}}}))})
		}
	}
	return rows
}
