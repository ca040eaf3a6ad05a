package access_test

import (
	"slices"
	"testing"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestDecisive says what the command finds at a path.
func TestDecisive(t *testing.T) {
	for _, test := range []struct{ name, profile, path, what, at string }{
		{"home", "", "/home/u/x", "empty, writable, and gone afterwards", "/home/u"},
		{"home that lasts", "home.mode = \"keep\"", "/home/u", "the sandbox's own, writable, and kept from run to run", "/home/u"},
		{"home of the host", "filesystem.base = \"host\"\nhome.mode = \"host\"", "/home/u/x", "the host's, read-only", "/home/u"},
		{"outside", "", "/srv", "nothing of the host", "/"},
		{"outside in the host base", "filesystem.base = \"host\"", "/srv", "the host's, read-only", "/"},
		{"temporary", "", "/tmp/x", "empty, writable, and gone afterwards", "/tmp"},
		{"temporary that lasts", "tmp.mode = \"keep\"", "/tmp", "the sandbox's own, writable, and kept from run to run", "/tmp"},
		{"temporary of a session", "tmp.mode = \"session\"", "/tmp", "the session's, writable", "/tmp"},
		{"project", "", "/srv/w/x", "the host's, writable", "/srv/w"},
		{"project to read", "project.access = \"read\"", "/srv/w/x", "the host's, read-only", "/srv/w"},
		{"project's view", "project.access = \"overlay\"", "/srv/w/x", "the host's is read; changes stay in the store", "/srv/w"},
		{"protected", "project.protect = [\"a\"]", "/srv/w/a/b", "the host's, read-only; it cannot be made, either", "/srv/w/a"},
		{"protected, as base does, too", "extends = [\"base\"]\nproject.protect = [\".envrc\"]", "/srv/w/.envrc", "the host's, read-only; it cannot be made, either", "/srv/w/.envrc"},
		{"protected by all", "extends = [\"base\"]", "/srv/w/.git/hooks", "the host's, read-only", "/srv/w/.git/hooks"},
		{"hidden by a pattern", "project.hide = [\".env*\", \"apps/*/.env\"]", "/srv/w/.env.local", "hidden", "/srv/w/.env.local"},
		{"below what a pattern hides", "project.hide = [\".env*\", \"apps/*/.env\"]", "/srv/w/apps/a/.env/x", "hidden", "/srv/w/apps/a/.env"},
		{"not hidden by a pattern", "project.hide = [\".env*\", \"apps/*/.env\"]", "/srv/w/apps/.env", "the host's, writable", "/srv/w"},
		{"hidden by a star", "filesystem = { write = [\"~/d\"], hide = [\"~/d/*.key\"] }", "/home/u/d/a.key", "hidden", "/home/u/d/a.key"},
		{"not hidden by a star", "filesystem = { write = [\"~/d\"], hide = [\"~/d/*.key\"] }", "/home/u/d/x/a.key", "the host's, writable", "/home/u/d"},
		{"credential", "filesystem.credential = [{ path = \"/srv/key\", at = \"~/key\", why = \"w\" }]", "/home/u/key", "the host's, read-only, from /srv/key", "/home/u/key"},
		{"hidden in what is writable", "filesystem.write = [\"~/d\"]\nfilesystem.hide = [\"~/d/a/b\"]", "/home/u/d/a/b/c", "hidden", "/home/u/d/a/b"},
		{"above what is hidden", "filesystem.write = [\"~/d\"]\nfilesystem.hide = [\"~/d/a/b\"]", "/home/u/d/a/x", "the host's, writable", "/home/u/d"},
		{"resolver of a network of its own", "extends = [\"default\"]\nnetwork.mode = \"private\"", "/etc/resolv.conf", "the sandbox's own file: names are asked in its own network", "/etc/resolv.conf"},
		{"settings, on the host's home", "filesystem.base = \"host\"\nhome.mode = \"host\"\ntoolchains.use = [\"npm\"]", "/home/u/.npmrc", "the host's, read-only, if there is one, unless it holds a login or sets variables", "/home/u/.npmrc"},
		{"settings of no tool in use", "filesystem.base = \"host\"\nhome.mode = \"host\"", "/home/u/.npmrc", "hidden, if there is one", "/home/u/.npmrc"},
		{"settings that the profile hides", "filesystem = { base = \"host\", hide = [\"~/.npmrc\"] }\nhome.mode = \"host\"\ntoolchains.use = [\"npm\"]", "/home/u/.npmrc", "hidden", "/home/u/.npmrc"},
		{"cache of a session", "toolchains.use = [\"cargo\"]\ncaches.mode = \"session\"", "/home/u/.cargo/registry", "the host's is read; changes stay in the session", "/home/u/.cargo/registry"},
		{"cache that lasts", "toolchains.use = [\"cargo\"]\ncaches.mode = \"keep\"", "/home/u/.cargo/registry", "the host's, copy-on-write; changes are kept for this repository", "/home/u/.cargo/registry"},
		{"cache", "toolchains.use = [\"cargo\"]", "/home/u/.cargo/registry", "the host's is read; changes stay in memory and are thrown away", "/home/u/.cargo/registry"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, at := access.NewIndex(access.Of(build(t, test.profile)), expr.Env{Home: "/home/u", Project: "/srv/w"}).Decisive(test.path)
			if found.What != test.what || at != test.at {
				t.Errorf("%s: %q at %s, want %q at %s", test.path, found.What, at, test.what, test.at)
			}
		})
	}
}

// TestProtectedAbsent: of a name that base protects, explain says what becomes of one that is
// absent; of one of the profile's own, and in a project that is not writable, there is nothing to say.
func TestProtectedAbsent(t *testing.T) {
	const note = "where it is there; else it can be made, and is named at the end"
	for text, want := range map[string]string{
		"extends = [\"base\"]":                                 "the host's, read-only, " + note,
		"extends = [\"base\"]\nproject.protect = [\".envrc\"]": "the host's, read-only; it cannot be made, either",
		"extends = [\"base\"]\nproject.access = \"overlay\"":   "the host's, read-only",
	} {
		found, _ := access.NewIndex(access.Of(build(t, text)), expr.Env{Home: "/home/u", Project: "/srv/w"}).Decisive("/srv/w/.envrc")
		if found.Full() != want {
			t.Errorf("%s: %q, want %q", text, found.Full(), want)
		}
	}
}

// TestScopes: a mount is explained whatever it is part of, but for what the host base shows
// anyway.
func TestScopes(t *testing.T) {
	at := expr.MustParse("/somewhere")
	for _, scope := range plan.Scopes() {
		p := plan.Plan{Mounts: plan.Mounts{{Scope: scope, Source: at, Target: at}}}
		explained := slices.ContainsFunc(access.Of(p), func(s access.Entry) bool { return s.At.Equal(at) })
		if explained == (scope == plan.ScopeBase) {
			t.Errorf("%s: explained: %v", scope, explained)
		}
	}
}

func build(t *testing.T, text string) plan.Plan {
	t.Helper()
	p, err := profile.Parse("box.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	built, err := plan.Build(p, catalogue.BuiltIn(), host.Facts{Arch: "x86_64", Home: "/home/u"}, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}
