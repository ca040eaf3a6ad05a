package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// TestReveals says what is shown below something hidden.
func TestReveals(t *testing.T) {
	entry := func(path, at, why string) profile.Rule {
		e := profile.Rule{Kind: profile.KindRead, Path: expr.MustParse(path), Why: why}
		if at != "" {
			e.At = expr.MustParse(at)
		}
		return e
	}
	host := host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{"~/linked": {Kind: host.Dir, Target: "/home/u/data"}}}
	for _, test := range []struct {
		name     string
		base     profile.FilesystemBase
		read     profile.Rule
		hide     string
		revealed []string
		project  bool // may be, too
		refused  string
		hidden   bool // the catalogue's secret is
	}{
		{name: "below", read: entry("~/data/part", "", ""), hide: "~/data", revealed: []string{"~/data/part"}, project: true},
		{name: "at it", read: entry("~/data", "", ""), hide: "~/data", project: true},
		{name: "beside it", read: entry("~/database", "", ""), hide: "~/data", project: true},
		{name: "by its place inside", read: entry("/srv/x", "~/data/x", ""), hide: "~/data", revealed: []string{"~/data/x"}, project: true},
		{name: "no project lies in the system", read: entry("~/x", "", ""), hide: "/etc/ssl"},
		{name: "the system's", read: entry("/etc/ssl/certs", "", ""), hide: "/etc/ssl", revealed: []string{"/etc/ssl/certs"}},
		{name: "nor in a secret", read: entry("~/x", "", ""), hide: "~/.vault/token"},
		{name: "a secret with a reason", base: profile.BaseHost, read: entry("~/.vault/token", "", "needed")},
		{name: "a part of a secret with a reason", base: profile.BaseHost, read: entry("~/.vault/token/x", "", "needed"), revealed: []string{"~/.vault/token/x"}, hidden: true},
		{name: "a secret elsewhere", base: profile.BaseHost, read: entry("~/.vault/token", "~/x", ""), refused: "exposes vault's credential"},
		{name: "a secret elsewhere that is hidden at its place", read: entry("~/.vault/token", "~/x", ""), hide: "~/.vault/token", refused: "exposes vault's credential"},
		{name: "a secret elsewhere that is hidden there", read: entry("~/.vault", "~/x", ""), hide: "~/x/token", refused: "would not be hidden"},
		{name: "elsewhere", read: entry("~/data", "~/x", ""), hide: "~/data/part", refused: `"~/data/part" would not be hidden: "~/data" is shown at "~/x"`},
		{name: "beside it, elsewhere", read: entry("~/data/part", "~/x", ""), hide: "~/data", project: true},
		{name: "by a link", read: entry("~/linked", "", ""), hide: "~/data", refused: `"~/linked" leads to it`},
		{name: "above it, by a link", read: entry("~/linked", "", ""), hide: "~/data/part", project: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := profile.Default()
			p.Filesystem.Base, p.Rules = test.base, profile.Rules{test.read}
			if test.base == profile.BaseHost {
				p.Home.Mode = profile.HomeHost
			}
			if test.hide != "" {
				p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindHide, Path: expr.MustParse(test.hide)})
			}
			plan, err := Build(p, secrets(t), host, Options{})
			judge(t, err, test.refused)
			if err != nil {
				return
			}
			got := texted(plan.Revealed.Paths)
			if !slices.Equal(got, test.revealed) || plan.Revealed.Project != test.project {
				t.Errorf("revealed %q, and the project: %v; want %q and %v", got, plan.Revealed.Project, test.revealed, test.project)
			}
			hidden := plan.Mounts.In(ScopeMask).Any(func(m Mount) bool { return m.Tool != "" && m.Target.String() == "~/.vault/token" })
			if hidden != test.hidden {
				t.Errorf("the secret is hidden: %v, want %v", hidden, test.hidden)
			}
		})
	}
}

func texted(paths []expr.Path) []string {
	var all []string
	for _, p := range paths {
		all = append(all, p.String())
	}
	return all
}
