package plan

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

func secrets(t *testing.T) catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Load(fstest.MapFS{"vault.toml": {Data: []byte(`
about   = "A vault."
secrets = ["~/.vault/token", "${VAULT_HOME:-~/.vault2}/token", "~/.vault3/key"]
persistence = ["~/.vaultrc"]
config  = [{ path = "~/.config/vault", why = "names programs" }]
sockets = [{ path = "/run/vault/sock", why = "acts for anybody" }]
project = ["./.vaultrc"]
`)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRefusals(t *testing.T) {
	facts := host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{
		"~/alias":       {Kind: host.Dir, Target: "/home/u/.vault"},
		"~/stowed":      {Kind: host.Dir},
		"~/.vault3/key": {Kind: host.File, Target: "/home/u/stowed/key"},
		"~/.vaultrc":    {Kind: host.File, Target: "/home/u/dotfiles/vaultrc"},
		"~/out":         {Kind: host.Dir, Target: "/home"},
		"~/linked":      {Kind: host.Dir, Target: "/home/u/dotfiles/vaultrc/x"},
	}}
	entry := func(k profile.Kind, path, why string) profile.Rule {
		return profile.Rule{Kind: k, Path: expr.MustParse(path), Why: why, Origin: profile.Origin{File: "p.toml", Line: 2, Key: "filesystem.read[0]"}}
	}
	tests := []struct {
		name  string
		entry profile.Rule
		want  string // empty: allowed
	}{
		{"home", entry(profile.KindWrite, "~", ""), "the home directory would be writable"},
		{"above home", entry(profile.KindWrite, "/home", ""), "the home directory would be writable"},
		{"system", entry(profile.KindWrite, "/usr/lib", ""), "a system directory would be writable"},
		{"below home", entry(profile.KindWrite, "~/src", ""), ""},
		{"secret", entry(profile.KindRead, "~/.vault/token", ""), "exposes vault's credential"},
		{"secret with a reason", entry(profile.KindRead, "~/.vault/token", "needed"), ""},
		{"above a secret", entry(profile.KindRead, "~/.vault", "needed"), "exposes vault's credential"},
		{"below a secret", entry(profile.KindRead, "~/.vault/token/x", ""), "exposes vault's credential"},
		{"below a secret with a reason", entry(profile.KindRead, "~/.vault/token/x", "needed"), ""},
		{"a secret's usual place", entry(profile.KindRead, "~/.vault2", ""), "exposes vault's credential"},
		{"a link to a secret", entry(profile.KindRead, "~/alias", ""), "exposes vault's credential ~/.vault/token"},
		{"where a secret's link leads", entry(profile.KindRead, "~/stowed", ""), "exposes vault's credential ~/.vault3/key"},
		{"a folder of start-up files may be read", entry(profile.KindRead, "~/dotfiles", ""), ""},
		{"but not written", entry(profile.KindWrite, "~/dotfiles", ""), "exposes vault's persistence file ~/.vaultrc"},
		{"a link into start-up files", entry(profile.KindWrite, "~/linked", ""), ""},
		{"a link to above home", entry(profile.KindWrite, "~/out", ""), "the home directory would be writable"},
		{"settings may be read", entry(profile.KindRead, "~/.config/vault", ""), ""},
		{"settings may not be written", entry(profile.KindWrite, "~/.config/vault", ""), "exposes vault's settings file"},
		{"above a socket", entry(profile.KindRead, "/run/vault", ""), "exposes vault's control socket"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := profile.Default()
			if test.entry.Kind == profile.KindRead {
				p.Rules = append(p.Rules, test.entry)
			} else {
				p.Rules = append(p.Rules, test.entry)
			}
			_, err := Build(p, secrets(t), facts, Options{})
			judge(t, err, test.want)
		})
	}
}

// TestRefusesMoved: a secret that a variable moves is judged where it lies, and so
// is what the profile names with a reason, or hides.
func TestRefusesMoved(t *testing.T) {
	facts := host.Facts{Home: "/home/u", Variables: map[string]string{"VAULT_HOME": "/home/u/v"}}
	for _, test := range []struct{ path, why, hide, want string }{
		{"~/v", "", "", "exposes vault's credential $VAULT_HOME/token"},
		{"~/v", "needed", "", "exposes vault's credential $VAULT_HOME/token"},
		{"~/v/token", "", "", "exposes vault's credential $VAULT_HOME/token"},
		{"~/v/token", "needed", "", ""},
		{"~/v/token/x", "needed", "", ""},
		{"~/v", "", "~/v/token", ""},
		{"~/v", "", "~/v/tok", "exposes vault's credential $VAULT_HOME/token"},
		{"~/v/other", "", "", ""},
	} {
		t.Run(test.path+" "+test.why+test.hide, func(t *testing.T) {
			p := profile.Default()
			p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindRead, Path: expr.MustParse(test.path), Why: test.why})
			if test.hide != "" {
				p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindHide, Path: expr.MustParse(test.hide)})
			}
			_, err := Build(p, secrets(t), facts, Options{})
			judge(t, err, test.want)
		})
	}
}

// TestRefusesFileAsView: a view is one of a directory. What only a launch can tell is left
// to it: whether something is there at all, and where a link leads then.
func TestRefusesFileAsView(t *testing.T) {
	for kind, want := range map[host.Kind]string{
		host.Dir: "", host.Dangling: "", host.File: "a view of what is no directory", host.Pipe: "a view of what is no directory",
	} {
		p := profile.Default()
		p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindOverlay, Path: expr.MustParse("~/data")})
		_, err := Build(p, secrets(t), host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{"~/data": {Kind: kind}}}, Options{})
		judge(t, err, want)
	}
}

func TestRefusesProject(t *testing.T) {
	const shown = "the project would show vault's credential"
	for _, test := range []struct{ root, hide, want string }{
		{"~/code", "", ""},
		{"~/.vault/token", "", shown},
		{"~/.vault/token/x", "", shown},
		{"~/.vault", "", shown},
		{"~/.vault", "./token", ""},
		{"~/.vault", "~/.vault/token", ""},
		{"~/.vault", "./other", shown},
	} {
		t.Run(test.root+" "+test.hide, func(t *testing.T) {
			p := profile.Default()
			p.Project.Root = profile.Root{Kind: profile.RootPath, Path: expr.MustParse(test.root)}
			if test.hide != "" {
				p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindHide, Path: expr.MustParse(test.hide)})
			}
			_, err := Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, test.want)
		})
	}
}

func TestRefusesVariables(t *testing.T) {
	const loader, own = "would change bwrap itself", "the launcher has a variable"
	for name, want := range map[string]string{
		"LD_PRELOAD": loader, "LD_*": loader, "L*": loader, "GLIBC_TUNABLES": loader, "LANG": "", "LC_*": "",
		"mounts": own, "bwrap": own, "m*": own, "UID": own, "IFS": own, "BASH_*": own, "R*": own,
		"http_proxy": "", "npm_*": "", "RUST_*": "", "UV_PYTHON": "", "BASH_ENV": "",
	} {
		t.Run(name, func(t *testing.T) {
			p := profile.Default()
			p.Environment.Pass = []profile.Item{{Text: name}}
			_, err := Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, want)
			if strings.HasSuffix(name, "*") {
				return
			}
			p.Environment.Pass, p.Environment.Set = nil, []profile.Variable{{Name: name}}
			_, err = Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, want)
		})
	}
}

func judge(t *testing.T, err error, want string) {
	t.Helper()
	var problems problem.List
	switch {
	case want == "" && err != nil:
		t.Errorf("got %v, want no error", err)
	case want == "":
	case !errors.As(err, &problems) || len(problems) != 1:
		t.Errorf("got %v, want one problem", err)
	case !strings.Contains(problems[0].What, want) || problems[0].Hint == "":
		t.Errorf("got %+v, want a sentence with %q, and a hint", problems[0], want)
	}
}

// TestRefusesOpened: what is writable in a project that is not may hold nothing
// that is protected.
func TestRefusesOpened(t *testing.T) {
	for _, test := range []struct {
		write, protect string
		access         profile.Access
		want           string
	}{
		{"./a", "./a/b/c", profile.AccessRead, `"./a" would make "./a/b/c" writable`},
		{"./a", "./a/b", profile.AccessOverlay, `"./a" would make "./a/b" writable`},
		{"./a", "./a/b", profile.AccessWrite, ""},
		{"./a", "./ab", profile.AccessRead, ""},
		{"./a/b", "./a", profile.AccessRead, ""},
		{"~/a", "./a/b", profile.AccessRead, ""},
	} {
		t.Run(test.write+" "+test.protect, func(t *testing.T) {
			p := profile.Default()
			p.Project.Access = test.access
			p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindProtect, Path: expr.MustParse(test.protect)})
			p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindWrite, Path: expr.MustParse(test.write)})
			_, err := Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, test.want)
		})
	}
}

// TestRefusesBetween: a view covers nothing that is to be mounted over it.
func TestRefusesBetween(t *testing.T) {
	for _, test := range []struct{ write, overlays, want string }{
		{"~/a/b", "~/a ~/a/b/c", `"~/a/b" lies in one view and above another, "~/a/b/c"`},
		{"~/a/b/c", "~/a ~/a/b", ""},
		{"~/a/b", "~/a/b/c", ""},
		{"~/a/b", "~/a ~/a/bc", ""},
	} {
		t.Run(test.write+" "+test.overlays, func(t *testing.T) {
			p := profile.Default()
			p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindWrite, Path: expr.MustParse(test.write)})
			for _, at := range strings.Fields(test.overlays) {
				p.Rules = append(p.Rules, profile.Rule{Kind: profile.KindOverlay, Path: expr.MustParse(at)})
			}
			_, err := Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, test.want)
		})
	}
}

// TestRefusesCovered: a project that is always the same covers what the profile lists
// below it by a path of the host.
func TestRefusesCovered(t *testing.T) {
	for _, test := range []struct {
		kind   profile.Kind
		at     string
		access profile.Access
		want   string
	}{
		{profile.KindWrite, "~/p/out", profile.AccessRead, `"~/p/out" lies in the project`},
		{profile.KindWrite, "/home/u/p/out", profile.AccessOverlay, `"/home/u/p/out" lies in the project`},
		{profile.KindWrite, "~/p/out", profile.AccessWrite, ""},
		{profile.KindWrite, "~/p", profile.AccessRead, ""},
		{profile.KindWrite, "~/pout", profile.AccessRead, ""},
		{profile.KindEmpty, "~/p/out", profile.AccessWrite, `"~/p/out" lies in the project`},
		{profile.KindEmpty, "./out", profile.AccessWrite, ""},
		{profile.KindRead, "~/p/out", profile.AccessWrite, ""},
	} {
		t.Run(test.at, func(t *testing.T) {
			p := profile.Default()
			p.Project.Access, p.Project.Root = test.access, profile.Root{Kind: profile.RootPath, Path: expr.MustParse("~/p")}
			entries := []profile.Rule{{Kind: test.kind, Path: expr.MustParse(test.at)}}
			switch test.kind {
			case profile.KindWrite:
				p.Rules = append(p.Rules, entries...)
			case profile.KindEmpty:
				p.Rules = append(p.Rules, entries...)
			default:
				p.Rules = append(p.Rules, entries...)
			}
			_, err := Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
			judge(t, err, test.want)
		})
	}
}
