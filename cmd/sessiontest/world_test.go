package sessiontest

import (
	"path/filepath"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/plan"
)

// world is a home directory with a project in it, what lies outside, and a
// launcher in the project.
type world struct {
	harness.World
	harness.Start
}

func newWorld(t *testing.T, s harness.Setting) world {
	t.Helper()
	return newWorldIn(t, s, harness.Homes())
}

// newHostWorld is for tests of the host base that look at what lies outside:
// below /home it is hidden, with the homes of others.
func newHostWorld(t *testing.T, s harness.Setting) world {
	t.Helper()
	if harness.Homes() != "/home" {
		return newWorld(t, s)
	}
	return newWorldIn(t, s, "/srv")
}

func newWorldIn(t *testing.T, s harness.Setting, dir string) world {
	t.Helper()
	w := world{World: harness.NewWorld(t, s, dir)}
	w.Start = harness.Start{
		As: s.Account, Program: filepath.Join(w.Top, "L"), Dir: w.Project,
		Environment: []string{"HOME=" + w.Home, "PATH=" + w.Path(), "TERM=xterm", "LANG=C.UTF-8"},
	}
	w.Write(t, map[string]string{
		"outside/file":                      "outside\n",
		"home/code/p/file":                  "project\n",
		"home/code/p/.git/config":           "[core]\n\trepositoryformatversion = 0\n",
		"home/code/p/.git/hooks/pre-commit": "#!/bin/sh\n",
		"home/code/p/.git/HEAD":             "ref: refs/heads/main\n",
		"home/.ssh/id_test":                 "secret\n",
	})
	w.Give(t, w.Top)
	return w
}

// everywhere runs a test as every account and under every bwrap.
func everywhere(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) { test(t, newWorld(t, s)) })
}

// ends runs a test as every account, under the oldest bwrap and the newest.
func ends(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	harness.Ends(t, func(t *testing.T, s harness.Setting) { test(t, newWorld(t, s)) })
}

// crossed does so in two of these four ways, which a number chooses.
func crossed(t *testing.T, number int, test func(t *testing.T, w world)) {
	t.Helper()
	harness.Crossed(t, number, func(t *testing.T, s harness.Setting) { test(t, newWorld(t, s)) })
}

// once runs a test as every account, under the newest bwrap.
func once(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	harness.Newest(t, func(t *testing.T, s harness.Setting) { test(t, newWorld(t, s)) })
}

// write writes a file of the world, and gives it to the account.
func (w world) write(t *testing.T, name, text string) string {
	t.Helper()
	w.Write(t, map[string]string{name: text})
	w.Give(t, w.Top)
	return filepath.Join(w.Top, name)
}

// launch writes the launcher of a profile in which $P, $O, $H and $W stand for
// project, outside, home and the world's directory.
func (w world) launch(t *testing.T, text string) world {
	t.Helper()
	w.Put(t, w.Program, w.Launcher(t, w.profile(text)))
	return w
}

// plan goes from a profile's text to the plan for this world.
func (w world) plan(t *testing.T, text string) (plan.Plan, error) {
	t.Helper()
	return w.Plan(t, w.profile(text))
}

func (w world) profile(text string) harness.Profile {
	return harness.Profile{Text: text, Environment: w.Environment}
}

// bash runs a script inside.
func (w world) bash(t *testing.T, script string, arguments ...string) harness.Result {
	t.Helper()
	return w.Run(t, append([]string{"--", "bash", "-c", script, "bash"}, arguments...)...)
}
