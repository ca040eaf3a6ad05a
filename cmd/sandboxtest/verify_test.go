package sandboxtest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// bwrapgenProgram is the program itself, where everybody can run it.
var bwrapgenProgram = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("bwrapgen-program-%d", os.Getpid()))
	text, err := exec.Command("go", "build", "-o", file, "bwrapgen/cmd/bwrapgen").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, text)
	}
	return file, nil
})

// bwrapgen is a start of the program in a world.
func (w world) bwrapgen(t *testing.T) harness.Start {
	t.Helper()
	file, err := bwrapgenProgram()
	if err != nil {
		t.Fatal(err)
	}
	return harness.Start{As: w.Account, Program: file, Dir: w.Project, Environment: w.environment()}
}

// TestVerifyBuiltin: what explain says of the built-in profiles passes verify, which says so in one
// line. Nothing changes on the host.
func TestVerifyBuiltin(t *testing.T) {
	t.Parallel()
	for i, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		if name == "base" { // what others extend, alone no more than an empty sandbox
			continue
		}
		t.Run(name, func(t *testing.T) {
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				if !s.HasTurn(i) {
					t.Skip("this profile is for the other account, but in make test whole=1")
				}
				w := newWorld(t, s)
				before := harness.StateOf(t, w.Top)
				start := w.bwrapgen(t)
				start.Set("TMPDIR", "PATH="+s.Path())
				r := start.Run(t, "verify", name)
				if r.Status != 0 || strings.Count(r.Stdout, ": passed: ") != 1 || strings.Count(r.Stdout, "\n") != 1 {
					t.Errorf("status %d: %s%s", r.Status, r.Stdout, r.Stderr)
				}
				before.Same(t, harness.StateOf(t, w.Top))
			})
		})
	}
}

// TestVerifyTeam: a launcher made for any host passes verify on this one, also in the caller's own
// home and project. One that shows less since the host changed is out of date, and one that does not
// keep a promise has failed: that is the positive control.
func TestVerifyTeam(t *testing.T) {
	t.Parallel()
	harness.Crossed(t, 0, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/.cargo/config.toml": "",
			"home/mine.toml":          "extends = [\"default\"]\n[project]\nprotect = [\"Makefile\"]\n[toolchains]\nuse = [\"cargo\"]\n",
		})
		w.Give(t, w.Top)
		start := w.bwrapgen(t)
		start.Set("TMPDIR", "PATH="+s.Path())
		launcher, profile := filepath.Join(w.Home, "box"), filepath.Join(w.Home, "mine.toml")
		check := func(status int, outcome string, args ...string) {
			t.Helper()
			r := start.Run(t, append([]string{"verify"}, args...)...)
			if r.Status != status || !strings.HasPrefix(r.Stdout, "box: "+outcome+": ") {
				t.Errorf("%q: status %d, want %d and %q: %s%s", args, r.Status, status, outcome, r.Stdout, r.Stderr)
			}
		}
		for _, facts := range [][]string{{"--host", "any"}, nil} {
			r := start.Run(t, append([]string{"generate", profile, "--force", "-o", launcher}, facts...)...)
			if r.Status != 0 {
				t.Fatalf("%q: status %d: %s", facts, r.Status, r.Stderr)
			}
			check(0, "passed", launcher)
			check(0, "passed", "--here", launcher)
		}
		w.Write(t, map[string]string{"home/.cargo/bin/cargo-x": ""})
		w.Give(t, w.Top)
		check(3, "out of date", launcher)
		text := harness.Read(t, launcher)
		without := strings.Replace(text, "reserved=(Makefile)", "reserved=()", 1)
		if without == text {
			t.Fatalf("the policy does not protect Makefile: %s", text)
		}
		w.Put(t, launcher, []byte(without))
		check(3, "failed", launcher)
	})
}

// TestVerifyNetwork: what is said of the sandbox's own network is true: of the resolver,
// of this host's loopback and of its single ports.
func TestVerifyNetwork(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"pasta", "nft", "dnsmasq"} {
		harness.Need(t, program)
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"private.toml": "extends = [\"default\"]\n[network]\nmode = \"private\"\n",
			"allow.toml":   "extends = [\"look\"]\n[network]\nmode = \"allow\"\nallow = [\"example.org\"]\nreach = [\"127.0.0.1:59341\"]\n",
		})
		w.Give(t, w.Top)
		start := w.bwrapgen(t)
		start.Set("TMPDIR", "PATH="+s.Path())
		for name, want := range map[string]string{"private": "the sandbox's own file", "allow": "127.0.0.1:59341 of this host can be reached"} {
			r := start.Run(t, "verify", "--all", filepath.Join(w.Top, name+".toml"))
			said := strings.Join(strings.Fields(r.Stdout), " ")
			if r.Status != 0 || !strings.Contains(said, ": passed: ") || !strings.Contains(said, want) {
				t.Errorf("%s: status %d: %s%s", name, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}

// forgetful is a bwrap that leaves out some of its words, and says in a file which: those
// that fit a pattern, or all mounts in home, project and /etc that nothing else lies below.
// With a pattern, it also lets in a variable that the launcher keeps out, and none that it
// lets in.
const forgetful = `#!/bin/bash
real=%s at=%s
[[ " $* " == *" --block-fd "* ]] || exec "$real" "$@"
shopt -s extglob
pattern=$(<"$at/forget")
words=("$@") left=(--unsetenv SHLVL) # which is this script's
declare -A length=() times=() above=()
for ((i = 0; i < $# && ${#words[i]} > 2; i += count)); do # until --
  case ${words[i]} in
    --*bind* | --symlink | --file | --chmod | --setenv) count=3 ;;
    --unshare-* | --disable-userns | --die-with-parent | --new-session) count=1 ;;
    --overlay-src) count=4 && [[ ${words[i + 2]} != --overlay ]] || count=6 ;;
    *) count=2 ;;
  esac
  length[$i]=$count place=${words[i + count - 1]}
  [[ $pattern == leaves ]] || continue
  [[ ${words[i]} != --@(*bind*|tmpfs|symlink|file|overlay-src) ]] || times[$place]+=x
  while [[ $place == /?*/* ]]; do
    place=${place%%/*}
    above[$place]=x
  done
done
end=$i
is_forgotten() { # WORD...
  local place=${!#}
  if [[ $pattern != leaves ]]; then
    [[ $pattern && $* =~ $pattern ]]
    return
  fi
  [[ ${times[$place]-} == x && -z ${above[$place]-} ]] \
    && [[ $place == @(*/bwrapgen-*/home|*/bwrapgen-*/project|/workspace|/home/sandbox|/etc)/* ]] \
    && [[ ($1 != --ro-bind-try || -e $2) && ($place != /etc/* || -s $place) ]]
}
for ((i = 0; i < end; i += length[$i])); do
  group=("${words[@]:i:length[$i]}")
  if is_forgotten "${group[@]}"; then
    printf '%%s\n' "${group[-1]}" >>"$at/what"
  else
    left+=("${group[@]}")
  fi
done
[[ -z $pattern || $pattern == leaves ]] \
  || left+=(--setenv AWS_SECRET_ACCESS_KEY "value of AWS_SECRET_ACCESS_KEY" --unsetenv TERM)
exec "$real" "${left[@]}" "${words[@]:end}"
`

// whole are words of bwrap that make the sandbox what it is, by what is false without each
// of them. What is held by two means is not among them: without --disable-userns the filter
// refuses the same.
var whole = map[string]string{
	"--unshare-pid": "processes: of its own", "--unshare-ipc": "shared memory and queues: of its own",
	"--unshare-uts": "the host's name: of its own", "--unshare-cgroup": "cgroups: of its own",
	"--cap-drop ALL": "no capabilities", "--seccomp [0-9]+": "system call filter",
	"--die-with-parent": "it ends with the launcher", "--chmod 0700 /run/user/[0-9]+": "a runtime directory of its own",
}

// alone are words that are taken out alone, by that of which something is false then.
var alone = map[string]string{
	"^--unshare-user$": "start", "^--proc ": "start", "^--dev ": "start", "^--tmpfs /tmp$": "/tmp",
	"^--tmpfs /run$": "/run", "^--tmpfs .*/home$": "~", "^--ro-bind-try /opt": "/opt", "^--remount-ro /$": "/",
	"^--ro-bind .*/project/.claude ": "./.claude", "^--(tmpfs|remount-ro) /proc/1$": "process 1",
}

// TestVerifyNames: what a sandbox lacks of the one that its profile describes is named: each
// mount, each namespace, the rights, the filter, and what keeps variables out.
func TestVerifyNames(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"default", "look", "agent-code", "public-bot", "claude-code"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := harness.Accounts()[0].Settings(t)
			s := all[len(all)-1]
			w := newWorld(t, s)
			dir := filepath.Join(w.Top, "bin")
			w.Put(t, filepath.Join(dir, "bwrap"), fmt.Appendf(nil, forgetful, filepath.Join(s.Bwrap, "bwrap"), w.Top))
			start := w.bwrapgen(t)
			start.Set("TMPDIR", "PATH="+dir+":"+s.Path())
			verify := func(forget string, status int) (what, said string) {
				_ = os.Remove(filepath.Join(w.Top, "what"))
				w.Write(t, map[string]string{"forget": forget, "what": ""})
				r := start.Run(t, "verify", "--all", name)
				what = harness.Read(t, filepath.Join(w.Top, "what"))
				if r.Status != status || (what == "") != (status == 0) {
					t.Errorf("without %q: status %d, want %d: %s%s", what, r.Status, status, r.Stdout, r.Stderr)
				}
				_, said, _ = strings.Cut(r.Stdout, "\nFAILED\n")
				said, _, _ = strings.Cut(said, "\n\n")
				return what, said
			}
			verify("", 0)

			what, said := verify("leaves", 3)
			named := falsePlaces(said)
			for place := range strings.Lines(what) {
				place = inProfile(place)
				isTwice := name == "agent-code" && place == "~/.config/go/env" // home is the host's
				if !named[place] && !isTwice {
					t.Errorf("%s is not named, which is left out: %s", place, said)
				}
			}

			patterns := slices.Sorted(maps.Keys(whole))
			_, said = verify("^("+strings.Join(patterns, "|")+")$", 3)
			said = strings.Join(strings.Fields(said), " ")
			for _, pattern := range patterns {
				if !strings.Contains(said, whole[pattern]) {
					t.Errorf("%q is not named, without %q: %s", whole[pattern], pattern, said)
				}
			}
			for _, want := range []string{"it is passed through; promised: AWS_SECRET_ACCESS_KEY stays outside", "not passed through: TERM"} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said: %s", want, said)
				}
			}

			if i > 0 {
				return
			}
			for pattern, want := range alone {
				what, said := verify(pattern, 3)
				if !strings.Contains(strings.Join(strings.Fields(said), " ")+" ", want+" ") {
					t.Errorf("%q is not named, without %q: %s", want, what, said)
				}
			}
		})
	}
}

var (
	insideHome    = regexp.MustCompile(`^(/.*/bwrapgen-\d+/home|/home/sandbox)/`)
	insideProject = regexp.MustCompile(`^(/.*/bwrapgen-\d+/project|/workspace)/`)
	movedPlace    = regexp.MustCompile(`^\$(\w+)`) // verify sets these variables
	usualPlaces   = strings.NewReplacer("$XDG_CONFIG_HOME", "~/.config", "$CLAUDE_CONFIG_DIR", "~/.claude")
	usualPlace    = regexp.MustCompile(`\$\{\w+:-([^${}]*)\}`)
)

// inProfile is a path as verify spells it.
func inProfile(path string) string {
	path = strings.TrimSuffix(path, "\n")
	return insideProject.ReplaceAllString(insideHome.ReplaceAllString(path, "~/"), "./")
}

// falsePlaces are those of the first column, without their variables. One that is too long
// has a line of its own.
func falsePlaces(said string) map[string]bool {
	const width = 26
	all := map[string]bool{}
	for line := range strings.Lines(said) {
		place := strings.TrimSuffix(line, "\n")
		if len(place) > width && place[width-1] == ' ' {
			place = strings.TrimRight(place[:width], " ")
		}
		for usualPlace.MatchString(place) {
			place = usualPlace.ReplaceAllString(place, "$1")
		}
		all[usualPlaces.Replace(place)] = true
		all[movedPlace.ReplaceAllString(place, "~/moved/$1")] = true
	}
	return all
}
