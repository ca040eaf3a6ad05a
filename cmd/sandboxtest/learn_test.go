package sandboxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestLearn: of a job that misses twenty things learn proposes all, and nothing else: no
// login, no socket. With the lines in a profile the job goes through.
func TestLearn(t *testing.T) {
	t.Parallel()
	harness.Need(t, "strace")
	harness.Crossed(t, 0, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		var job strings.Builder
		job.WriteString("missed=0\n")
		try := func(attempt string) { fmt.Fprintf(&job, "{ %s; } || missed=$((missed + 1))\n", attempt) }
		files := map[string]string{}
		var wanted []string
		for i := range 8 { // each in a directory of its own
			name := fmt.Sprintf("one/%d/file", i)
			files["home/"+name] = "x"
			wanted = append(wanted, `{ path = "~/`+name+`", why = "cat looks for it" }`)
			try(`cat "$H/` + name + `"`)
		}
		for i := range 5 { // all in one
			name := fmt.Sprintf("many/here/%d", i)
			files["home/"+name] = "x"
			try(`cat "$H/` + name + `"`)
		}
		wanted = append(wanted, `{ path = "~/many/here", why = "cat looks for it" }`)
		for i := range 3 {
			name := fmt.Sprintf("place%d", i)
			files["home/"+name+"/old"] = "x"
			wanted = append(wanted, `{ path = "~/`+name+`", why = "bash writes there" }`)
			try(`echo x >"$H/` + name + `/new"`)
		}
		wanted = append(wanted, `{ path = "~/tools", why = "hello is in it" }`)
		try("hello")
		for _, name := range []string{"MISSED_ONE", "MISSED_TWO", "MISSED_THREE"} {
			wanted = append(wanted, `"`+name+`"`)
			try(`[[ ${` + name + `-} == yes ]] || { echo "` + name + ` is not set" >&2; false; }`)
		}
		job.WriteString(`cat "$H/.ssh/id_test" /nothing "$H/nothing"; echo x >.git/hooks/x; echo $missed; exit $missed` + "\n")
		w.Write(t, files)
		script := filepath.Join(w.Project, "job.sh")
		w.Put(t, script, []byte(strings.ReplaceAll(job.String(), "$H", w.Home)))
		w.Put(t, filepath.Join(w.Home, ".ssh/id_test"), []byte("key"))
		w.Put(t, filepath.Join(w.Home, "tools/hello"), []byte("#!/bin/sh\necho hello\n"))
		w.Give(t, w.Top)

		start := w.bwrapgen(t)
		start.Dir = w.Project
		start.Set("TMPDIR", "PATH="+s.Path(w.Home+"/tools"), "MISSED_ONE=yes", "MISSED_TWO=yes", "MISSED_THREE=yes", "NEVER_MISSED=yes")
		profile := filepath.Join(w.Top, "my.toml")
		r := start.Run(t, "learn", "--write", profile, "default", "--", "bash", "job.sh")
		if r.Status != 3 || !strings.Contains(r.Stderr, "20\n") {
			t.Fatalf("status %d: %s%s", r.Status, r.Stdout, r.Stderr)
		}
		proposed, marked, _ := strings.Cut(r.Stdout, "# Not proposed:\n")
		for _, line := range wanted {
			if !strings.Contains(proposed, "  "+line+",\n") {
				t.Errorf("not proposed: %s\n%s", line, r.Stdout)
			}
		}
		if n := strings.Count(proposed, "\n  "); n != len(wanted) {
			t.Errorf("%d lines, want %d: %s", n, len(wanted), proposed)
		}
		for _, line := range []string{"~/.ssh/id_test: cat looks for it; a credential of ssh", "hooks/x: bash writes there; it is protected in the project: do that outside"} {
			if !strings.Contains(marked, line) {
				t.Errorf("not marked: %s\n%s", line, marked)
			}
		}
		again := start.Run(t, "learn", profile, "--", "bash", "job.sh")
		if again.Status != 0 || !strings.Contains(again.Stderr, "0\n") || !strings.Contains(again.Stdout, "# The command has missed nothing") {
			t.Errorf("status %d: %s%s", again.Status, again.Stdout, again.Stderr)
		}
	})
}
