package adopt_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/adopt"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

func imported(t *testing.T, name, src string) adopt.Result {
	t.Helper()
	result, err := adopt.Import(name, []byte(src), catalogue.BuiltIn(), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// parsed reads a profile that was made.
func parsed(t *testing.T, r adopt.Result) profile.Profile {
	t.Helper()
	p, err := profile.Parse("imported.toml", r.Profile, profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Profile)
	}
	return p
}

// own are the entries of a list that stand in the file itself, as they are written.
func own(t *testing.T, r adopt.Result, table, key string) []string {
	t.Helper()
	var all map[string]any
	if err := toml.Unmarshal(r.Profile, &all); err != nil {
		t.Fatal(err)
	}
	inner, _ := all[table].(map[string]any)
	list, _ := inner[key].([]any)
	var texts []string
	for _, one := range list {
		switch one := one.(type) {
		case string:
			texts = append(texts, one)
		case map[string]any:
			texts = append(texts, one["path"].(string)+" with a reason")
		}
	}
	return texts
}

// comments are those at the top of a profile.
func comments(r adopt.Result) string {
	text := string(r.Profile)
	return text[:strings.Index(text, "\n\n")]
}

const claude = `{
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Read(//srv/docs/**)", "Edit(~/notes/**)", "WebFetch(domain:docs.rs)", "WebSearch"],
    "deny": ["Read(./.env)", "Read(**/*.pem)", "Read(~/.config/app/**)", "Edit(/Makefile)", "Bash(curl:*)", "WebFetch(domain:evil.example)"],
    "ask": ["Bash(git push:*)"],
    "additionalDirectories": ["../sibling", "/srv/other"],
    "defaultMode": "acceptEdits"
  },
  "sandbox": {
    "enabled": true,
    "excludedCommands": ["docker"],
    "allowUnsandboxedCommands": true,
    "filesystem": {
      "allowWrite": ["/srv/build", "~/.cache/tool", "/tmp"],
      "denyWrite": ["./vendor", "/srv/build/keep"],
      "denyRead": ["~/secret", "secrets/**"],
      "allowRead": ["~/secret/public"]
    },
    "network": {
      "allowedDomains": ["github.com", "*.npmjs.org", "localhost", "npm"],
      "deniedDomains": ["uploads.github.com"],
      "allowUnixSockets": ["/run/user/1000/pulse/native", "/var/run/docker.sock"],
      "httpProxyPort": 8080
    }
  },
  "env": {"NODE_ENV": "test"},
  "model": "opus",
  "futureKey": {"x": 1}
}`

// TestClaude: settings of Claude Code mean the same in a profile, or stand there as a
// comment.
func TestClaude(t *testing.T) {
	r := imported(t, "settings.json", claude)
	p := parsed(t, r)
	if p.Filesystem.Base != profile.BaseHost || p.Home.Mode != profile.HomeEmpty || p.Network.Mode != profile.NetworkAllow {
		t.Errorf("base, home and network are %v, %v, %v", p.Filesystem.Base, p.Home.Mode, p.Network.Mode)
	}
	for _, test := range []struct {
		table, key string
		want       []string
	}{
		{"filesystem", "write", []string{"~/.cache/tool?", "/srv/build?", "/srv/other?", "~/notes?"}},
		{"filesystem", "read", []string{"/srv/build/keep?", "~/secret/public?", "/srv/docs?"}},
		{"filesystem", "hide", []string{"~/secret?", "~/.config/app?"}},
		{"project", "hide", []string{"secrets?", ".env?", "*.pem?", "*/*.pem?"}},
		{"project", "protect", []string{"vendor?", "Makefile?"}},
		{"network", "allow", []string{"github.com", "*.npmjs.org", "docs.rs", "api.anthropic.com:443", "claude.ai:443", "platform.claude.com:443"}},
		{"sockets", "pass", []string{"pulse"}},
	} {
		got := own(t, r, test.table, test.key)
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s.%s: got %q, want %q", test.table, test.key, got, test.want)
		}
	}
	if !slices.Equal(p.Command, []string{"claude"}) || !slices.ContainsFunc(p.Rules, func(r profile.Rule) bool { return r.Path.String() == "${CLAUDE_CONFIG_DIR:-~/.claude}" }) {
		t.Errorf("the launcher runs %q, without Claude's own directory:\n%s", p.Command, r.Profile)
	}
	if len(p.Environment.Set) == 0 || !slices.ContainsFunc(p.Environment.Set, func(v profile.Variable) bool { return v.Name == "NODE_ENV" && v.Text == "test" }) {
		t.Errorf("the environment is %v", p.Environment.Set)
	}
	for _, said := range []string{
		"Bash(npm run test:*)", "Bash(curl:*)", "Bash(git push:*)", "WebFetch(domain:evil.example)", "Read(**/*.pem)", "../sibling", "defaultMode",
		"excludedCommands", "allowUnsandboxedCommands", "localhost", "uploads.github.com", "/var/run/docker.sock", "httpProxyPort", "futureKey", "/tmp",
	} {
		if !strings.Contains(comments(r), said) {
			t.Errorf("nothing is said of %s", said)
		}
	}
	if r.Left == 0 || strings.Contains(string(r.Profile), "opus") {
		t.Errorf("%d are left out\n%s", r.Left, r.Profile)
	}
}

// TestRuntime: settings of sandbox-runtime and fence.
func TestRuntime(t *testing.T) {
	for name, test := range map[string]struct{ file, src, format string }{
		"sandbox-runtime": {"srt.json", `{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {"denyRead": ["~/x"], "allowWrite": [".", "~/y"], "denyWrite": [".env"], "allowGitConfig": true}}`, "sandbox-runtime"},
		"fence":           {"fence.json", "{\n// why\n" + `"extends": "code", "command": {"deny": ["git push"]}, "filesystem": {"denyRead": ["~/x"], "allowWrite": ["~/y"], "denyWrite": [".env"]} /* end */}`, "fence"},
	} {
		r := imported(t, test.file, test.src)
		p := parsed(t, r)
		if !strings.Contains(r.Format, test.format) || p.Network.Mode != profile.NetworkNone {
			t.Errorf("%s: it is %s, and the network %v", name, r.Format, p.Network.Mode)
		}
		hide, write, protect := own(t, r, "filesystem", "hide"), own(t, r, "filesystem", "write"), own(t, r, "project", "protect")
		if !slices.Equal(hide, []string{"~/x?"}) || !slices.Equal(write, []string{"~/y?"}) || !slices.Equal(protect, []string{".env?"}) {
			t.Errorf("%s: %q, %q, %q", name, hide, write, protect)
		}
	}
	if said := comments(imported(t, "fence.json", `{"command": {"deny": ["git push"]}, "extends": "code", "filesystem": {}}`)); !strings.Contains(said, "git push") || !strings.Contains(said, "extends") {
		t.Errorf("a fence's commands and template are left out in silence: %s", said)
	}
}

// TestRefused: of a path for which the settings say two things, what the schema refuses is
// left out, and the other stays.
func TestRefused(t *testing.T) {
	r := imported(t, "srt.json", `{"filesystem": {"allowWrite": ["/srv/x", "/srv/y"], "denyWrite": ["/srv/x"]}}`)
	write, read := own(t, r, "filesystem", "write"), own(t, r, "filesystem", "read")
	if !slices.Equal(write, []string{"/srv/y?"}) || !slices.Equal(read, []string{"/srv/x?"}) {
		t.Errorf("%q can be written to, and %q read", write, read)
	}
	if !strings.Contains(comments(r), `filesystem.write: "/srv/x?"`) {
		t.Errorf("nothing is said of it: %s", comments(r))
	}
}

// TestCodex: both ways in which Codex is told.
func TestCodex(t *testing.T) {
	old := imported(t, "config.toml", "sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nwritable_roots = [\"/srv/out\"]\nnetwork_access = true\n")
	p := parsed(t, old)
	if p.Project.Access != profile.AccessWrite || p.Network.Mode != profile.NetworkHost || !slices.Equal(own(t, old, "filesystem", "write"), []string{"/srv/out?"}) {
		t.Errorf("%s", old.Profile)
	}
	if p := parsed(t, imported(t, "config.toml", `sandbox_mode = "read-only"`)); p.Project.Access != profile.AccessRead || p.Network.Mode != profile.NetworkAllow || len(p.Network.Allow) != 3 || p.Command[0] != "codex" {
		t.Errorf("read-only is %v, %v", p.Project.Access, p.Network.Mode)
	}
	if r := imported(t, "config.toml", `sandbox_mode = "danger-full-access"`); r.Left != 1 {
		t.Errorf("no word about danger-full-access: %s", r.Profile)
	}
	named := imported(t, "config.toml", `
default_permissions = "edit"
[permissions.edit.filesystem]
":minimal" = "read"
"/srv/out" = "write"
"~/private" = "deny"
":weird" = "read"
[permissions.edit.filesystem.":workspace_roots"]
"." = "write"
"docs" = "read"
".env" = "deny"
"**/*.pem" = "deny"
[permissions.edit.network]
enabled = true
[permissions.edit.network.domains]
"api.example.com" = "allow"
"bad.example.com" = "deny"
`)
	p = parsed(t, named)
	if p.Project.Access != profile.AccessWrite || p.Network.Mode != profile.NetworkAllow {
		t.Errorf("%v, %v\n%s", p.Project.Access, p.Network.Mode, named.Profile)
	}
	if got := own(t, named, "project", "hide"); !slices.Equal(got, []string{"*.pem?", "*/*.pem?", ".env?"}) {
		t.Errorf("hidden are %q", got)
	}
	if got := own(t, named, "project", "protect"); !slices.Equal(got, []string{"docs?"}) {
		t.Errorf("protected are %q", got)
	}
	for _, said := range []string{":weird", "bad.example.com", "**/*.pem"} {
		if !strings.Contains(comments(named), said) {
			t.Errorf("nothing is said of %s", said)
		}
	}
}

// TestCodexKeys: of each key of Codex's, the profile or its comments have something.
func TestCodexKeys(t *testing.T) {
	named := "default_permissions = \"e\"\n[permissions.e"
	for _, test := range []struct{ src, want string }{
		{"sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nexclude_slash_tmp = true\n", "#     a launcher's /tmp is private"},
		{"sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nnew_key = 1\n", "#   sandbox_workspace_write.new_key: 1\n"},
		{"sandbox_mode = \"workspace-write\"\n[shell_environment_policy]\nset = { A = \"b\" }\n", "\"A\" = \"b\"\n"},
		{"sandbox_mode = \"workspace-write\"\n[shell_environment_policy]\ninclude_only = [\"CI\"]\n", "pass = [\n  \"CI\",\n]"},
		{"sandbox_mode = \"workspace-write\"\n[shell_environment_policy]\ninherit = \"all\"\n", "#   shell_environment_policy.inherit: \"all\"\n"},
		{"default_permissions = \":read-only\"\n", "access = \"read\"\n"},
		{"default_permissions = \"gone\"\n", "#     there is no [permissions.gone]\n"},
		{named + "]\nextends = \":other\"\n", "#   permissions.e.extends: \":other\"\n"},
		{named + ".workspace_roots]\n\"/srv/x\" = true\n", "write = [\n  \"/srv/x?\",\n]"},
		{named + ".network.unix_sockets]\n\"/run/user/1000/wayland-1\" = \"allow\"\n", "pass = [\n  \"wayland\",\n]"},
		{named + ".network]\nmode = \"x\"\n", "#   permissions.e.network.mode: \"x\"\n"},
		{named + ".filesystem]\n\":tmpdir\" = \"write\"\n", "#     a launcher's /tmp is private"},
		{named + ".filesystem]\n\"/srv/x\" = \"odd\"\n", "#     it is no access that is known\n"},
		{named + ".filesystem]\n\"/srv/x\" = { y = \"read\" }\n", "#     only names below the project are patterns\n"},
		{named + ".filesystem.\":cwd\"]\n\"a\" = \"write\"\n", "write = [\n  \"./a\",\n]"},
		{named + ".filesystem]\n\":cwd\" = \"none\"\n", "#     a launcher always shows its project\n"},
	} {
		r := imported(t, "config.toml", test.src)
		parsed(t, r)
		if !strings.Contains(string(r.Profile), test.want) {
			t.Errorf("%s\nhas no %q:\n%s", test.src, test.want, r.Profile)
		}
	}
}

// TestScript: what a call of bwrap asks for stands in the profile, or in a comment.
func TestScript(t *testing.T) {
	r := imported(t, "box", `#!/bin/bash
args=(--ro-bind /usr /usr --ro-bind-try "$HOME/.ssh" "$HOME/.ssh" --bind "$HOME/.config" "$HOME/.config" --symlink usr/bin /bin)
args+=(--dev-bind /dev/dri /dev/dri --ro-bind "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY")
[[ -e $MORE ]] && args+=(--ro-bind "$MORE" "$MORE")
[[ -e /opt ]] && args+=(--ro-bind /opt /opt)
args+=(--bind "$PWD" "$PWD" --ro-bind "$PWD/.envrc" "$PWD/.envrc" --ro-bind /dev/null "$PWD/.env" --bind /tmp /tmp --cap-add CAP_NET_RAW)
args+=(--clearenv --setenv LANG "$LANG" --setenv CI 1 --setenv X "$(date)" --setenv HOME "$HOME" --unshare-net --hostname box --new-session)
exec bwrap "${args[@]}" -- make "$@"
`)
	p := parsed(t, r)
	for _, test := range []struct {
		table, key string
		want       []string
	}{
		{"filesystem", "read", []string{"/usr", "~/.ssh with a reason", "~/.config/git/config?", "~/.config/git/ignore?", "~/.config/git/attributes?", "/opt?"}},
		{"filesystem", "write", []string{"/dev/dri with a reason"}},
		{"project", "protect", []string{".envrc"}},
		{"project", "hide", []string{".env"}},
		{"environment", "pass", []string{"LANG"}},
		{"sockets", "pass", []string{"wayland"}},
	} {
		if got := own(t, r, test.table, test.key); !slices.Equal(got, test.want) {
			t.Errorf("%s.%s: got %q, want %q", test.table, test.key, got, test.want)
		}
	}
	if p.Network.Mode != profile.NetworkNone || p.Terminal.Mode != profile.TerminalNewSession || !slices.Equal(p.Command, []string{"make"}) {
		t.Errorf("%v %v %q", p.Network.Mode, p.Terminal.Mode, p.Command)
	}
	for _, said := range []string{"$MORE", "~/.config", "/tmp /tmp", "CAP_NET_RAW", "--setenv X", "--hostname box"} {
		if !strings.Contains(comments(r), said) {
			t.Errorf("nothing is said of %s:\n%s", said, comments(r))
		}
	}
}

// TestReplaced: of a directory that a launcher refuses because of the credentials in it, what base has is shown
// at the same place; below a directory that can be shown, and at another place, nothing is added.
func TestReplaced(t *testing.T) {
	for bound, want := range map[string]bool{"--ro-bind /etc /etc": true, "--bind /etc /etc": true, "--ro-bind /etc/ssl /etc/ssl": false, "--ro-bind /etc /host-etc": false} {
		r := imported(t, "box", "bwrap --ro-bind /usr /usr "+bound+" --unshare-all -- ls\n")
		read := own(t, r, "filesystem", "read")
		for _, name := range []string{"/etc/passwd", "/etc/resolv.conf?", "/etc/nsswitch.conf?", "/etc/ssl/certs?"} {
			if slices.Contains(read, name) != want {
				t.Errorf("%s: %s is shown: %v", bound, name, !want)
			}
		}
		if slices.Contains(read, "/etc") || slices.Contains(read, "/opt?") {
			t.Errorf("%s: too much is shown: %q", bound, read)
		}
	}
}

// TestScriptTwice: of a variable that a call sets twice, the last value counts, as for bwrap.
func TestScriptTwice(t *testing.T) {
	r := imported(t, "box", "bwrap --ro-bind /usr /usr --unshare-all --clearenv --setenv A 1 --setenv B 2 --setenv A 3 ls\n")
	set := parsed(t, r).Environment.Set
	isLast := func(v profile.Variable) bool { return v.Name == "A" && v.Text == "3" }
	if len(set) != 2 || !slices.ContainsFunc(set, isLast) {
		t.Errorf("the environment is %v", set)
	}
}

// TestNotInSilence: of whatever stands in a call, the profile says something.
func TestNotInSilence(t *testing.T) {
	for _, option := range []string{
		"--ro-bind /srv/a /srv/b", "--bind /srv/a /srv/a", "--dev-bind /dev/kvm /dev/kvm", "--ro-bind $X /srv/a", "--tmpfs /srv/a", "--dir /srv/a",
		"--symlink /srv/a /srv/b", "--file 9 /srv/a", "--ro-bind-data 9 /srv/a", "--mqueue /srv/a", "--uid 7", "--gid 7", "--hostname srv", "--cap-add ALL",
		"--seccomp 9", "--args 9", "--setenv A srv", "--setenv A $B", "--chdir /srv", "--perms 0700 --dir /srv/a", "--size 9 --tmpfs /srv/a",
		"--overlay-src /srv/a --tmp-overlay /srv/b", "--overlay-src /srv/a --overlay /srv/b /srv/c /srv/d", "--overlay-src /srv/a --overlay-src /srv/b --tmp-overlay /srv/c",
		"--bind / /", "--bind $HOME $HOME", "--ro-bind / /srv/a", "--bind /run /run", "--dev-bind /dev /dev", "--userns 9", "--as-pid-1", "--proc /srv/proc", "--sync-fd 9", "$UNKNOWN", "${MORE:+$MORE}", "${MORE:+\"${ALL[@]}\"}",
	} {
		without := imported(t, "x", "bwrap --ro-bind /usr /usr --unshare-all -- ls\n")
		with := imported(t, "x", "bwrap --ro-bind /usr /usr --unshare-all "+option+" -- ls\n")
		parsed(t, with)
		if string(with.Profile) == string(without.Profile) {
			t.Errorf("%s makes no difference", option)
		}
	}
}

// TestProblems: what cannot be read gets one sentence and a hint.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"x.json", `{"sandbox": `, "is no JSON"},
		{"x.json", `{"theme": "dark"}`, "has no settings of a sandbox"},
		{"x.toml", `model = "x"`, "has neither sandbox_mode"},
		{"x.toml", `=`, "is no TOML"},
		{"x", "echo\n", "does not call bwrap"},
		{"x", "#!/usr/bin/python3\n", "is no script for bash"},
	} {
		_, err := adopt.Import(test.name, []byte(test.src), catalogue.BuiltIn(), profile.Loader{Builtin: profiles.FS})
		var own problem.Problem
		var script problem.Problem
		what, hint := "", ""
		if errors.As(err, &own) {
			what, hint = own.What, own.Hint
		} else if errors.As(err, &script) {
			what, hint = script.What, script.Hint
		}
		if !strings.Contains(what, test.want) || hint == "" {
			t.Errorf("%q: got %v", test.src, err)
		}
	}
}

// FuzzImport: whatever the file holds, what is made of it is a profile.
func FuzzImport(f *testing.F) {
	f.Add("x.json", claude)
	f.Add("x.toml", "default_permissions = \"a\"\n[permissions.a.filesystem]\n\"/x\" = \"write\"\n")
	f.Add("x", "bwrap --ro-bind / / --bind \"$PWD\" /w --setenv A \"b\\\"c\" --symlink 'a\nb' /x -- sh -c '\x01'\n")
	tools := catalogue.BuiltIn()
	loader := profile.Loader{Builtin: profiles.FS}
	f.Fuzz(func(t *testing.T, name, src string) {
		r, err := adopt.Import(name, []byte(src), tools, loader)
		if err != nil {
			if strings.Contains(err.Error(), "bug") {
				t.Error(err)
			}
			return
		}
		if _, err := profile.Parse("imported.toml", r.Profile, loader); err != nil {
			t.Errorf("%v\n%s", err, r.Profile)
		}
	})
}
