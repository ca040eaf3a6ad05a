package plan

import (
	"strings"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// TestNamedByGit: what git's settings name is shown where the settings are, and no secret
// ever; of a program that is not visible there is a note.
func TestNamedByGit(t *testing.T) {
	read := func(path string) profile.Rule {
		return profile.Rule{Kind: profile.KindRead, Path: expr.MustParse(path), Optional: true}
	}
	for _, test := range []struct {
		name, key, path, program string
		fact                     host.PathFact
		shown                    bool
		note                     string
	}{
		{"a file", "core.excludesfile", "~/ignored", "", host.PathFact{Kind: host.File}, true, ""},
		{"a directory elsewhere", "core.hookspath", "/srv/hooks", "", host.PathFact{Kind: host.Dir}, true, ""},
		{"a secret", "include.path", "~/.vault/token", "", host.PathFact{Kind: host.File}, false, ""},
		{"below a secret", "include.path", "~/.vault/token/x", "", host.PathFact{Kind: host.File}, false, ""},
		{"above a secret", "core.hookspath", "~/.vault", "", host.PathFact{Kind: host.Dir}, false, ""},
		{"home", "core.hookspath", "~", "", host.PathFact{Kind: host.Dir}, false, ""},
		{"a link to a secret", "include.path", "~/alias", "", host.PathFact{Kind: host.File, Target: "/home/u/.vault/token"}, false, ""},
		{"where a socket is", "core.hookspath", "/run/vault", "", host.PathFact{Kind: host.Dir}, false, ""},
		{"start-up files themselves", "include.path", "~/.vaultrc", "", host.PathFact{Kind: host.File}, true, ""},
		{"what the profile hides", "core.excludesfile", "~/hidden/ignored", "", host.PathFact{Kind: host.File}, false, ""},
		{"what is visible anyway", "core.hookspath", "/usr/share/hooks", "", host.PathFact{Kind: host.Dir}, false, ""},
		{"borrowed objects", host.Alternates, "~/p/.git/objects", "", host.PathFact{Kind: host.Dir}, true, "the project borrows objects from ~/p/.git/objects"},
		{"a program", "core.pager", "/usr/bin/less", "less", host.PathFact{Kind: host.File}, false, ""},
		{"a program in home", "core.pager", "~/bin/delta", "delta", host.PathFact{Kind: host.File}, false, "git's core.pager starts delta, which is not shown: ~/bin/delta"},
		{"a link to a program in home", "core.pager", "/usr/local/bin/delta", "delta", host.PathFact{Kind: host.File, Target: "/home/u/bin/delta"}, false, "git's core.pager starts delta, which is not shown: /usr/local/bin/delta"},
		{"a program that is shown", "core.pager", "~/tools/delta", "delta", host.PathFact{Kind: host.File}, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			at := expr.MustParse(test.path)
			facts := host.Facts{
				Home: "/home/u", Git: []host.Setting{{Key: test.key, Path: at, Program: test.program}},
				Paths: map[string]host.PathFact{test.path: test.fact, "~/.gitconfig": {Kind: host.File}, "~/tools": {Kind: host.Dir}, "/usr": {Kind: host.Dir}},
			}
			p := profile.Default()
			p.Rules = append(p.Rules, read("/usr"), read("~/tools"), read("~/.gitconfig"))
			p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindHide, Path: expr.MustParse("~/hidden")})
			built := mustBuild(t, p, facts)
			if got := shows(built, at); got != test.shown {
				t.Errorf("shown: %v", got)
			}
			var notes []string
			for _, n := range built.Notes() {
				notes = append(notes, n.What)
			}
			if got := strings.Join(notes, "\n"); got != test.note {
				t.Errorf("noted: %s", got)
			}
			p.Rules = append(p.Rules[:2:2], p.Rules[3]) // without git's settings
			if built := mustBuild(t, p, facts); shows(built, at) || len(built.Notes()) > 0 {
				t.Error("it counts where git's settings are not shown")
			}
		})
	}
}

func mustBuild(t *testing.T, p profile.Profile, f host.Facts) Plan {
	t.Helper()
	built, err := Build(p, secrets(t), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func shows(p Plan, at expr.Path) bool {
	for _, m := range p.Mounts.entries() {
		if m.Source.Equal(at) {
			return true
		}
	}
	return false
}
