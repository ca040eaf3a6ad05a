package plan

import (
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// symlinked hides a login where a link in home leads to it, as in a repository of
// dotfiles: that may be the project. Where home is the host's, its place is hidden
// whatever the project is. No other entry that shows it is allowed for that.
func (b *builder) symlinked() Mounts {
	if b.wholeHost() {
		return nil
	}
	var all Mounts
	for _, s := range b.secretsOf(catalogue.Credential) {
		real, _ := b.real(s)
		p := expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(real, b.facts.Home)}
		switch {
		case !expr.Below(real, b.facts.Home), all.Any(at(p)), b.exactly(s.Path), b.exactly(p):
			continue
		}
		m := hiddenSecret(s, p)
		m.Symlinked = true
		all = append(all, m)
	}
	return all
}
