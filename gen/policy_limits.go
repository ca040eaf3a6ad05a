package gen

import (
	"strconv"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// around is how many processes bwrap adds to those of the command.
const around = 3

// limits writes [limits] and [confirm].
func (w *policy) limits(p plan.Plan) {
	l := p.Limits
	if l.Timeout > 0 {
		w.number("timeout", int64(l.Timeout.Seconds()))
		w.number("max_timeout", int64(l.MaxTimeout.Seconds()))
		w.setText("kill_after", strconv.Itoa(int(l.KillAfter.Seconds())))
	}
	var each []string
	limit := func(kind string, most int64) {
		if most > 0 {
			each = append(each, kind, strconv.FormatInt(most, 10))
		}
	}
	limit("-d", int64(l.Memory)>>10)
	limit("-n", int64(l.OpenFiles))
	if l.CPUTime > 0 {
		soft := int64(l.CPUTime.Seconds())
		limit("-St", soft)
		limit("-Ht", soft+int64(l.KillAfter.Seconds()))
	}
	w.array("process_limits", w.quoted(each))
	w.number("max_memory", int64(l.Memory))
	if l.Processes > 0 {
		w.number("max_processes", int64(l.Processes))
		w.number("max_tasks", int64(l.Processes)+around)
	}
	w.number("output_half", int64(l.Output)/2)
	noCommand := len(p.Command) == 0 || p.Command[len(p.Command)-1] == "-c"
	w.setIf(l.Output > 0 && noCommand, "needs_command", "yes")
	w.group("Limits, in seconds and bytes; process_limits are options of ulimit.")
	if p.Confirm.Mode == profile.ConfirmAlways {
		hint := "run it on a terminal"
		if p.Confirm.AllowYes {
			hint += ", or confirm with --sandbox-yes"
		}
		w.setText("confirm_hint", hint)
		w.group("Each run must be confirmed; the hint where there is no terminal to ask on.")
	}
}

// judge is what the engine needs to judge variables and links once more.
func (w *policy) judge(p plan.Plan) {
	h := p.Hidden
	if moves(p) {
		w.array("movers", w.quoted(h.Movers))
		w.alternatives("tool_places", h.Open)
		w.alternatives("closed_names", h.Bare)
		w.alternatives("closed_caches", h.Caches)
	}
	w.group("Where no variable and no link may lead: what has a dot in home, and these, but for places of the tools' own.")
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
			usual = w.orEmpty(recheck.Usual)
		}
		rows = append(rows, []bash.Word{w.quote(recheck.By()), w.orEmpty(recheck.Path), usual})
		known = append(known, w.paths(recheck.Known)...)
	}
	w.table("judged", rows)
	w.array("known_places", compactWords(known))
	w.group("Judged once more at each start: whose entry it is, where it is, and where it is without variables.")
}

// alternatives adds what stands between the brackets of a pattern @( ).
func (w *policy) alternatives(name string, names []string) {
	escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "|", `\|`, "(", `\(`, ")", `\)`)
	var texts []string
	for i, text := range names {
		text = escape.Replace(text)
		if i > 0 {
			text = "|" + text
		}
		texts = append(texts, text)
	}
	lines := fill(texts, "", columns-len(name)-5)
	w.lines = append(w.lines, name+"='"+strings.Join(lines, "'\\\n'")+"'")
}

// judged reports whether variables or links may lead what is shown elsewhere.
func judged(p plan.Plan) bool {
	writes := func(m plan.Mount) bool { return m.Op == plan.Bind }
	return len(p.Rechecks) > 0 && lists(p) || outside(p).Any(writes)
}

// moves reports whether a variable moves what is shown.
func moves(p plan.Plan) bool { return len(p.Hidden.Movers)+len(p.Rechecks) > 0 }
