package sessiontest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bwrapgen/cmd/harness"
)

// TestLimits has a control for each limit: what goes beyond one works without.
// The kernel counts CPU time for its limit by ticks and rounds to seconds, which on
// a machine that is short of processors is less than what times tells: $1 is far
// beyond the limit where there is one.
func TestLimits(t *testing.T) {
	tests := []struct{ name, limits, script string }{
		{"memory", `memory = "64MiB"`, "head -c 200M /dev/zero | tail -n 1 | wc -c; exit ${PIPESTATUS[1]}"},
		{"open files", `open-files = 64`, "exec 100</dev/null"},
		{"cpu time", `cpu-time = "1s"`, `perl -e '1 while (times)[0] + (times)[1] < $ARGV[0]' "${1:-1.5}"`},
		{"cpu time, deaf", "cpu-time = \"1s\"\nkill-after = \"1s\"", `perl -e '$SIG{XCPU} = "IGNORE"; 1 while (times)[0] + (times)[1] < $ARGV[0]' "${1:-2.5}"`},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			harness.Turn(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				w.launch(t, `extends = ["base"]`).bash(t, test.script).Ends(t, 0)
				if r := w.launch(t, "extends = [\"base\"]\n[limits]\n"+test.limits).bash(t, test.script, "60"); r.Status == 0 {
					t.Error("it works")
				}
				w.Run(t, "true").Ends(t, 0)
			})
		})
	}
}

func TestLimitProcesses(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		const script = "perl -e 'for (1..30) { defined($p = fork) or exit 5; $p or sleep(9), exit }'" // bash would try again
		const limited = "extends = [\"base\"]\n[limits]\nprocesses = 20\n"
		w.launch(t, `extends = ["base"]`).bash(t, script).Ends(t, 0)
		w.launch(t, limited)
		if w.UID == 0 {
			w.bash(t, script).Ends(t, 125).Says(t, "cannot apply limits.processes")
			return
		}
		w.Run(t, "bash", "-c", "ulimit -u").Ends(t, 0).Prints(t, "20\n")
		w.launch(t, "extends = [\"base\"]\n[limits]\nprocesses = 4000000\n") // the host may allow fewer
		var host unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NPROC, &host); err != nil {
			t.Fatal(err)
		}
		w.Run(t, "bash", "-c", "ulimit -u").Ends(t, 0).Prints(t, strconv.FormatUint(min(host.Max, 4000000), 10)+"\n")
		w.launch(t, limited)
		w.bash(t, script).Ends(t, 5)
		w.Run(t, "no-such-command").Ends(t, 127)
	})
}

// TestLimitsScope puts a systemd of its own in place: what it is asked for is
// all there is to see.
func TestLimitsScope(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w.launch(t, "extends = [\"base\"]\n[limits]\nmemory = \"256MiB\"\nprocesses = 20\n")
		fake := w.Top + "/systemd-run"
		w.Put(t, fake, []byte("#!/bin/bash\n[[ $1 != --help ]] || { echo '  --expand-environment=BOOL  Control it'; : >"+w.Top+"/asked; exit; }\nprintf '%s\\n' \"$*\" >&2\nwhile [[ $1 != -- ]]; do shift; done\nshift\nexec \"$@\"\n"))
		harness.Listen(t, "unix", w.Top+"/runtime/systemd/private", "")
		w.Write(t, map[string]string{"home/code/p/${X}/file": ""})
		w.Give(t, w.Top)
		w.Set("XDG_RUNTIME_DIR=" + w.Top + "/runtime")
		l := w.InNamespace(`
			[ -e /usr/bin/systemd-run ] || {
				mount -t tmpfs none /mnt
				mkdir /mnt/u /mnt/w
				mount -t overlay -o lowerdir=/usr/bin,upperdir=/mnt/u,workdir=/mnt/w none /usr/bin
				: >/usr/bin/systemd-run
			}
			mount --bind "$1" /usr/bin/systemd-run
			mount -t tmpfs none /run
			mkdir -p /run/systemd/system`, fake)
		user := map[bool]string{true: "--user "}[w.UID != 0]
		// What it can do is asked only where it could take something for a variable.
		plain := l.Dir
		for i, row := range []struct{ script, dir, expand string }{
			{"exit 9", plain, ""},
			{"exit ${X:-9}", plain, "--expand-environment=no "},
			{"exit 9", plain + "/${X}", "--expand-environment=no "},
		} {
			os.Remove(w.Top + "/asked")
			l.Dir = row.dir
			r := l.Run(t, "bash", "-c", row.script).Ends(t, 9)
			want := row.expand + "--quiet --scope --collect --description=L " + user + "--property=MemoryMax=268435456 --property=MemorySwapMax=0 --property=TasksMax=23 -- /usr/bin/env XDG_RUNTIME_DIR=/run/user/"
			if _, err := os.Stat(w.Top + "/asked"); (err == nil) != (i > 0) || !strings.HasPrefix(r.Stderr, want) {
				t.Errorf("%+v: systemd-run got %s", row, r.Stderr)
			}
		}
	})
}

func TestLimitsRefused(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		_, err := w.plan(t, "extends = [\"base\"]\n[limits]\nopen-files = 63\n")
		if err == nil || !strings.Contains(err.Error(), "limits.open-files: too few open files for a sandbox to start: 63") {
			t.Errorf("got %v", err)
		}
	})
}
