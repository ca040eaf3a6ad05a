package plan

import (
	"slices"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// built is the plan of a profile, for a host that has nothing but a home.
func built(t *testing.T, text string) (Plan, error) {
	t.Helper()
	p, err := profile.Parse("p.toml", []byte(text), profile.Loader{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return Build(p, secrets(t), host.Facts{Home: "/home/u"}, Options{})
}

// TestRefusesProfile: what is refused of a whole profile, each beside one that is
// not.
func TestRefusesProfile(t *testing.T) {
	const room = "the host's root has no room for"
	for _, test := range []struct{ name, text, want string }{
		{"few files", "limits.open-files = 63", "too few open files"},
		{"as many files as it needs", "limits.open-files = 64", ""},
		{"a view in the project", `filesystem.overlay = ["./x"]`, "a view inside the project"},
		{"a view", `filesystem.overlay = ["~/x"]`, ""},
		{"a view of a secret", `filesystem.overlay = ["~/.vault"]`, "exposes vault's credential"},
		{"home over the project", "project.at = \"/w\"\nhome.at = \"/w/h\"", "home would hide the project"},
		{"home beside the project", "project.at = \"/w\"\nhome.at = \"/h\"", ""},
		{"home in the host's root", "filesystem.base = \"host\"\nhome = { mode = \"empty\", at = \"/w\" }", room},
		{"home below the host's root", "filesystem.base = \"host\"\nhome = { mode = \"empty\", at = \"/w/h\" }", ""},
		{"the project in the host's root", "filesystem.base = \"host\"\nproject.at = \"/w/p\"", room},
		{"the project where there is room", "filesystem.base = \"host\"\nproject.at = \"/var/tmp/p\"", ""},
		{"accounts of one's own", `filesystem.read = ["/etc/passwd", { path = "~/passwd", at = "/etc/group" }]`, "the launcher makes a /etc/group of its own"},
		{"accounts alone", `filesystem.read = [{ path = "~/passwd", at = "/etc/group" }]`, ""},
		{"a pattern in what is shown elsewhere", "project.hide = [\"*/.env\"]\nfilesystem.read = [{ path = \"./data\", at = \"~/d\" }]", "would not be hidden"},
		{"a pattern beside what is shown elsewhere", "project.hide = [\"d/*/.env\"]\nfilesystem.read = [{ path = \"./data\", at = \"~/d\" }]", ""},
		{"a pattern in what is writable", "project = { access = \"read\", protect = [\"*/.envrc\"] }\nfilesystem.write = [\"./data\"]", "which is protected"},
		{"what the host believes", `filesystem.read = ["~/.vaultrc"]`, "exposes vault's persistence file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := built(t, test.text)
			judge(t, err, test.want)
		})
	}
}

// TestProtectsNested: in a repository below the project, what leads git past its
// hooks is protected with them, and no name of git's is made a directory.
func TestProtectsNested(t *testing.T) {
	p, err := built(t, `project.protect = ["sub/.git/hooks", "other/.git/commondir", "own", ".git/hooks"]`)
	if err != nil {
		t.Fatal(err)
	}
	has := func(all Mounts, name string) bool {
		return all.Any(at(expr.MustParse(name)))
	}
	protected := p.Mounts.In(ScopeProtect)
	own := protected.Where(func(m Mount) bool { return m.Reserved })
	for _, name := range []string{"./sub/.git/hooks", "./sub/.git/commondir", "./sub/.git/config.worktree", "./other/.git/commondir", "./own"} {
		if !has(protected, name) {
			t.Errorf("not protected: %s", name)
		}
	}
	for name, want := range map[string]bool{"./own": true, "./sub/.git/hooks": true, "./other/.git/commondir": false, "./.git/hooks": false} {
		if has(own, name) != want {
			t.Errorf("%s cannot be made: %v, want %v", name, !want, want)
		}
	}
	if has(protected, "./other/.git/config.worktree") {
		t.Error("protected, although nothing of that repository's hooks is")
	}
}

// TestPattern: a pattern is no name of the profile's own, for which something could stand.
func TestPattern(t *testing.T) {
	p, err := built(t, "[project]\nprotect = [\"a*\", \"*/.git/hooks\", \"own\"]\nhide = [\".env*\"]")
	if err != nil {
		t.Fatal(err)
	}
	own := p.Mounts.Where(func(m Mount) bool { return m.Reserved })
	if len(own) != 1 || own[0].Target.String() != "./own" {
		t.Errorf("cannot be made: %v", own)
	}
	for _, m := range p.Mounts.In(ScopeProtect, ScopeMask) {
		if m.Pattern == (m.Target.String() == "./own") {
			t.Errorf("%s is a pattern: %v", m.Target, m.Pattern)
		}
	}
}

// TestHeld: what is read-only below something writable is protected in its place.
func TestHeld(t *testing.T) {
	entry := func(k profile.Kind, path string) profile.Rule {
		return profile.Rule{Kind: k, Path: expr.MustParse(path)}
	}
	p := profile.Default()
	p.Rules = profile.Rules{entry(profile.KindWrite, "~/w"), entry(profile.KindRead, "~/w/in"), entry(profile.KindRead, "~/out")}
	dir := host.PathFact{Kind: host.Dir}
	plan, err := Build(p, secrets(t), host.Facts{Home: "/home/u", Paths: map[string]host.PathFact{"~/w": dir, "~/w/in": dir, "~/out": dir}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range plan.Mounts.In(ScopeOutside) {
		held := m.Target.String() == "~/w/in"
		if m.Held != held {
			t.Errorf("%s: held %v", m.Target, m.Held)
		}
	}
}

// TestHostSecrets: where the host's files are shown, secrets are hidden, but not
// where the sandbox has directories of its own: a mask would make a name there.
func TestHostSecrets(t *testing.T) {
	p, err := built(t, "filesystem.base = \"host\"\nhome.mode = \"host\"")
	if err != nil {
		t.Fatal(err)
	}
	masks := map[string]bool{}
	for _, m := range p.Mounts.In(ScopeMask) {
		masks[m.Target.String()] = true
	}
	if !masks["~/.vault/token"] || masks["/run/vault/sock"] {
		t.Errorf("hidden: %v", masks)
	}
}

// TestWatched: what can be changed is reported at the end, where the profile asks.
func TestWatched(t *testing.T) {
	for text, want := range map[string][]string{
		"project.report = true":                          {".vaultrc"},
		"project = { report = true, access = \"read\" }": nil,
		"project.report = false":                         nil,
	} {
		p, err := built(t, text)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Project.Watched, want) {
			t.Errorf("%s: %q, want %q", text, p.Project.Watched, want)
		}
	}
}
