package sessiontest

import (
	"regexp"
	"testing"

	"bwrapgen/cmd/trial"
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

// answers asks each question inside.
func (w world) answers(t *testing.T, all []question) {
	t.Helper()
	for _, q := range all {
		t.Run(q.name, func(t *testing.T) {
			if r := w.bash(t, w.expand(q.script)); r.Status != 0 {
				t.Errorf("inside: %d, %s%s", r.Status, r.Stdout, r.Stderr)
			}
		})
	}
}

// controls asks without a sandbox, where it would be no answer if they held.
func (w world) controls(t *testing.T, all []question) {
	t.Helper()
	for _, q := range all {
		t.Run(q.name, func(t *testing.T) {
			if q.host == "" {
				if w.outside(t, q.script).Status == 0 {
					t.Error("the host says yes to it, too")
				}
			} else if r := w.outside(t, q.host); r.Status != 0 {
				t.Errorf("on the host: %d, %s%s", r.Status, r.Stdout, r.Stderr)
			}
		})
	}
}

// outside runs a script where the launcher would be started, without it.
func (w world) outside(t *testing.T, script string) trial.Result {
	t.Helper()
	host := w.Start
	host.Program, host.Words = "/bin/bash", nil
	return host.Run(t, "-c", w.expand(script))
}
