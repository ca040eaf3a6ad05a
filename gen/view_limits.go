package gen

import (
	"strconv"
	"time"

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

func (w *viewer) limits(p plan.Plan) limitView {
	l := p.Limits
	v := limitView{Scope: l.Memory > 0 || l.Processes > 0, Confirm: w.confirm(p)}
	if l.Timeout > 0 {
		v.Timeout = &timeout{w.seconds(l.Timeout), w.seconds(l.KillAfter), w.seconds(l.MaxTimeout)}
	}
	if l.Memory > 0 {
		v.Memory = w.atMost(int64(l.Memory))
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
		v.Processes, v.Tasks = w.atMost(int64(l.Processes)), w.atMost(int64(l.Processes)+around)
	}
	if l.Output > 0 {
		v.Capture = &capture{w.number(int64(l.Output) / 2)}
		v.NeedsCommand = len(p.Command) == 0 || p.Command[len(p.Command)-1] == "-c"
	}
	v.Choices = v.Timeout != nil || v.Capture != nil || v.Confirm != nil && v.Confirm.Yes
	return v
}

// ulimit is one command that limits each process that follows.
func (w *viewer) ulimit(kind string, most int64) []bash.Word {
	return []bash.Word{w.quote("ulimit"), w.quote(kind), w.number(most)}
}

func (w *viewer) seconds(d time.Duration) bash.Word { return w.number(int64(d.Seconds())) }

func (w *viewer) number(n int64) bash.Word { return w.quote(strconv.FormatInt(n, 10)) }

// atMost is a limit where there is one.
func (w *viewer) atMost(n int64) *bash.Word {
	word := w.number(n)
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

func (w *viewer) confirm(p plan.Plan) *confirm {
	if p.Confirm.Mode != profile.ConfirmAlways {
		return nil
	}
	hint := "start it on a terminal"
	if p.Confirm.AllowYes {
		hint += ", or agree with --sandbox-yes"
	}
	return &confirm{p.Confirm.AllowYes, w.quote(hint)}
}
