package verify

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// Sandbox is a launcher, and the plan that it should follow.
type Sandbox struct {
	Name      string
	Script    []byte
	File      string // of the launcher, absolute; empty: it is in none yet
	Plan      plan.Plan
	Profile   profile.Profile
	Catalogue catalogue.Catalogue
	Env       expr.Env // of the host
}

// Explained tries what explain says of a sandbox. Own are the caller's home and project, if
// they are to be used.
func Explained(s Sandbox, own *expr.Env) ([]Statement, error) {
	h, err := newHarness(s, own)
	if err != nil {
		return nil, err
	}
	defer h.end()
	places := h.places()
	if err := h.plant(places); err != nil {
		return nil, failed("cannot make what is to be looked for", err)
	}
	w := h.world()
	all := h.questions(places, &w)
	once, again := tries(all)
	first, err := h.start(start{tries: once, variables: w.variables})
	if !first.isWhole {
		return h.unstarted(first, err)
	}
	for i, p := range places {
		places[i].control.hasArrived = h.hasArrived(p)
	}
	second, err := h.again(again, places, &w)
	if !second.isWhole {
		return h.unstarted(second, err)
	}
	return judged(all, first, second), nil
}

// again starts the launcher once more, for what an earlier start has left. In a project that
// was made for this, it is killed at the end.
func (h *harness) again(tries []try, places []place, w *world) (seen, error) {
	w.killed = h.isOwn(h.project)
	if w.killed {
		tries = append(tries, try{tryStay, ""})
	}
	if len(tries) == 0 {
		return seen{isWhole: true}, nil
	}
	for _, p := range places {
		if p.isRemade() || p.isReserved() {
			if err := os.RemoveAll(p.host); err != nil {
				return seen{}, failed("cannot remove what was made", err)
			}
		}
	}
	variables := maps.Clone(w.variables)
	for _, name := range h.Plan.Environ.Addresses {
		variables[name] = loginAddress
	}
	s, err := h.start(start{tries: tries, variables: variables, kills: w.killed})
	w.outlived = s.outlived
	return s, err
}

// unstarted is the result where nothing could be tried. In the caller's own project a launcher
// may have a reason to refuse.
func (h *harness) unstarted(s seen, err error) ([]Statement, error) {
	if err != nil {
		return nil, err
	}
	refused := h.refusal(s)
	if h.isReal {
		return nil, refused
	}
	return []Statement{claim("start", "a command runs inside", more(false, refused.What))}, nil
}

// refusal is why the launcher did not start its command, in its own words.
func (h *harness) refusal(s seen) problem.Problem {
	what, hint := s.refusal()
	what = strings.ReplaceAll(what, h.top, "")
	return problem.New(cmp.Or(what, "the command in "+h.Name+" did not finish"), hint)
}

// refusal is the launcher's error and its hint, NAME: ERROR and NAME: hint: HINT. They are the last
// that it prints: notes come before.
func (s seen) refusal() (what, hint string) {
	for line := range strings.Lines(s.launcher) {
		line = strings.TrimSpace(line)
		_, text, _ := strings.Cut(line, ": ")
		rest, isHint := strings.CutPrefix(text, "hint: ")
		switch {
		case isHint:
			hint = rest
		case line != "":
			what, hint = cmp.Or(text, line), ""
		}
	}
	return what, hint
}

// viewProblem is what a launcher prints where it cannot make overlays.
func (s seen) viewProblem() string {
	for line := range strings.Lines(s.launcher) {
		if strings.Contains(line, "overlay") || strings.Contains(line, "holds no layers") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// world tries outside what is tried inside.
func (h *harness) world() world {
	w := world{uid: os.Getuid(), inside: h.inside, variables: h.variables(), leftOpen: filepath.Join(h.top, leftOpen)}
	for _, name := range []string{"user", "pid", "ipc", "uts", "cgroup", "mnt", "net"} {
		if at, err := os.Readlink("/proc/self/ns/" + name); err == nil {
			w.namespaces = append(w.namespaces, at)
		}
	}
	text, _ := os.ReadFile("/proc/self/status")
	w.filters = status(string(text), "Seccomp_filters")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.nests = exec.CommandContext(ctx, "unshare", "-U", "true").Run() == nil
	file := filepath.Join(h.top, "setuid")
	w.setuid = os.WriteFile(file, nil, 0o700) == nil && os.Chmod(file, 0o700|os.ModeSetuid) == nil
	return w
}
