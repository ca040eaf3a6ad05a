package gen

import (
	"strconv"

	"bwrapgen/gen/expr"
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

// reach says where variables and symlinks may lead, and what the command could replace by a symlink.
func (w *policy) reach(p plan.Plan) {
	w.array("open_places", w.paths(p.Open))
	w.group("Variables and symbolic links may not lead into system directories, or to names in home that begin with a dot, except " +
		"for these places and what is below ~/.agents, ~/.cache and ~/.dotfiles.")
	var writable []expr.Path
	for _, m := range p.Mounts.In(plan.ScopeOutside, plan.ScopeCache) {
		if m.Op == plan.Bind && !m.Device() {
			writable = append(writable, m.Source)
		}
	}
	w.array("writable_places", w.paths(writable))
	w.group("Writable, besides the project. A symbolic link in one of these must not lead out of it.")
}
