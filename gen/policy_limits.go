package gen

import (
	"strconv"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// around are the processes that bwrap itself adds to those of the command.
const around = 3

// limits are those of [limits], and whether a run is asked about.
func (w *policy) limits(p plan.Plan) {
	l := p.Limits
	if l.Timeout > 0 {
		w.number("timeout", int64(l.Timeout.Seconds()))
		w.number("timeout_most", int64(l.MaxTimeout.Seconds()))
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
	w.array("each_process", w.quoted(each))
	w.number("memory_most", int64(l.Memory))
	if l.Processes > 0 {
		w.number("processes_most", int64(l.Processes))
		w.number("tasks_most", int64(l.Processes)+around)
	}
	w.number("output_half", int64(l.Output)/2)
	noCommand := len(p.Command) == 0 || p.Command[len(p.Command)-1] == "-c"
	w.setIf(l.Output > 0 && noCommand, "needs_command", "yes")
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

// reach says where variables and symlinks may lead, and what the command could replace by a symlink.
func (w *policy) reach(p plan.Plan) {
	w.array("open_places", w.paths(p.Open))
	w.group("A variable or a symlink may lead anywhere except to system directories and to names in home that " +
		"begin with a dot. These and ~/.cache are allowed.")
	var writable []expr.Path
	for _, m := range p.Mounts.In(plan.ScopeOutside, plan.ScopeCache) {
		if m.Op == plan.Bind && !m.Device() {
			writable = append(writable, m.Source)
		}
	}
	w.array("writable_places", w.paths(writable))
	w.group("Writable, besides the project. A symlink in one of these must not lead out of it.")
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
