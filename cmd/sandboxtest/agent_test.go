package sandboxtest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// agent is what a profile of a coding agent promises, with paths below home.
type agent struct {
	profile, command string
	state            []string // it writes there
	token            string   // it reads it, and renews it by renaming
	held             []string // it cannot change them: a directory ends in a slash
	lost             string   // it can write there, and the host sees nothing of it
	apart            []string // directories of its own: neither sees what the other has there
	stays            string   // a directory that it cannot move, since something below is held
}

func agents() []agent {
	return []agent{
		{"claude-code", "claude", []string{".claude"}, ".claude/.credentials.json",
			[]string{".claude/.git/", ".claude/settings.json", ".claude/settings.local.json", ".claude/CLAUDE.md", ".claude/hooks/", ".claude/commands/", ".claude/plugins/", ".claude/local/",
				".claude/chrome/", ".claude/workflows/", ".claude/routines/", ".claude/daemon.json", ".claude/remote-settings.json", ".claude/loop.md", ".claude/cowork_plugins/", ".claude/dev-mods/",
				".claude/file-suggestion.sh", ".claude/statusline.sh", ".claude/statusline-command.sh", ".claude/agent-memory/", ".claude/memory/"}, "",
			[]string{".claude/daemon", ".claude/ide", ".claude/jobs", ".claude/mcp-skill-archives", ".claude/seed-admin", ".claude/session-env", ".claude/sessions", ".claude/shell-snapshots", ".claude/state", ".claude/tasks", ".claude/teams"}, ""},
		{"codex", "codex", []string{".codex"}, ".codex/auth.json",
			[]string{".codex/.git/", ".codex/config.toml", ".codex/hooks.json", ".codex/AGENTS.md", ".codex/AGENTS.override.md", ".codex/rules/", ".codex/skills/", ".codex/hooks/", ".codex/notify.py", ".codex/memories/"}, "",
			[]string{".codex/.tmp", ".codex/app-server-control", ".codex/app-server-daemon", ".codex/packages", ".codex/shell_snapshots", ".codex/tmp", ".codex/worktrees"}, ""},
		{"gemini-cli", "gemini", []string{".gemini"}, ".gemini/gemini-credentials.json",
			[]string{".gemini/.git/", ".gemini/settings.json", ".gemini/trustedFolders.json", ".gemini/commands/", ".gemini/extensions/", ".gemini/policies/", ".gemini/acknowledgments/", ".gemini/bin/", ".gemini/trusted_hooks.json", ".gemini/tmp/bin/", ".gemini/hooks/"}, "",
			[]string{".gemini/cli-browser-profile", ".gemini/history"}, ".gemini/tmp"},
		{"opencode", "opencode", []string{".local/share/opencode", ".local/state/opencode"}, ".local/share/opencode/auth.json",
			[]string{".config/opencode/", ".local/share/opencode/bin/"}, "",
			[]string{".local/share/opencode/repos", ".local/share/opencode/snapshot", ".local/share/opencode/worktree"}, ""},
		{"aider", "aider", []string{".aider"}, ".aider/oauth-keys.env", nil, "", nil, ""},
		{"goose", "goose", []string{".config/goose", ".local/share/goose", ".local/state/goose"}, ".config/goose/secrets.yaml",
			[]string{".config/goose/.git/", ".config/goose/config.yaml", ".config/goose/permission.yaml", ".config/goose/recipes/", ".local/share/goose/schedule.json", ".local/share/goose/scheduled_recipes/"}, "", nil, ""},
		{"crush", "crush", []string{".local/share/crush"}, ".local/share/crush/crush.json", nil, "", nil, ""},
		{"amp", "amp", []string{".local/share/amp"}, ".local/share/amp/secrets.json", nil, ".config/amp/settings.json", nil, ""},
		{"copilot-cli", "copilot", []string{".copilot"}, ".copilot/config.json",
			[]string{".copilot/.git/", ".copilot/settings.json", ".copilot/mcp-config.json", ".copilot/hooks/", ".copilot/pkg/", ".copilot/statusline.sh"}, "",
			[]string{".copilot/ide", ".copilot/servers"}, ""},
		{"qwen-code", "qwen", []string{".qwen"}, ".qwen/oauth_creds.json",
			[]string{".qwen/.git/", ".qwen/AGENTS.md", ".qwen/settings.json", ".qwen/extensions/", ".qwen/commands/", ".qwen/bin/", ".qwen/channels/", ".qwen/locales/", ".qwen/rules/",
				".qwen/mcpApprovals.json", ".qwen/output-language.md", ".qwen/output-styles/", ".qwen/updates/", ".qwen/workflows/", ".qwen/hooks/", ".qwen/statusline-command.sh", ".qwen/memories/"}, "",
			[]string{".qwen/arena", ".qwen/boards", ".qwen/extension-store", ".qwen/history", ".qwen/ide", ".qwen/scratch-workspaces", ".qwen/sessions", ".qwen/tasks", ".qwen/teams", ".qwen/tmp", ".qwen/worktrees"}, ""},
		{"cursor-cli", "cursor-agent", []string{".cursor", ".config/cursor"}, ".cursor/cli-config.json",
			[]string{".cursor/.git/", ".cursor/mcp.json", ".cursor/hooks.json", ".cursor/extensions/", ".cursor/rules/", ".cursor/hooks/", ".cursor/statusline.sh"}, "", []string{".cursor/worktrees"}, ""},
	}
}

// words are those that a profile gives its agent before the caller's.
func (a agent) words(w world) string {
	if a.profile != "codex" {
		return ""
	}
	return `-c sandbox_mode="danger-full-access" -c check_for_update_on_startup=false -c projects={"` + w.Project + `"={trust_level="trusted"}} `
}

// fake is an agent that tries what it must not: HELD and FOREIGN are lists, a
// path to a line. It says one word for each attempt that it could do.
const fake = `#!/bin/bash
while read -r p; do [[ -z $p ]] || { printf x >>"$HOME/$p/history.jsonl" && echo "history $p"; }; done <<<"$STATE"
[[ $(<"$HOME/$TOKEN") == the-* ]] && echo token
printf the-new-token >"$HOME/$TOKEN.tmp" && mv "$HOME/$TOKEN.tmp" "$HOME/$TOKEN" && echo renewed
while read -r p; do
  case $p in
    '') ;;
    */) { printf x >"$HOME/${p}evil" || mv "$HOME/${p%/}" "$HOME/${p%/}.moved"; } && echo "changed $p" ;;
    *) { printf evil >"$HOME/$p" || mv "$HOME/$p" "$HOME/$p.moved" || rm -f "$HOME/$p"; } && echo "changed $p" ;;
  esac
done <<<"$HELD"
[[ -z $LOST ]] || { chmod 0700 "$HOME/${LOST%/*}" && printf x >"$HOME/$LOST" && echo "written $LOST"; }
while read -r p; do
  [[ -z $p ]] || { ls "$HOME/$p/theirs" >&2 && echo "seen $p"; printf x >"$HOME/$p/own" && echo "own $p"; }
done <<<"$APART"
[[ -z $STAYS ]] || { mv "$HOME/$STAYS" "$HOME/$STAYS.moved" && mv "$HOME/$STAYS.moved" "$HOME/$STAYS" && echo "moved $STAYS"; }
while read -r p; do [[ -z $p ]] || { grep -q the- "$HOME/$p" && echo "foreign $p"; }; done <<<"$FOREIGN"
echo "arguments $*"
`

// TestAgents starts each agent's profile with an agent that was installed below
// ~/.local and has logged in.
func TestAgents(t *testing.T) {
	t.Parallel()
	for i, a := range agents() {
		try := func(t *testing.T, s harness.Setting) {
			w := newWorld(t, s)
			w.plantAgents(t)
			w.Put(t, filepath.Join(w.Home, ".local/bin", a.command), []byte(fake))
			a.judge(t, w)
		}
		t.Run(a.profile, func(t *testing.T) {
			t.Parallel()
			if i == 0 {
				harness.Ends(t, try)
			} else {
				harness.Turn(t, i, try)
			}
		})
	}
}

// plantAgents makes the tokens of all agents.
func (w world) plantAgents(t *testing.T) {
	t.Helper()
	files := map[string]string{"home/.local/bin/README": "programs\n"}
	for _, a := range agents() {
		files["home/"+a.token] = secret
		if a.lost != "" {
			files["home/"+filepath.Dir(a.lost)+"/README"] = "settings\n"
		}
		for _, dir := range a.held {
			if strings.HasSuffix(dir, ".git/") {
				files["home/"+dir+"config"] = "[core]\n"
			} else if slices.Contains([]string{".sh", ".py", ".yaml"}, path.Ext(dir)) {
				files["home/"+dir] = "{}\n"
			}
		}
		for _, dir := range a.apart {
			files["home/"+dir+"/theirs"] = "of a session on the host\n"
		}
	}
	w.Write(t, files)
	w.Give(t, w.Home)
}

func (a agent) judge(t *testing.T, w world) {
	t.Helper()
	l := w.launch(t, "extends = [\""+a.profile+"\"]\n[environment]\npass = [\"STATE\", \"TOKEN\", \"HELD\", \"LOST\", \"APART\", \"STAYS\", \"FOREIGN\"]")
	foreign := []string{".ssh/id_test", ".gnupg/secring.gpg", ".aws/credentials", ".netrc"}
	for _, o := range agents() {
		if o.profile != a.profile {
			foreign = append(foreign, o.token)
		}
	}
	lines := func(list []string) string { return strings.Join(list, "\n") }
	environment := []string{"STATE=" + lines(a.state), "TOKEN=" + a.token, "HELD=" + lines(a.held), "LOST=" + a.lost, "APART=" + lines(a.apart), "STAYS=" + a.stays, "FOREIGN=" + lines(foreign)}
	l.Environment = harness.With(l.Environment, append(environment, "PATH="+w.Home+"/.local/bin:"+w.path())...)

	want := []string{"token", "renewed", "arguments " + a.words(w) + "a b"}
	for _, dir := range a.state {
		want = append(want, "history "+dir)
	}
	if a.lost != "" {
		want = append(want, "written "+a.lost)
	}
	for _, dir := range a.apart {
		want = append(want, "own "+dir)
	}
	absent := slices.DeleteFunc(slices.Clone(a.held), func(p string) bool { return harness.Exists(filepath.Join(w.Home, p)) })
	got := l.Run(t, "a b")
	if said := strings.Fields(strings.ReplaceAll(got.Stdout, " ", "_")); !same(said, underscored(want)) {
		t.Errorf("inside it could do\n%sand should\n%s\n%s", got.Stdout, lines(want), got.Stderr)
	}
	if text, _ := os.ReadFile(filepath.Join(w.Home, a.token)); string(text) != "the-new-token" {
		t.Errorf("the host has the token %q", text)
	}
	if a.lost != "" && harness.Exists(filepath.Join(w.Home, a.lost)) {
		t.Errorf("the host has %s", a.lost)
	}
	for _, dir := range a.apart {
		if harness.Exists(filepath.Join(w.Home, dir, "own")) {
			t.Errorf("the host has what was written to %s", dir)
		}
		want = append(want, "seen "+dir)
	}
	if a.stays != "" {
		want = append(want, "moved "+a.stays)
	}
	want[2] = "arguments a b"
	for _, p := range a.held {
		want = append(want, "changed "+p)
	}
	for _, p := range absent {
		if !harness.Exists(filepath.Join(w.Home, p)) {
			t.Errorf("the host has no %s, which is created", p)
		}
	}
	w.Give(t, w.Home)
	for _, p := range foreign {
		want = append(want, "foreign "+p)
	}
	l.Program = filepath.Join(w.Home, ".local/bin", a.command)
	l.Environment = harness.With(l.Environment, "HOME="+w.Home)
	if said := strings.Fields(strings.ReplaceAll(l.Run(t, "a b").Stdout, " ", "_")); !same(said, underscored(want)) {
		t.Errorf("outside it could do\n%s\nand should\n%s", lines(said), lines(want))
	}
}

// TestClaudeSettings: the file with the programs that the host starts is in
// Claude's directory only for who sets the variable. Then it cannot be changed;
// without it, the sandbox has one of its own in that place.
func TestClaudeSettings(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/moved/README": "settings\n"})
		w.Give(t, w.Home)
		const do = `cd "$CLAUDE_CONFIG_DIR" && echo x >history; echo x >>.claude.json || mv .claude.json gone || echo held`
		l := w.launch(t, "extends = [\"claude-code\"]\ncommand = [\"sh\", \"-c\"]")
		l.Environment = harness.With(l.Environment, "CLAUDE_CONFIG_DIR")
		l.Run(t, do).Expect(t, "without the variable", 0, "")
		l.Environment = harness.With(l.Environment, "CLAUDE_CONFIG_DIR="+filepath.Join(w.Home, "moved"))
		l.Run(t, do).Expect(t, "with the variable", 0, "held\n")
		if text, err := os.ReadFile(filepath.Join(w.Home, "moved/.claude.json")); err != nil || string(text) != "{}\n" {
			t.Errorf("the host has %q, %v", text, err)
		}
		for _, name := range []string{"moved/history", ".claude/history", ".claude/.claude.json"} {
			if !harness.Exists(filepath.Join(w.Home, name)) {
				t.Errorf("the host has no %s", name)
			}
		}
	})
}

// TestClaudeOlderSettings: a file that the host would believe instead of another
// cannot be held where it is absent. Then it is no longer in its place when the
// command has ended; one that is there cannot be changed.
func TestClaudeOlderSettings(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		for _, stowed := range []string{"", "dotfiles/claude"} {
			w := newWorld(t, s)
			dir := filepath.Join(w.Home, ".claude")
			w.Write(t, map[string]string{"home/README": "a home\n"})
			if stowed != "" {
				w.Write(t, map[string]string{"home/" + stowed + "/README": "settings\n"})
				if err := os.Symlink(stowed, dir); err != nil {
					t.Fatal(err)
				}
			}
			w.Give(t, w.Home)
			l := w.launch(t, "extends = [\"claude-code\"]\ncommand = [\"sh\", \"-c\"]")
			l.Environment = harness.With(l.Environment, "CLAUDE_CONFIG_DIR")
			const do = `cd "$CLAUDE_CONFIG_DIR" && echo x >history && { echo x >>.config.json && echo written || echo held; } 2>/dev/null`
			got := l.Run(t, do)
			got.Expect(t, "where it is absent", 0, "written\n")
			if !strings.Contains(got.Stderr, "claude/.config.json, which") {
				t.Errorf("it says\n%s", got.Stderr)
			}
			if harness.Exists(filepath.Join(dir, ".config.json")) {
				t.Error("the host would believe it")
			}
			if aside, _ := filepath.Glob(filepath.Join(dir, ".config.json?*")); len(aside) != 1 || !harness.Exists(filepath.Join(dir, "history")) {
				t.Errorf("the host has not what the command wrote, or not aside: %v", aside)
			}
			w.Put(t, filepath.Join(dir, ".config.json"), []byte("{}\n"))
			l.Run(t, do).Expect(t, "where it is there", 0, "held\n")
			if text, _ := os.ReadFile(filepath.Join(dir, ".config.json")); string(text) != "{}\n" {
				t.Errorf("the host has %q", text)
			}
		}
	})
}

func underscored(texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, strings.ReplaceAll(text, " ", "_"))
	}
	return all
}

func same(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestAgentName: a launcher that has its agent's name, and stands where PATH
// finds it first, starts the agent and not itself, which may start itself again.
func TestAgentName(t *testing.T) {
	t.Parallel()
	const agent = "#!/bin/sh\necho \"agent $*\"; [ \"$1\" = again ] || claude again\n"
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for name, text := range map[string]string{
			"bin":        "extends = [\"claude-code\"]\n[toolchains]\nuse = \"host\"",
			".local/bin": `extends = ["claude-code"]`,
		} {
			w := newWorld(t, s)
			w.Write(t, map[string]string{"home/code/p/pyproject.toml": "", "home/code/p/package.json": "", "home/" + name + "/README": "programs\n"})
			w.Put(t, filepath.Join(w.Home, ".nvm/versions/node/v22.1.0/bin/claude"), []byte(agent))
			w.Give(t, w.Home)
			l := w.launch(t, text)
			l.Program = filepath.Join(w.Home, name, "claude")
			w.Put(t, l.Program, w.generate(t, text))
			l.Environment = harness.With(l.Environment, "PATH="+filepath.Dir(l.Program)+":"+w.Home+"/.nvm/versions/node/v22.1.0/bin:"+w.path())
			l.Run(t, "one").Expect(t, "~/"+name, 0, "agent one\nagent again\n")
			l.shell(t, `mkdir "$O/launchers" && mv "$H/`+name+`/claude" "$O/launchers" && ln -s "$O/launchers/claude" "$H/`+name+`"`)
			l.Run(t, "two").Expect(t, "a link in ~/"+name, 0, "agent two\nagent again\n")
		}
	})
}
