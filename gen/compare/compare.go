// Package compare says what one sandbox exposes that another does not, and what
// it takes away.
//
// It is pure, and compares what is found at paths, not lists of mounts: what is writable
// because all of its parent is stays so when the parent's entry moves.
package compare

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// Side is one of the two sandboxes.
type Side struct {
	Plan    plan.Plan
	Profile profile.Profile // that the plan was built from
}

// Report is all that differs, the most important first. Said is what changes nothing
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
	Kind       Kind   `json:"kind"`
	Subject    string `json:"subject"` // a path, a key of the profile, a variable, a socket
	Is         State  `json:"is"`
	Was        State  `json:"was"`
	Secret     string `json:"secret,omitzero"` // what the subject is known to hold, if it is a secret's place
	Credential bool   `json:"-"`               // the subject is, or lies in, a credential
	Except     int    `json:"except,omitzero"` // places below that are hidden, or the sandbox's own, before and after
	Moved      bool   `json:"moved,omitzero"`  // only where a variable leads elsewhere
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
	d := &differences{was: newLook(was), is: newLook(is), catalogue: c, secrets: c.Hidden()}
	d.report = Report{[]Change{}, []Change{}, []Change{}, []Change{}} // JSON has every list
	d.places()
	d.join(d.was.reach(), d.is.reach())
	d.variables()
	d.join(d.was.settings(d.is), d.is.settings(d.was))
	if d.report.Same() {
		if err := d.entries(); err != nil {
			return Report{}, err
		}
	}
	for _, list := range []*[]Change{&d.report.Exposes, &d.report.TakesAway, &d.report.Differs, &d.report.Said} {
		slices.SortStableFunc(*list, func(a, b Change) int {
			return cmp.Or(cmp.Compare(a.weight(), b.weight()), cmp.Compare(a.Subject, b.Subject))
		})
	}
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
	named   map[string]access.Entry // by path, the last

	env   expr.Env     // one state of the variables
	index access.Index // of the entries there
}

func newLook(s Side) look {
	l := look{Side: s, entries: access.Of(s.Plan), named: map[string]access.Entry{}}
	for _, one := range l.entries {
		l.named[one.At.String()] = one
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

// exposes reports whether something is exposed, or taken away.
func (to direction) exposes() bool { return slices.Contains([]direction{less, more}, to) }

func (d *differences) note(to direction, c Change) {
	list := map[direction]*[]Change{
		less: &d.report.TakesAway, neither: &d.report.Differs, more: &d.report.Exposes, said: &d.report.Said,
	}[to]
	*list = append(*list, c)
}

// fact is what one side has under a subject that is no path.
type fact struct {
	kind    Kind
	subject string
	State
	much   int64 // how much it lets the command do
	isSaid bool  // it lets it do nothing
}

// join compares facts under the same subjects. What one side does not have is out of its
// reach.
func (d *differences) join(was, is []fact) {
	for _, subject := range union(subjects(was), subjects(is)) {
		under := func(f fact) bool { return f.subject == subject }
		before := fact{State: State{What: "out of reach"}}
		after := before
		if i := slices.IndexFunc(was, under); i >= 0 {
			before = was[i]
		}
		if i := slices.IndexFunc(is, under); i >= 0 {
			after = is[i]
		}
		if before.What == after.What {
			continue
		}
		to := direction(cmp.Compare(after.much, before.much))
		if after.isSaid {
			to = said
		}
		c := Change{Kind: max(before.kind, after.kind), Subject: subject, Was: before.State, Is: after.State}
		if name, isVariable := strings.CutPrefix(subject, "$"); isVariable && to.exposes() {
			c.Secret = plan.Sensitive(d.catalogue, name)
			c.Credential = c.Secret != ""
		}
		if c.Secret != "" {
			c.Kind = Secret
		}
		d.note(to, c)
	}
}

func subjects(facts []fact) []string {
	var all []string
	for _, f := range facts {
		all = append(all, f.subject)
	}
	return all
}

// union lists the texts of both, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
