package plan

import (
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// stowed hides a login where a link in home leads to it, as in a repository of
// dotfiles: that may be the project. Where home is the host's, its place is hidden
// whatever the project is. No other entry that shows it is allowed for that.
func (b *builder) stowed() {
	if b.wholeHost() || b.facts.Home == "" {
		return
	}
	seen := map[string]bool{}
	for _, s := range b.known {
		at, led := b.real(s)
		if s.Kind != catalogue.Credential || !led || !expr.Below(at, b.facts.Home) {
			continue
		}
		p := expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(at, b.facts.Home)}
		if seen[p.Rest] || b.exactly(s.Path) || b.exactly(p) {
			continue
		}
		seen[p.Rest] = true
		b.plan.Masks = append(b.plan.Masks, Mount{
			Op: Mask, Source: p, Target: p, Optional: true, Stowed: true, Why: s.Why, Tool: s.Tool,
			Origin: profile.Origin{File: s.Tool, Key: s.Kind.String()},
		})
	}
}
