package plan

import (
	"slices"

	"bwrapgen/gen/expr"
)

// pin keeps what lies between a writable directory and a rule below it from
// being renamed away: it is bound onto itself, and the directory once more over
// that, so that the pins are buried and split no rename or link in two. What is left out
// is what the launcher makes itself, and masks, which come later.
func pin(shown, masks Mounts) Mounts {
	rules := slices.Concat(shown.entries(), masks)
	var all Mounts
	for _, m := range shown.From(ScopeRoots).Where(isNot(ScopeMask)) {
		all = append(all, m)
		if !m.is(does(Bind), func(m Mount) bool { return m.Scope == ScopeOutside }) {
			continue
		}
		if pins := between(m, rules); len(pins) > 0 {
			all = append(append(all, pins...), m)
		}
	}
	return all
}

// between are pins for the directories above the rules, parents first.
func between(m Mount, rules Mounts) Mounts {
	var pins Mounts
	for _, r := range rules {
		for _, p := range ancestors(m.Target, r.Target) {
			if !pins.Any(at(p)) {
				pins = append(pins, Mount{
					Op: ROBind, Scope: m.Scope, Source: p, Target: p, Optional: true, BelowView: m.BelowView, Why: "cannot be renamed",
					Origin: r.Origin, pin: true,
				})
			}
		}
	}
	return pins
}

// leadsBelow reports whether a path lies below another one: what a variable leads to
// where it is set, also below what it moves.
func leadsBelow(p, top expr.Path) bool {
	isMoved := p.Base == expr.Variable && p.Default == nil
	if isMoved && p.Name == top.Name {
		top.Default = nil
	}
	return p.Below(top)
}

// ancestors lists the paths between two, without them, the longest last. There
// are none where the second does not lie below the first.
func ancestors(top, bottom expr.Path) []expr.Path {
	var all []expr.Path
	for _, up := range bottom.Above() {
		if up.Below(top) {
			all = append(all, up)
		}
	}
	slices.Reverse(all)
	return all
}
