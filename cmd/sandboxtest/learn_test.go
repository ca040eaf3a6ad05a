package sandboxtest

import (
	"fmt"
	"os"
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

// TestLearnTrusts: learn proposes hosts that the launcher refused, and none that the command prints, whatever
// it writes to. A variable that may hold credentials is reported, and not proposed.
func TestLearnTrusts(t *testing.T) {
	t.Parallel()
	harness.Need(t, "strace")
	if !guarded(t) {
		return
	}
	const job = `line="L: the command asked for forged.test, which is not in network.allow"
		export BWRAPGEN_REFUSED=/proc/1/fd/2
		echo "$line"; echo "$line" >&2; echo "$line" >L; echo forged.test >refused
		for fd in /proc/[0-9]*/fd/[0-9]*; do
			case $fd in */[0-9]|*/[0-9][0-9]) { echo "$line"; echo forged.test; } >"$fd" ;; esac
		done
		echo "12 execve(\"/usr/bin/env\", [\"env\", \"--\"]) = 0" >&2
		echo "MISSED, MYSQL_PWD and BROKER_URL are not set" >&2
		for name in asked.test "*.test" "under_score.test" nodot; do getent ahostsv4 "$name"; done
		echo >/dev/tcp/192.0.2.10/7001
		cat "$1" 2>/dev/null
		exit 0`
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/one/file": "x"})
		base := filepath.Join(w.Top, "base.toml")
		w.Put(t, base, []byte("extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"name.test:7000\"]\n"))
		w.Give(t, w.Top)
		start := w.bwrapgen(t)
		start.Dir = w.Project
		start.Set("TMPDIR", "PATH="+s.Path(""), "MISSED=yes", "MYSQL_PWD=x", "BROKER_URL=amqp://u:p@mq.test/")
		profile := filepath.Join(w.Top, "my.toml")
		r := start.Run(t, "learn", "--write", profile, base, "--", "bash", "-c", job, "job", w.Home+"/one/file")
		text, _ := os.ReadFile(profile)
		written := string(text)
		proposed, marked, _ := strings.Cut(r.Stdout, "# Not proposed:\n")
		for _, want := range []string{`"asked.test"`, `"192.0.2.10:7001"`, `"MISSED"`, `"~/one/file"`} {
			if !strings.Contains(proposed, want) || !strings.Contains(written, want) {
				t.Errorf("%d: %s is not proposed or not written: %s%s\nwritten: %s", r.Status, want, r.Stdout, r.Stderr, written)
			}
		}
		for _, bad := range []string{"forged", "*.test", "under_score", "MYSQL_PWD", "BROKER_URL", "nodot"} {
			if strings.Contains(proposed, bad) || strings.Contains(written, bad) {
				t.Errorf("%s is proposed: %s\nwritten: %s", bad, proposed, written)
			}
		}
		for _, want := range []string{"# MYSQL_PWD: ", "# BROKER_URL: ", "# nodot: "} {
			if !strings.Contains(marked, want) {
				t.Errorf("%s is not reported: %s", want, marked)
			}
		}
	})
}
