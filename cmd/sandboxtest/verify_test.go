package sandboxtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bwrapgen/cmd/trial"
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
func (w world) bwrapgen(t *testing.T) trial.Start {
	t.Helper()
	file, err := bwrapgenProgram()
	if err != nil {
		t.Fatal(err)
	}
	return trial.Start{As: w.Account, Program: file, Dir: w.Project, Environment: w.environment()}
}

// TestVerifyBuiltin: verify proves what explain says of the built-in profiles, and calls
// nothing false that holds. Nothing changes on the host.
func TestVerifyBuiltin(t *testing.T) {
	t.Parallel()
	for i, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		if name == "base" { // what others extend, alone no more than an empty sandbox
			continue
		}
		t.Run(name, func(t *testing.T) {
			trial.Crossed(t, i, func(t *testing.T, s trial.Setting) {
				if accounts := trial.Accounts(); s.Account != accounts[i%len(accounts)] && !trial.Whole() {
					t.Skip("this profile is for the other account, but in make test whole=1")
				}
				w := newWorld(t, s)
				before := trial.StateOf(t, w.Top)
				start := w.bwrapgen(t)
				start.Set("TMPDIR", "PATH="+s.Path())
				r := start.Run(t, "verify", name)
				if r.Status != 0 || strings.Count(r.Stdout, " proved, 0 false, ") != 1 {
					t.Errorf("status %d: %s%s", r.Status, r.Stdout, r.Stderr)
				}
				before.Same(t, trial.StateOf(t, w.Top))
			})
		})
	}
}

// forgetful is a bwrap that leaves out one of its words, that of a number; or lets in a
// variable that the launcher keeps out. It says in a file which one it was.
const forgetful = `#!/bin/bash
real=%s at=%s
number=$(<"$at/number")
[[ " $* " == *" --block-fd "* ]] || exec "$real" "$@"
left=(--unsetenv SHLVL) # which is this script's
while (($#)) && [[ $1 != -- ]]; do
  case $1 in
    --*bind* | --symlink | --file | --chmod | --setenv) count=3 ;;
    --unshare-* | --disable-userns | --die-with-parent | --new-session) count=1 ;;
    --overlay-src) count=4 && [[ $3 != --overlay ]] || count=6 ;;
    *) count=2 ;;
  esac
  group=("${@:1:count}")
  shift "$count"
  source=${group[1]-}
  if [[ ${group[0]} == @(--sync-fd|--block-fd|--chdir|--uid|--gid|--die-with-parent|--unsetenv) ]] \
    || [[ ${group[0]} == --ro-bind-try && (! -e $source || $source == /proc/*) ]]; then
    left+=("${group[@]}") # it changes nothing that is said
  elif ((number-- != 0)); then
    left+=("${group[@]}")
  else
    printf '%%s' "${group[*]}" >"$at/what"
  fi
done
((number < 0)) || left+=(--setenv AWS_SECRET_ACCESS_KEY "value of AWS_SECRET_ACCESS_KEY")
exec "$real" "${left[@]}" "$@"
`

// TestVerifyNames: a sandbox that lacks one mount, one namespace, the filter or what keeps
// a variable out is told from the one that its profile describes. What is held by two means
// is not: without --disable-userns the filter refuses the same.
func TestVerifyNames(t *testing.T) {
	t.Parallel()
	step := 61
	if trial.Whole() {
		step = 1
	}
	tried, missed := 0, 0
	for i, name := range []string{"default", "look", "agent-code", "public-bot", "claude-code"} {
		all := trial.Accounts()[0].Settings(t)
		s := all[len(all)-1]
		w := newWorld(t, s)
		dir := filepath.Join(w.Top, "bin")
		w.Put(t, filepath.Join(dir, "bwrap"), fmt.Appendf(nil, forgetful, filepath.Join(s.Bwrap, "bwrap"), w.Top))
		start := w.bwrapgen(t)
		start.Set("TMPDIR", "PATH="+dir+":"+s.Path())
		what := filepath.Join(w.Top, "what")
		w.Write(t, map[string]string{"number": "-1"})
		start.Run(t, "verify", name).Succeeds(t, name+" as it is")
		for number := 11 * i; ; number += step {
			_ = os.Remove(what)
			w.Write(t, map[string]string{"number": fmt.Sprint(number)})
			r := start.Run(t, "verify", name)
			word := trial.Read(t, what)
			tried++
			if r.Status != 3 {
				missed++
				t.Logf("%s without %q: %d %s", name, word, r.Status, r.Stderr)
			}
			if word == "" {
				break
			}
		}
	}
	if missed*50 > tried {
		t.Errorf("%d of %d were not named", missed, tried)
	}
}
