package gen

import (
	"strconv"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// limitView is what the templates see of [limits].
type limitView struct {
	Timeout                  *timeout
	Choices                  bool // some option takes a value or comes beside an action
	Capture                  *capture
	Confirm                  *confirm
	NeedsCommand             bool          // the launcher's arguments are the command
	Ulimits                  [][]bash.Word // commands
	Memory, Processes, Tasks *bash.Word    // bytes, and numbers
	Scope                    bool
}

type timeout struct{ Seconds, Grace, Most bash.Word }

// around are the processes that bwrap itself adds to those of the command.
const around = 3

func (w *viewer) limits(v *view, p plan.Plan) {
	l := p.Limits
	if l.Timeout > 0 {
		v.Timeout = &timeout{w.number(l.Timeout.Seconds()), w.number(l.KillAfter.Seconds()), w.number(l.MaxTimeout.Seconds())}
	}
	if l.Memory > 0 {
		v.Memory = w.numbered(int64(l.Memory))
		v.Ulimits = append(v.Ulimits, w.ulimit("-d", int64(l.Memory)>>10))
	}
	if l.OpenFiles > 0 {
		v.Ulimits = append(v.Ulimits, w.ulimit("-n", int64(l.OpenFiles)))
	}
	if l.CPUTime > 0 {
		soft := int64(l.CPUTime.Seconds())
		v.Ulimits = append(v.Ulimits, w.ulimit("-St", soft), w.ulimit("-Ht", soft+int64(l.KillAfter.Seconds())))
	}
	if l.Processes > 0 {
		v.Processes, v.Tasks = w.numbered(int64(l.Processes)), w.numbered(int64(l.Processes)+around)
	}
	v.Scope = l.Memory > 0 || l.Processes > 0
	w.capture(v, p)
	v.Choices = v.Timeout != nil || v.Capture != nil || p.Confirm.AllowYes && v.Confirm != nil
}

// ulimit is one command that limits each process that follows.
func (w *viewer) ulimit(kind string, most int64) []bash.Word {
	return []bash.Word{w.quote("ulimit"), w.quote(kind), *w.numbered(most)}
}

func (w *viewer) number(n float64) bash.Word { return *w.numbered(int64(n)) }

func (w *viewer) numbered(n int64) *bash.Word {
	word := w.quote(strconv.FormatInt(n, 10))
	return &word
}

// capture is how much of the output is kept at either end.
type capture struct{ Half bash.Word }

// confirm is whether a question can be answered in advance, and what to do
// where nobody can be asked.
type confirm struct {
	Yes  bool
	Hint bash.Word
}

func (w *viewer) capture(v *view, p plan.Plan) {
	if p.Limits.Output > 0 {
		v.Capture = &capture{*w.numbered(int64(p.Limits.Output) / 2)}
		v.NeedsCommand = len(p.Command) == 0 || p.Command[len(p.Command)-1] == "-c"
	}
	if p.Confirm.Mode != profile.ConfirmAlways {
		return
	}
	hint := "start it on a terminal"
	if p.Confirm.AllowYes {
		hint += ", or agree with --sandbox-yes"
	}
	v.Confirm = &confirm{p.Confirm.AllowYes, w.quote(hint)}
}
