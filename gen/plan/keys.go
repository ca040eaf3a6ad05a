package plan

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// movers lists the variables that move what tools show: not those that name a
// directory for everything.
func (b *builder) movers() {
	var paths []expr.Path
	for _, g := range b.plan.Toolchains {
		for _, m := range g.Mounts {
			paths = append(paths, m.Source)
		}
	}
	for _, c := range b.plan.Caches {
		paths = append(paths, c.Path)
	}
	general := map[string]bool{"HOME": true, "XDG_CACHE_HOME": true, "XDG_CONFIG_HOME": true, "XDG_DATA_HOME": true, "XDG_STATE_HOME": true}
	if b.plan.Movers = variables(general, paths...); len(b.plan.Movers) > 0 {
		slices.Sort(b.plan.Movers)
		b.plan.Private = keys(b.catalogue)
	}
}

// keys are the directories of home that hold secrets, without those of a tool's
// own caches or toolchains: no variable may move one of these there. Below
// .config and .local/share two stand for all, since what lies above them counts
// too. The names of single files are left out, as far as they can be told.
func keys(c catalogue.Catalogue) []string {
	var all []string
	for _, s := range c.Secrets() {
		name := strings.TrimPrefix(s.Path.Rest, "/")
		if s.Path.Base == expr.Home && s.Kind == catalogue.Credential && directory.MatchString(name) && !file.MatchString(name) {
			all = append(all, name)
		}
	}
	return slices.Compact(all)
}

var (
	directory = regexp.MustCompile(`^(\.[a-z0-9-]+|\.config/gh|\.local/share/keyrings)$`)
	file      = regexp.MustCompile(`(rc|cnf|cfg|env|hst|hsts|boto|info|pass|token|cookie|history|histfile|credentials)$`)
)
