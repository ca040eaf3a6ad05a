package sandboxtest

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// exchanges stands for a bwrap that finds something else at a protected name than
// the launcher did, since a command in another sandbox has put a link there for a
// moment: it mounts what that leads to, or mounts at what that leads to.
const exchanges = `#!/bin/bash
words=()
for word; do
  words+=("$word")
  [[ ${words[*]: -3} != "--ro-bind $name $name" ]] || words=("${words[@]::${#words[@]}-2}" "$source" "$place")
done
exec "$real" "${words[@]}"
`

// TestExchanged: what is exchanged while a sandbox starts beside another one is
// not shown, and nothing runs; without the launcher's comparison it is.
func TestExchanged(t *testing.T) {
	trial.Everywhere(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		w.shell(t, `git worktree add -q ../linked`)
		w.Write(t, map[string]string{"home/code/p/.mcp.json": "{}\n", "home/code/p/.idea/a b\\c": "x\n", "outside/readable": secret})
		w.Give(t, w.Top)
		other := l.waits(t)
		l.Run(t, "cat", ".mcp.json").Expect(t, "nothing is exchanged", 0, "{}\n")

		script := trial.Read(t, l.Program)
		name, readable, settings := filepath.Join(w.Project, ".mcp.json"), filepath.Join(w.Outside, "readable"), filepath.Join(w.Project, ".git/config")
		for _, c := range []struct{ what, dir, name, source, place, look, seen string }{
			{"what is mounted", l.Dir, name, readable, name, ".mcp.json", secret},
			{"where it is mounted", l.Dir, name, name, filepath.Join(w.Home, "elsewhere"), "../../elsewhere", "{}\n"},
			{"what lies in another project", l.Dir, name, filepath.Join(w.Home, "code/other/file"), name, ".mcp.json", "another project\n"},
			{"what a work tree has elsewhere", w.linked(), settings, readable, settings, settings, secret},
		} {
			variables := "name='" + c.name + "' source='" + c.source + "' place='" + c.place + "' real='" + filepath.Join(s.Bwrap, "bwrap") + "'\n"
			w.Put(t, filepath.Join(w.Home, "bin/bwrap"), bytes.Replace([]byte(exchanges), []byte("\n"), []byte("\n"+variables), 1))
			w.Give(t, filepath.Join(w.Home, "bin"))
			try := func(text string) trial.Result {
				w.Put(t, l.Program, []byte(text))
				started := l.in(c.dir)
				started.Set("PATH=" + filepath.Join(w.Home, "bin") + ":" + s.Path())
				return started.Run(t, "cat", c.look)
			}
			if r := try(script); r.Status != 125 || r.Stdout != "" {
				t.Errorf("%s: %d, %q: %s", c.what, r.Status, r.Stdout, r.Stderr)
			}
			try(string(bytes.Replace([]byte(script), []byte(`if ! read -r -t 0 -u "$running"; then`), []byte("if :; then"), 1))).Expect(t, c.what+", the control", 0, c.seen)
		}
		if got := other.end(t); got != 0 {
			t.Errorf("the other sandbox: %d", got)
		}
	})
}

// alone starts launchers where nothing else has been started: in a /dev/shm of
// their own. beside ends with 125 where it would compare; ends does so, too, and
// has the other one end when it has looked at everything; asks is as beside.
const alone = `#!/bin/bash
exec bwrap --dev-bind / / --tmpfs /dev/shm bash -c '
  "$0-beside" true || exit 1
  exec {other}< <(exec "$0" sh -c "echo up; exec sleep 60") && read -r -u "$other" || exit 2
  "$0-beside" true
  (($? == 125)) || exit 3
  "$0-ends" true "$!" <&"$other"
  (($? == 125)) || exit 4
  "$0-beside" true || exit 5
  "$0-asks" --sandbox-yes true
  (($? == 125)) || exit 6' "$launcher"
`

// TestBeside: a launcher sees another one at work, also if that ends while it
// starts, and none when it is alone again, so that the comparison is not paid by
// every start. One that has asked compares always: the answer may take its time.
func TestBeside(t *testing.T) {
	trial.Everywhere(t, func(t *testing.T, s trial.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		beside := func(text, at, then string) {
			text = strings.Replace(text, " hosts=() meant='' && ", " die beside another && ", 1)
			w.Put(t, l.Program+at, []byte(strings.Replace(text, "\n# --- Run ---", "\n"+then+"# --- Run ---", 1)))
		}
		beside(trial.Read(t, l.Program), "-beside", "")
		beside(trial.Read(t, l.Program), "-ends", "kill \"${command[1]}\" && ! read -r _\n")
		beside(string(w.generate(t, "extends = [\"default\"]\n[confirm]\nmode = \"always\"\nallow-yes = true")), "-asks", "")
		w.Put(t, l.Program+"-alone", bytes.Replace([]byte(alone), []byte("\n"), []byte("\nlauncher='"+l.Program+"'\n"), 1))
		w.Give(t, filepath.Dir(l.Program))
		l.Program += "-alone"
		l.Run(t).Expect(t, "alone, beside another, beside one that ends, alone again, asking", 0, "")
	})
}
