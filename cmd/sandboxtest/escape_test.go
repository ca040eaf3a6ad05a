package sandboxtest

import (
	"os"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// planted is what one launch leaves for the next to trip over.
type planted struct {
	name    string
	profile string
	plant   string // done inside
	reads   string // done inside at the next launch; must not say the secret
	dir     string // where the next launch starts, below the project
}

// TestPlanted: what a command leaves in a project, the next launch must not
// take for the user's wish.
func TestPlanted(t *testing.T) {
	t.Parallel()
	const secrets = `cat "$H/.ssh/id_test" "$H/.aws/credentials" "$H/code/other/file" "$O/file" 2>/dev/null`
	for i, c := range []planted{
		{name: "a protected name becomes a link to a file", profile: "[project]\nprotect = [\".late\", \".mcp.json\"]",
			plant: `ln -s "$H/.ssh/id_test" .late; ln -s "$H/.ssh/id_test" .mcp.json; true`, reads: `cat .late .mcp.json`},
		{name: "a protected name becomes a link to a directory", profile: "[project]\nprotect = [\".late\", \".claude/settings.json\"]",
			plant: `ln -s "$H/.ssh" .late; ln -s "$H/.ssh" .claude`, reads: `cat .late/id_test .claude/id_test`},
		{name: "names of the built-in list become links", profile: "",
			plant: `for n in .envrc .vscode .idea .mcp.json .claude .cursor .devcontainer mise.toml .zed Makefile .bashrc; do rm -rf $n; ln -s "$H/.ssh" $n; done; true`,
			reads: `cat .*/id_test Makefile/id_test`},
		{name: "an optional entry of the project becomes a link", profile: "[filesystem]\nread = [\"./late?\"]\nwrite = [\"./later?\"]",
			plant: `ln -s "$H/.ssh" late; ln -s "$H/.ssh" later`, reads: `cat late/id_test later/id_test`},
		{name: "an optional entry of a writable directory becomes a link", profile: "[filesystem]\nread = [\"$O/directory/late?\"]\nwrite = [\"$O/directory\", \"$O/directory/later?\"]",
			plant: `ln -s "$H/.ssh" "$O/directory/late"; ln -s "$H/.ssh" "$O/directory/later"`, reads: `cat "$O/directory/late/id_test" "$O/directory/later/id_test"`},
		{name: "a hidden name becomes a link", profile: "[project]\nhide = [\"late\", \"later/\"]",
			plant: `ln -s "$H/.ssh" late; ln -s "$H/.ssh" later`, reads: `cat late/id_test later/id_test`},
		{name: "a file .git that points to secrets", plant: `mkdir new && echo "gitdir: $H/.ssh" >new/.git`, dir: "new"},
		{name: "a file .git that points to home", plant: `mkdir new && echo "gitdir: $H" >new/.git`, dir: "new"},
		{name: "a file .git with a common directory in home", dir: "new",
			plant: `mkdir new && cp -a .git evil && printf '%s\n' "$H/.ssh" >evil/commondir && echo "gitdir: $P/evil" >new/.git && echo "$P/new/.git" >evil/gitdir`},
		{name: "a file .git with home as common directory", dir: "new",
			plant: `mkdir new && cp -a .git evil && printf '%s\n' "$H" >evil/commondir && echo "gitdir: $P/evil" >new/.git && echo "$P/new/.git" >evil/gitdir`},
		{name: "a file .git with another project as common directory", dir: "new",
			plant: `mkdir new && cp -a .git evil && printf '%s\n' "$H/code/other" >evil/commondir && echo "gitdir: $P/evil" >new/.git && echo "$P/new/.git" >evil/gitdir`},
		{name: "a directory .git that is a link", plant: `mkdir new && ln -s "$H/.ssh" new/.git`, dir: "new"},
		{name: "a repository whose parts are links", dir: "new",
			plant: `mkdir -p new/.git && cp -a .git/HEAD new/.git/ && ln -s "$H/.ssh" new/.git/hooks && ln -s "$H/.ssh/id_test" new/.git/config && ln -s "$H/.ssh" new/.git/modules && ln -s "$H/.ssh" new/.git/worktrees`,
			reads: `cat .git/hooks/id_test .git/config .git/modules/id_test .git/worktrees/id_test`},
		{name: "modules and worktrees that are links", plant: `rm -rf .git/modules .git/worktrees; ln -s "$H/.ssh" .git/modules; ln -s "$H/.ssh" .git/worktrees; mkdir -p sub/.git; ln -s "$H/.ssh" sub/.git/modules`,
			reads: `cat .git/modules/id_test .git/worktrees/id_test sub/.git/modules/id_test`},
		{name: "a module whose hooks are a link", plant: `mkdir -p .git/modules/m && cp .git/HEAD .git/modules/m/ && ln -s "$H/.ssh" .git/modules/m/hooks && ln -s "$H/.ssh/id_test" .git/modules/m/config`,
			reads: `cat .git/modules/m/hooks/id_test .git/modules/m/config`},
		{name: "alternates and odd names", plant: `mkdir -p .git/objects/info && echo "$H/.ssh" >.git/objects/info/alternates; mkdir -p ".git/modules/$(printf 'a\nb')/hooks" '.git/modules/$(touch made)/hooks' '.git/modules/-x/hooks'; true`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, "extends = [\"default\"]\n"+c.profile)
				names := w.names()
				before := w.state(t)
				script := strings.Join(quoted(names), " ") + "; cd \"$P\"; "
				l.Run(t, "bash", "-c", script+c.plant).Succeeds(t, "planting")
				if c.dir != "" {
					l.Dir = w.Project + "/" + c.dir
				}
				r := l.Run(t, "bash", "-c", script+secrets+"; "+c.reads+` 2>/dev/null; echo evil >>"$H/.ssh/id_test"; echo evil >"$H/.ssh/made"; ls "$H/.ssh"; true`)
				if strings.Contains(r.Stdout, secret) || strings.Contains(r.Stdout, "another project") || strings.Contains(r.Stdout, "outside\n") {
					t.Errorf("a secret is seen: %q", r.Stdout)
				}
				if r.Status != 0 && (r.Status != 125 || !strings.Contains(r.Stderr, "hint: ")) {
					t.Errorf("status %d: %s", r.Status, r.Stderr)
				}
				after := w.state(t)
				for path, was := range before {
					if strings.HasPrefix(path, w.Home+"/.") && after[path] != was {
						t.Errorf("changed on the host: %s", path)
					}
				}
				for path := range after {
					if _, ok := before[path]; !ok && strings.HasPrefix(path, w.Home+"/.") {
						t.Errorf("new on the host: %s", path)
					}
				}
			})
		})
	}
}

// quoted are assignments for bash.
func quoted(assignments []string) []string {
	all := make([]string, len(assignments))
	for i, a := range assignments {
		name, value, _ := strings.Cut(a, "=")
		all[i] = name + "='" + value + "'"
	}
	return all
}

// TestPrinted: what is printed for bash is quoted, whatever the names.
func TestPrinted(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		odd := w.Home + "/code/$(touch made-1) '\"; touch made-2; `touch made-3`"
		if err := os.MkdirAll(odd+"/.git", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(odd, w.Home+"/odd"); err != nil {
			t.Fatal(err)
		}
		l.Give(t, w.Home)
		printed := l.from(t, `cd -P "$HOME/odd" && "$L" --sandbox-print sh -c 'pwd' '$(touch made-4)' "'; touch made-5"`, "LANG=$(touch made-6)", "TERM='; touch made-7; '", `-Ssh -c "touch made-8" #=x`)
		printed.Succeeds(t, "--sandbox-print")
		l.from(t, printed.Stdout).Succeeds(t, "what it prints")
		if found := l.shell(t, `find "$H" "$O" -name 'made-*'`); found != "" {
			t.Errorf("something has run: %s", found)
		}
	})
}

// TestInit: what the first process of the sandbox has open or knows is not for
// the command.
func TestInit(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]`, []row{
		{name: "its environment", do: `tr '\0' '\n' </proc/1/environ | grep -E 'SECRET|AWS|SSH_AUTH'`, denied: `.*`, control: none},
		{name: "a way out through its descriptors", do: `for f in /proc/1/fd/*; do cat "$f/../../../.ssh/id_test" "$f/../../../../outside/file"; done 2>/dev/null | grep .`, denied: `^$`, control: none},
		{name: "a way round the mounts through its descriptors", do: `for f in /proc/1/fd/*; do echo x >>"$f/config" || echo x >>"$f/hooks/made"; done 2>/dev/null && echo written`, denied: `^$`, control: none},
		{name: "its memory", do: `head -c1 /proc/1/mem`, denied: `.`, control: none},
		{name: "the launcher", do: `ls -d /proc/1/task/*/* 2>/dev/null`, denied: `^$`, control: none},
		{name: "its root", do: `ls "/proc/1/root/$O"`, denied: `.`, control: none},
		{name: "writing to its descriptors", do: `for f in /proc/1/fd/[3-9]*; do echo '{ "exit-code": 0 }' >"$f" && echo written; done 2>/dev/null | grep .`, denied: `^$`, control: none},
		{name: "stopping it", do: `kill -STOP 1; kill -KILL 1; sleep 0.1; exit 1`, denied: `.*`, control: none},
		{name: "tracing it", do: `"$inside" try ptrace-first`, denied: `EPERM`, control: none},
		{name: "writing to its memory", do: `"$inside" try write-first`, denied: `EPERM`, control: none},
	})
}
