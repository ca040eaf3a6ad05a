package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// daemons is a catalogue of sockets, one of them under the two names that /run has, and
// of a folder in which something else than start-up files lies.
func daemons(t *testing.T) catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Load(fstest.MapFS{"daemon.toml": {Data: []byte(`
about   = "A daemon."
secrets = ["${DAEMON_HOME:-~/.daemon}/token", "~/.tool/in/key"]
persistence = ["~/docs/agent", "~/.daemonrc"]
sockets = ["/run/d.sock", "/var/run/d.sock", "/run/e", "$XDG_RUNTIME_DIR/d.sock", "$XDG_RUNTIME_DIR/many.*"]
`)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func reads(paths ...profile.Rule) profile.Profile {
	p := profile.Default()
	p.Rules = append(p.Rules, paths...)
	return p
}

func reading(path, why string) profile.Rule {
	return profile.Rule{Kind: profile.KindRead, Path: expr.MustParse(path), Why: why, Origin: profile.Origin{File: "p.toml", Line: 2, Key: "filesystem.read[0]"}}
}

// TestRefusesUnset: a variable that is unset where the launcher is made may be set where
// it starts, and the other way round. Each place that a path may stand for is judged.
func TestRefusesUnset(t *testing.T) {
	set := map[string]string{"XDG_RUNTIME_DIR": "/run/user/7", "DAEMON_HOME": "/srv/d"}
	for _, test := range []struct{ path, why, want string }{
		{"$XDG_RUNTIME_DIR", "", "exposes daemon's control socket $XDG_RUNTIME_DIR/d.sock"},
		{"$XDG_RUNTIME_DIR/d.sock", "", "exposes daemon's control socket $XDG_RUNTIME_DIR/d.sock"},
		{"$XDG_RUNTIME_DIR/d.sock", "needed", ""},
		{"$XDG_RUNTIME_DIR/many.1", "", "exposes daemon's control socket $XDG_RUNTIME_DIR/many.*"},
		{"$XDG_RUNTIME_DIR/many.1", "needed", ""},
		{"$XDG_RUNTIME_DIR/other", "", ""},
		{"${XDG_RUNTIME_DIR:-~/run}/d.sock", "", "exposes daemon's control socket $XDG_RUNTIME_DIR/d.sock"},
		{"/run/user/9/d.sock", "", "exposes daemon's control socket /run/user/*/d.sock"},
		{"/run/user/9/d.sock", "needed", ""},
		{"$DAEMON_HOME", "", "exposes daemon's credential $DAEMON_HOME/token"},
		{"$DAEMON_HOME/token", "needed", ""},
		{"$DAEMON_HOME/other", "", ""},
		{"${DAEMON_HOME:-~/.daemon/token}/x", "", "exposes daemon's credential ~/.daemon/token"},
		{"${XDG_CONFIG_HOME:-~/.daemon}", "", "exposes daemon's credential ~/.daemon/token"},
	} {
		for name, variables := range map[string]map[string]string{"unset": nil, "set": set} {
			t.Run(test.path+" "+test.why+" "+name, func(t *testing.T) {
				_, err := Build(reads(reading(test.path, test.why)), daemons(t), host.Facts{Home: "/home/u", Variables: variables}, Options{})
				judge(t, err, test.want)
			})
		}
	}
}

// TestSocketOfTwoNames: a socket that is named with a reason is shown, by whichever of
// its names; and each hint is a way out.
func TestSocketOfTwoNames(t *testing.T) {
	facts := host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{
		"/run/d.sock":     {Kind: host.Socket},
		"/var/run/d.sock": {Kind: host.Socket, Target: "/run/d.sock"},
		"/var/run/e/sock": {Kind: host.Socket, Target: "/run/e/sock"},
	}}
	for path, way := range map[string]string{"/run/d.sock": "/run/d.sock", "/var/run/d.sock": "/var/run/d.sock", "/var/run/e/sock": "/run/e/sock"} {
		for _, base := range []profile.FilesystemBase{profile.BaseSelect, profile.BaseHost} {
			p := reads(reading(path, ""))
			p.Filesystem.Base = base
			_, err := Build(p, daemons(t), facts, Options{})
			judge(t, err, "exposes daemon's control socket")
			var problems problem.List
			if hint := `{ path = "` + way + `", why = "..." }`; errors.As(err, &problems) && path != way && !strings.HasSuffix(problems[0].Hint, hint) {
				t.Errorf("%s: %q, not %q", path, problems[0].Hint, hint)
			}
			p.Rules = profile.Rules{reading(way, "needed")}
			built, err := Build(p, daemons(t), facts, Options{})
			judge(t, err, "")
			shown := built.Mounts.In(ScopeSystem, ScopeOutside).Any(func(m Mount) bool { return m.Target.String() == way })
			if !shown {
				t.Errorf("%s is not shown on the base %s", way, base)
			}
		}
	}
}

// TestStartUpFilesBelow: what the host would run is hidden in a directory that is shown for
// what else is in it, unless the profile says what for.
func TestStartUpFilesBelow(t *testing.T) {
	moved := reading("~/docs", "")
	moved.At = expr.MustParse("~/d")
	written := reading("~/docs", "")
	written.Kind = profile.KindWrite
	for name, test := range map[string]struct {
		entries []profile.Rule
		hidden  []string
		want    string
	}{
		"above":                   {[]profile.Rule{reading("~/docs", "")}, []string{"~/docs/agent"}, ""},
		"above, in full":          {[]profile.Rule{reading("/home/u/docs", "")}, []string{"~/docs/agent"}, ""},
		"elsewhere":               {[]profile.Rule{moved}, []string{"~/d/agent"}, ""},
		"beside":                  {[]profile.Rule{reading("~/docs/letters", "")}, nil, ""},
		"itself":                  {[]profile.Rule{reading("~/docs/agent", "")}, nil, "exposes daemon's persistence file"},
		"a part":                  {[]profile.Rule{reading("~/docs/agent/x", "")}, nil, "exposes daemon's persistence file"},
		"itself, with a reason":   {[]profile.Rule{reading("~/docs", ""), reading("~/docs/agent", "needed")}, nil, ""},
		"writable":                {[]profile.Rule{written}, nil, "exposes daemon's persistence file"},
		"writable, and it is not": {[]profile.Rule{written, reading("~/docs/agent", "needed")}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := profile.Default()
			for _, e := range test.entries {
				if e.Kind == profile.KindWrite {
					p.Rules = append(p.Rules, e)
				} else {
					p.Rules = append(p.Rules, e)
				}
			}
			built, err := Build(p, daemons(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, test.want)
			var hidden []string
			for _, m := range built.Mounts.In(ScopeMask) {
				hidden = append(hidden, m.Target.String())
			}
			if !slices.Equal(hidden, test.hidden) {
				t.Errorf("hidden: %q, want %q", hidden, test.hidden)
			}
		})
	}
}

// TestOneSentence: what is wrong with an entry is said of that one, and once, also where
// it holds what another profile lists.
func TestOneSentence(t *testing.T) {
	p := profile.Default()
	builtin := reading("~/.tool/in/settings", "")
	builtin.Optional, builtin.Origin = true, profile.Origin{File: "base", Line: 9, Key: "filesystem.read[9]"}
	p.Rules = append(p.Rules, builtin)
	written := reading("~/.tool", "")
	written.Kind = profile.KindWrite
	p.Rules = append(p.Rules, written)
	_, err := Build(p, daemons(t), host.Facts{Home: "/home/u"}, Options{})
	judge(t, err, `"~/.tool" exposes daemon's credential`)
}
