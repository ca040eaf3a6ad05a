package compare_test

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/access"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/compare"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestKeysOfPaths: each key that lists paths is explained, in the diff and in the digest.
// If it shows what the host has there, the path is asked of the host, the launcher judges
// once more where it leads, and no way through it to a secret or a socket is accepted. A
// new key has to keep all of this from its first day.
func TestKeysOfPaths(t *testing.T) {
	docs, err := profile.Reference()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d.Type != "a list of paths" {
			continue
		}
		t.Run(d.Key, func(t *testing.T) {
			at := "~/notes"
			if strings.HasPrefix(d.Key, "project.") {
				at = "./notes"
			}
			k := key{d.Key}
			differs(t, k.profile(at, ""))
			if d.Meaning == "" || d.Example == "" {
				t.Error("the reference says too little")
			}
			if k.shows(t, at) {
				k.judged(t, at)
			}
		})
	}
}

// TestKeysOfVariables: each key that names variables is in the diff and in the digest, and
// takes none that would change bwrap or the launcher.
func TestKeysOfVariables(t *testing.T) {
	for _, form := range []string{`environment.pass = ["NAME"]`, `environment.require = ["NAME"]`, `environment.set = { NAME = "x" }`} {
		named := func(name string) string { return "extends = [\"default\"]\n" + strings.Replace(form, "NAME", name, 1) }
		differs(t, named("MY_TOKEN"))
		for _, name := range []string{"LD_PRELOAD", "project", "BASH_ENV_", "IFS"} {
			if _, err := tried(named(name), notes("")); (err == nil) != (name == "BASH_ENV_") {
				t.Errorf("%s: %v", named(name), err)
			}
		}
	}
}

// key is a key of the schema that lists paths.
type key struct{ name string }

// profile names one path with the key, without a reason where there may be none.
func (k key) profile(path, why string) string {
	entry := `{ path = "` + path + `" }`
	switch {
	case k.name == "filesystem.credential":
		entry = `{ path = "` + path + `", at = "~/.inside", why = "it logs in" }`
	case why != "":
		entry = `{ path = "` + path + `", why = "` + why + `" }`
	}
	return "extends = [\"default\"]\n" + k.name + " = [" + entry + "]"
}

// shows reports whether the command finds there what the host has, and fails the test if
// nothing says that it is the profile's doing.
func (k key) shows(t *testing.T, path string) bool {
	t.Helper()
	side, err := tried(k.profile(path, ""), notes(""))
	if err != nil {
		t.Fatal(err)
	}
	all := slices.DeleteFunc(access.Of(side.Plan), func(s access.Entry) bool { return !strings.HasPrefix(s.From, "box.toml:2") })
	if len(all) == 0 {
		t.Fatal("it is not explained")
	}
	return slices.ContainsFunc(all, func(s access.Entry) bool { return s.Shows.Host() && s.At.Base != expr.Project })
}

// judged fails the test unless the host is asked about what the key shows, and credentials there are refused.
func (k key) judged(t *testing.T, path string) {
	t.Helper()
	p, err := profile.Parse("box.toml", []byte(k.profile(path, "")), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	notesPath := expr.MustParse(path)
	// A credential is one file by its own name, which the launcher checks.
	credential := k.name == "filesystem.credential"
	if !credential && !slices.ContainsFunc(plan.Questions(p, catalogue.BuiltIn()).Paths, notesPath.Equal) {
		t.Error("it is not asked of the host")
	}
	if credential {
		return
	}
	for _, at := range []string{"~/.ssh", "~/.ssh/id_ed25519", "~/.config", "/run/docker.sock", "/run", "$SSH_AUTH_SOCK", "$XDG_RUNTIME_DIR/bus"} {
		if _, err := tried(k.profile(at, ""), notes("")); err == nil {
			t.Errorf("%s is accepted", at)
		}
	}
	for _, target := range []string{"/home/u/.ssh", "/home/u/.gnupg/private-keys-v1.d", "/home/u", "/run/docker.sock"} {
		if _, err := tried(k.profile(path, ""), notes(target)); err == nil {
			t.Errorf("a link to %s is accepted", target)
		}
	}
	if _, err := tried(k.profile("$MY_PLACE/notes", ""), notes("")); err == nil {
		t.Error("a variable of which nobody knows what it holds is accepted")
	}
}

// differs fails the test unless a profile differs from the one that it extends.
func differs(t *testing.T, text string) {
	t.Helper()
	was, err := tried(`extends = ["default"]`, notes(""))
	if err != nil {
		t.Fatal(err)
	}
	is, err := tried(text, notes(""))
	if err != nil {
		t.Fatal(err)
	}
	if compared(t, was, is).Same() {
		t.Errorf("no diff: %s", text)
	}
	if digest(t, was) == digest(t, is) {
		t.Errorf("the digest is the same: %s", text)
	}
}

// notes are the facts of a host where ~/notes is a directory, or a link that leads
// somewhere.
func notes(target string) host.Facts {
	return host.Facts{Arch: "x86_64", Home: "/home/u", Paths: map[string]host.PathFact{
		"~/notes": {Kind: host.Dir, Target: target},
	}}
}

func tried(text string, f host.Facts) (compare.Side, error) {
	p, err := profile.Parse("box.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		return compare.Side{}, err
	}
	return planned(p, f)
}
