// Package compare says what one sandbox exposes that another does not, and what
// it takes away.
//
// It is pure, and compares views, not lists of mounts: what is writable because
// all of its parent is stays so when the parent's entry moves.
package compare

import (
	"slices"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// Side is one of the two sandboxes.
type Side struct {
	Plan    plan.Plan
	Profile profile.Profile // that the plan was built from
}

// Report is all that differs, the weightiest first. Said is what changes nothing
// of what a command can see, reach and use; without the others, two plans have the
// same digest.
type Report struct {
	Exposes   []Change `json:"exposes"`
	TakesAway []Change `json:"takes-away"`
	Differs   []Change `json:"differs"` // neither more nor less is exposed
	Said      []Change `json:"said"`
}

// Change is one difference.
type Change struct {
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"` // a path, a key of the profile, a variable, a socket
	Is      State  `json:"is"`
	Was     State  `json:"was"`
	Secret  string `json:"secret,omitzero"` // what the subject is known to hold, if it is a secret's place
	Except  int    `json:"except,omitzero"` // places below that are hidden, or the sandbox's own, before and after
	Moved   bool   `json:"moved,omitzero"`  // only where a variable leads elsewhere
}

// State is one side of a change.
type State struct {
	What string `json:"what"`          // in words
	From string `json:"from,omitzero"` // file and line, tool, or "by default"
	Why  string `json:"why,omitzero"`  // the author's reason
}

// Same reports whether a command can see, reach and use the same.
func (r Report) Same() bool { return len(r.Exposes)+len(r.TakesAway)+len(r.Differs) == 0 }

// Sides compares two sandboxes. The catalogue says what is secret.
func Sides(was, is Side, c catalogue.Catalogue) (Report, error) {
	d := &differences{
		was: newLook(was), is: newLook(is),
		catalogue: c, secrets: slices.Concat(c.Secrets(), c.Sockets()),
	}
	d.places()
	d.sockets()
	d.variables()
	d.settings()
	d.said()
	if d.report.Same() {
		if err := d.entries(); err != nil {
			return Report{}, err
		}
	}
	d.report.sort()
	return d.report, nil
}

// differences is one comparison.
type differences struct {
	was, is   look
	catalogue catalogue.Catalogue
	secrets   []catalogue.Secret
	report    Report
}

// look is a side, with what it shows.
type look struct {
	Side
	entries []access.Entry
	named   map[string]bool // paths
}

func newLook(s Side) look {
	l := look{s, access.Of(s.Plan), map[string]bool{}}
	for _, one := range l.entries {
		l.named[one.At.String()] = true
	}
	return l
}

// direction says which of two states exposes more.
type direction int

const (
	less    direction = -1
	neither direction = 0
	more    direction = 1
	said    direction = 2 // nothing that counts
)

func (d *differences) note(to direction, c Change) {
	list := map[direction]*[]Change{
		less: &d.report.TakesAway, neither: &d.report.Differs, more: &d.report.Exposes, said: &d.report.Said,
	}[to]
	*list = append(*list, c)
}

// noteIf is note for states that may be the same.
func (d *differences) noteIf(to direction, c Change) {
	if c.Is.What != c.Was.What {
		d.note(to, c)
	}
}
