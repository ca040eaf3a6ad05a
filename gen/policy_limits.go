package gen

import (
	"strconv"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// limited reports whether each process has limits of its own.
func limited(l profile.Limits) bool {
	switch {
	case l.Memory > 0, l.OpenFiles > 0, l.CPUTime > 0, l.Processes > 0:
		return true
	}
	return false
}

// around are the processes that bwrap itself adds to those of the command.
const around = 3

// limits are those of [limits], and whether a run is asked about.
func (w *policy) limits(p plan.Plan) {
	l := p.Limits
	if l.Timeout > 0 {
		w.number("timeout", int64(l.Timeout.Seconds()))
		w.number("timeout_most", int64(l.MaxTimeout.Seconds()))
		w.number("kill_after", int64(l.KillAfter.Seconds()))
	}
	var each [][]bash.Word
	limit := func(kind string, most int64) {
		each = append(each, []bash.Word{w.quote(kind), w.quote(strconv.FormatInt(most, 10))})
	}
	if l.Memory > 0 {
		limit("-d", int64(l.Memory)>>10)
	}
	if l.OpenFiles > 0 {
		limit("-n", int64(l.OpenFiles))
	}
	if l.CPUTime > 0 {
		soft := int64(l.CPUTime.Seconds())
		limit("-St", soft)
		limit("-Ht", soft+int64(l.KillAfter.Seconds()))
	}
	var flat []bash.Word
	for _, row := range each {
		flat = append(flat, row...)
	}
	w.array("each_process", flat)
	if l.Memory > 0 {
		w.number("memory_most", int64(l.Memory))
	}
	if l.Processes > 0 {
		w.number("processes_most", int64(l.Processes))
		w.number("tasks_most", int64(l.Processes)+around)
	}
	if l.Output > 0 {
		w.number("output_half", int64(l.Output)/2)
		if len(p.Command) == 0 || p.Command[len(p.Command)-1] == "-c" {
			w.setText("needs_command", "yes")
		}
	}
	w.group("Limits: seconds, bytes, numbers; of each process as ulimit has them.")
	if p.Confirm.Mode == profile.ConfirmAlways {
		hint := "start it on a terminal"
		if p.Confirm.AllowYes {
			hint += ", or agree with --sandbox-yes"
		}
		w.setText("confirm_hint", hint)
		w.group("Each run is asked about. What to do where nobody can be asked:")
	}
}

func (w *policy) number(name string, n int64) { w.setText(name, strconv.FormatInt(n, 10)) }

// judge is what the engine needs to judge variables and links once more.
func (w *policy) judge(p plan.Plan) {
	h := p.Hidden
	if moves(p) {
		w.movable(h)
	}
	if !judged(p) {
		return
	}
	w.list("secret_variables", h.Movable)
	w.group("By none of these variables may a tool keep secrets or sockets in what the profile lists.")
	var rows [][]bash.Word
	var known []bash.Word
	for _, recheck := range p.Rechecks {
		usual := w.quote("/proc/nonexistent")
		if !recheck.Usual.IsZero() {
			usual = w.keep(bash.Join(w.present(recheck.Usual)...))
		}
		rows = append(rows, []bash.Word{w.quote(kindOf(recheck)), w.keep(bash.Join(w.present(recheck.Path)...)), usual})
		known = append(known, w.paths(recheck.Known)...)
	}
	w.table("judged", rows)
	w.array("known_places", compactWords(known))
	w.group("Judged once more at each start: whose entry it is, where it is, and where it is without variables.")
}

// movable says where no variable may lead.
func (w *policy) movable(h plan.Hidden) {
	w.array("movers", w.quoted(h.Movers))
	w.alternatives("tool_places", h.Open)
	w.alternatives("closed_names", h.Bare)
	w.alternatives("closed_caches", h.Caches)
	w.group("Where no variable and no link may lead: what has a dot in home, and these, but for places of the tools' own.")
}

// alternatives adds what stands between the brackets of a pattern @( ).
func (w *policy) alternatives(name string, texts []string) {
	var lines []string
	current := ""
	for i, text := range closed(texts) {
		if i > 0 {
			text = "|" + text
		}
		if len(current)+len(text) > columns-len(name)-5 {
			lines = append(lines, current)
			current = ""
		}
		current += text
	}
	w.lines = append(w.lines, name+"='"+strings.Join(append(lines, current), "'\\\n'")+"'")
}

// closed escapes what would mean something else in a pattern of bash's.
func closed(names []string) []string {
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "|", `\|`, "(", `\(`, ")", `\)`).Replace(name)
	}
	return escaped
}

// judged reports whether variables or links may lead what is shown elsewhere.
func judged(p plan.Plan) bool {
	writes := func(m plan.Mount) bool { return m.Op == plan.Bind }
	return len(p.Rechecks) > 0 && lists(p) || outside(p).Any(writes)
}

// moves reports whether a variable moves what is shown.
func moves(p plan.Plan) bool { return len(p.Hidden.Movers)+len(p.Rechecks) > 0 }

// kindOf says by whose wish an entry is there: a built-in profile's, a user's
// own, or a user's own with a reason.
func kindOf(l plan.Recheck) string {
	switch {
	case !l.Own:
		return "builtin"
	case l.Reason:
		return "reason"
	}
	return "own"
}

// makesForRun reports whether something is made on the host for as long as a sandbox
// runs: what a built-in profile wants, or what is empty in something writable stands at.
func makesForRun(p plan.Plan) bool {
	all := outside(p)
	inWritable := func(m plan.Mount) bool {
		within := func(w plan.Mount) bool { return w.Op == plan.Bind && m.Target.Below(w.Target) }
		return m.Op == plan.Tmpfs && all.Any(within)
	}
	return made(p).Any(forRun) || all.Any(inWritable)
}

// made is what is made on the host where it is absent.
func made(p plan.Plan) plan.Mounts {
	return p.Mounts.In(plan.ScopeOutside, plan.ScopeProject).Where(func(m plan.Mount) bool { return m.Create })
}

// forRun reports whether what is made for a mount is taken away again. What a user's own
// profile wants made stays.
func forRun(m plan.Mount) bool { return m.Origin.Builtin() && m.Source.Base != expr.Project }

// stays reports whether what is made for a mount stays.
func stays(m plan.Mount) bool { return !forRun(m) }
