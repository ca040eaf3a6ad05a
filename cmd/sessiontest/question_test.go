package sessiontest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// question is what a command inside answers with yes, by its exit status. $P,
// $O, $H and $W stand for project, outside, home and the world's directory.
type question struct {
	name, script string
	host         string // what holds on the host afterwards; "" where the host says no to the question itself
}

// places are what stands for directories of the world, as whole words.
var places = regexp.MustCompile(`\$[POHW]\b`)

// expand replaces them.
func (w world) expand(script string) string {
	return places.ReplaceAllStringFunc(script, func(word string) string {
		return map[string]string{"$P": w.Project, "$O": w.Outside, "$H": w.Home, "$W": w.Top}[word]
	})
}

// reply is how a script has ended, and what it said.
type reply struct {
	status int
	said   string
}

// asking runs each of its arguments as a script of bash, one after the other.
const asking = `for script; do said=$(bash -c "$script" 2>&1 </dev/null); printf '%d %s\0' $? "$said"; done`

// replies runs scripts in one sandbox: to start one is most of the work.
func (w world) replies(t *testing.T, scripts ...string) []reply {
	t.Helper()
	return replies(t, w.Start, scripts, "--", "bash")
}

// replies runs scripts by one start of a program, whose first arguments lead to
// bash.
func replies(t *testing.T, s harness.Start, scripts []string, words ...string) []reply {
	t.Helper()
	r := s.Run(t, slices.Concat(words, []string{"-c", asking, "bash"}, scripts)...).Ends(t, 0)
	var all []reply
	for text := range strings.SplitSeq(strings.TrimSuffix(r.Stdout, "\x00"), "\x00") {
		status, said, _ := strings.Cut(text, " ")
		number, err := strconv.Atoi(status)
		if err != nil {
			t.Fatalf("%v in %q", err, r.Stdout)
		}
		all = append(all, reply{number, said})
	}
	if len(all) != len(scripts) {
		t.Fatalf("%d replies to %d scripts: %q", len(all), len(scripts), r.Stdout)
	}
	return all
}

// answers asks all questions inside.
func (w world) answers(t *testing.T, all []question) {
	t.Helper()
	var scripts []string
	for _, q := range all {
		scripts = append(scripts, w.expand(q.script))
	}
	for i, r := range w.replies(t, scripts...) {
		t.Run(all[i].name, func(t *testing.T) {
			if r.status != 0 {
				t.Errorf("inside: %d, %s", r.status, r.said)
			}
		})
	}
}

// controls asks without a sandbox, where it would be no answer if they held.
func (w world) controls(t *testing.T, all []question) {
	t.Helper()
	var scripts []string
	for _, q := range all {
		scripts = append(scripts, w.expand(cmp.Or(q.host, q.script)))
	}
	for i, r := range replies(t, w.host(), scripts) {
		t.Run(all[i].name, func(t *testing.T) {
			switch {
			case all[i].host == "" && r.status == 0:
				t.Error("the host says yes to it, too")
			case all[i].host != "" && r.status != 0:
				t.Errorf("on the host: %d, %s", r.status, r.said)
			}
		})
	}
}

// host starts bash where the launcher would be started, without it.
func (w world) host() harness.Start {
	host := w.Start
	host.Program, host.Words = "/bin/bash", nil
	return host
}

// outside runs a script where the launcher would be started, without it.
func (w world) outside(t *testing.T, script string) harness.Result {
	t.Helper()
	return w.host().Run(t, "-c", w.expand(script))
}
