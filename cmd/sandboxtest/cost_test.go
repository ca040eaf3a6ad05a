package sandboxtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// costs are what a start may use: programs that the launcher starts before bwrap, and instructions of
// its own process, in millions. The latter is an alarm.
var costs = map[string]struct {
	profile      string
	programs     int
	instructions float64
}{
	"look":        {`extends = ["look"]`, 0, 45},
	"default":     {"extends = [\"default\"]\n[caches]\nmode = \"ephemeral\"", 0, 90},
	"kept":        {`extends = ["default"]`, 1, 90},
	"claude-code": {"extends = [\"claude-code\"]\ncommand = []", 1, 125},
}

// TestCost: a start uses few programs and instructions once everything that is created only once is there,
// with as many variables as usual.
func TestCost(t *testing.T) {
	harness.Need(t, "strace")
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for name, limit := range costs {
			w := newWorld(t, s)
			w.Write(t, map[string]string{"home/code/p/go.mod": "module m\n", "home/.claude/history.jsonl": ""})
			for _, dir := range []string{"go/pkg/mod", ".cache/go-build"} {
				if err := os.MkdirAll(filepath.Join(w.Home, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			w.Give(t, w.Top)
			l := w.launch(t, limit.profile)
			for i := range 40 {
				l.Set("SOME_VARIABLE_" + strconv.Itoa(i) + "=some value as usual")
			}
			l.Run(t, "true").Ends(t, 0)
			trace := filepath.Join(w.Top, "trace")
			traced := l
			traced.Program = "/usr/bin/strace"
			traced.Run(t, "-f", "-qq", "-e", "trace=execve", "-e", "signal=none", "-o", trace, l.Program, "true").Ends(t, 0)
			if got := programsBefore(t, trace, "/bwrap"); got > limit.programs {
				t.Errorf("%s starts %d programs before bwrap, more than %d:\n%s", name, got, limit.programs, readAll(t, trace))
			}
			if _, err := exec.LookPath("valgrind"); err != nil {
				continue // only where instructions can be counted
			}
			counted := l
			counted.Program = "/usr/bin/valgrind"
			log := filepath.Join(w.Top, "log")
			counted.Run(t, "--tool=callgrind", "--trace-children=no", "--child-silent-after-fork=yes", "--vgdb=no",
				"--callgrind-out-file=/dev/null", "--log-file="+log, l.Program, "true")
			found := regexp.MustCompile(`Collected : (\d+)`).FindSubmatch(readAll(t, log))
			if found == nil {
				t.Errorf("%s: callgrind counts nothing: %s", name, readAll(t, log))
				continue
			}
			n, _ := strconv.ParseFloat(string(found[1]), 64)
			if t.Logf("%s: %.1f million instructions", name, n/1e6); n/1e6 > limit.instructions {
				t.Errorf("%s uses %.1f million instructions, more than %.0f", name, n/1e6, limit.instructions)
			}
		}
	})
}

// programsBefore counts the programs that were started after the launcher and before one whose path ends
// as given.
func programsBefore(t *testing.T, trace, end string) int {
	t.Helper()
	n := 0
	for line := range bytes.Lines(readAll(t, trace)) {
		_, call, isCall := strings.Cut(string(line), `execve("`)
		path, _, _ := strings.Cut(call, `"`)
		switch {
		case !isCall || !strings.HasSuffix(strings.TrimSpace(string(line)), "= 0"):
		case strings.HasSuffix(path, end):
			return n - 1 // the first is the launcher itself
		default:
			n++
		}
	}
	t.Fatalf("%s was not started", end)
	return 0
}

func readAll(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
