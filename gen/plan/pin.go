package plan

import (
	"path"
	"slices"

	"bwrapgen/gen/expr"
)

// pin keeps what lies between a writable directory and a rule below it from
// being renamed away: it is bound onto itself, and the directory once more over
// that, so that the pins are buried and split no rename or link in two.
func (b *builder) pin() {
	rules := slices.Concat(b.plan.mounts(), b.plan.Masks)
	for i, g := range b.plan.Groups {
		var pinned []Mount
		for _, m := range g.Mounts {
			pinned = append(pinned, m)
			if pins := between(m, rules); m.Op == Bind && len(pins) > 0 {
				pinned = append(append(pinned, pins...), m)
			}
		}
		b.plan.Groups[i].Mounts = pinned
	}
}

// between are pins for the directories above the rules, parents first.
func between(m Mount, rules []Mount) []Mount {
	var pins []Mount
	seen := map[string]bool{}
	for _, r := range rules {
		for _, p := range ancestors(m.Target, r.Target) {
			if !seen[p.String()] {
				seen[p.String()] = true
				pins = append(pins, Mount{Op: ROBind, Source: p, Target: p, Optional: true, Late: m.Late, Why: "cannot be renamed", Origin: r.Origin, pin: true})
			}
		}
	}
	return pins
}

// hold marks what is read-only below a writable directory.
func hold(mounts []Mount) {
	for i, m := range mounts {
		above := func(w Mount) bool {
			return w.Op == Bind && leadsBelow(m.Target, w.Target)
		}
		mounts[i].Held = m.Op == ROBind && m.Source.Equal(m.Target) && slices.ContainsFunc(mounts, above)
	}
}

// leadsBelow reports whether a path lies below another one: what a variable leads to
// where it is set, also below what it moves.
func leadsBelow(p, top expr.Path) bool {
	if p.Base == expr.Variable && p.Default == nil && p.Name == top.Name {
		top.Default = nil
	}
	return p.Below(top)
}

// ancestors lists the paths between two, without them, the longest last. There
// are none where the second does not lie below the first.
func ancestors(top, bottom expr.Path) []expr.Path {
	var all []expr.Path
	if !bottom.Below(top) {
		return nil
	}
	for {
		bottom.Rest = path.Dir(bottom.Rest)
		if bottom.Rest == "/" || bottom.Rest == top.Rest {
			break
		}
		all = append(all, bottom)
	}
	slices.Reverse(all)
	return all
}
