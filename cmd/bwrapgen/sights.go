package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// sight is what the command finds at one place, and below it.
type sight struct {
	at   expr.Path
	what string
	from string // what asks for it; empty: every sandbox has it
	why  string
}

// sights lists what a sandbox shows, in the order in which it is mounted: of
// two at the same place, the later covers the earlier.
func sights(p plan.Plan) []sight {
	all := slices.Concat(baseSights(p), homeSights(p))
	for _, g := range slices.Concat(p.Toolchains, p.Groups) {
		all = append(all, mountSights(g.Mounts)...)
	}
	for _, c := range p.Caches {
		all = append(all, sight{c.Path, cacheWords(c.Mode), asker(c.Tool, c.Origin), c.Why})
	}
	all = append(all, viewSights(p)...)
	all = append(all, projectSights(p)...)
	for _, g := range p.Inside {
		all = append(all, mountSights(g.Mounts)...)
	}
	return append(all, mountSights(p.Masks)...)
}

// made is a sight that no profile asks for: every sandbox has it.
func made(at, what string) sight { return sight{at: expr.MustParse(at), what: what} }

func baseSights(p plan.Plan) []sight {
	if p.Base == profile.BaseHost {
		return append([]sight{made("/", "the host's, read-only")}, always()...)
	}
	all := append([]sight{made("/", "nothing of the host")}, always()...)
	for _, list := range [][]plan.Mount{p.System.Roots, p.System.Mounts, p.System.Etc} {
		all = append(all, mountSights(list)...)
	}
	if p.System.Time {
		all = append(all, made("/etc/localtime", "the host's time zone"))
	}
	if p.System.Accounts {
		all = append(all, made("/etc/passwd", "a file of the sandbox's own, with the caller's entry"),
			made("/etc/group", "a file of the sandbox's own, with the caller's entry"))
	}
	return all
}

func always() []sight {
	return []sight{
		made("/proc", "the sandbox's own processes"),
		made("/dev", "a few devices; the sandbox's own terminals and shared memory"),
		made("/tmp", "empty, writable, and gone afterwards"),
		made("/var/tmp", "empty, writable, and gone afterwards"),
		made("/run", "empty but for what is listed"),
	}
}

func homeSights(p plan.Plan) []sight {
	if p.Home == profile.HomeHost {
		return []sight{made("~", "the host's, read-only")}
	}
	return []sight{made("~", "empty, writable, and gone afterwards")}
}

func projectSights(p plan.Plan) []sight {
	at := p.Project.Root.Path
	if at.IsZero() {
		at = expr.Path{Base: expr.Project}
	}
	what := "the host's, writable"
	if p.Project.Access == profile.AccessRead {
		what = "the host's, read-only"
	}
	return append([]sight{{at: at, what: what, why: "the project"}}, mountSights(p.Project.Protect)...)
}

// viewSights are the writable views that are no caches.
func viewSights(p plan.Plan) []sight {
	var all []sight
	for _, o := range p.Overlays {
		what := "the host's is read; changes stay in the store"
		if o.Layer == plan.Memory || o.Layer == plan.Run {
			what = cacheWords(profile.CacheEphemeral)
		}
		if !o.Cache || o.Tool != "" {
			all = append(all, sight{o.Target, what, asker(o.Tool, o.Origin), o.Why})
		}
	}
	return all
}

func mountSights(mounts []plan.Mount) []sight {
	var all []sight
	for _, m := range mounts {
		all = append(all, sight{m.Target, mountWords(m), asker(m.Tool, m.Origin), m.Why})
	}
	return all
}

// asker is the tool, or else the line of a profile, that asks for something.
func asker(tool string, o profile.Origin) string {
	switch {
	case tool != "":
		return "tool " + tool
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	}
	return o.File
}

func mountWords(m plan.Mount) string {
	words := map[plan.Op]string{
		plan.ROBind:  "the host's, read-only",
		plan.Bind:    "the host's, writable",
		plan.Tmpfs:   "empty, writable, and gone afterwards",
		plan.Symlink: "a link to " + m.Text,
		plan.Mask:    "hidden",
	}[m.Op]
	if !m.Source.IsZero() && !m.Source.Equal(m.Target) {
		words += ", from " + m.Source.String()
	}
	if m.Optional {
		words += ", if there is one"
	}
	if m.IfNoEnv {
		words += ", and it sets no variables"
	}
	return words
}

func cacheWords(mode profile.CacheMode) string {
	switch mode {
	case profile.CacheRead:
		return "the host's, read-only"
	case profile.CacheWrite:
		return "the host's, writable"
	}
	return "the host's is read; changes are thrown away"
}

// words tells a plan to people: the summary, then each place.
func words(p plan.Plan) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n\n", visible(p.Name), visible(p.About))
	var rows [][]string
	for _, l := range p.Summary() {
		rows = append(rows, []string{l.Subject, visible(l.Words)})
	}
	b.Write(columns(rows))
	rows = [][]string{{"PLACE", "WHAT IS THERE", "FROM", "WHY"}}
	for _, s := range sights(p) {
		rows = append(rows, []string{visible(s.at.String()), visible(s.what), visible(s.from), visible(s.why)})
	}
	b.WriteString("\n")
	b.Write(columns(rows))
	return b.Bytes()
}

// explainPaths says what the command finds at each path.
func (a app) explainPaths(s sandbox, names []string) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range names {
		at, err := filepath.Abs(a.expand(name))
		if err != nil {
			return nil, cannot("name it from the root on", "the working directory is gone: %v", reason(err))
		}
		found := decisive(sights(s.plan), at, s.env)
		fmt.Fprintf(&b, "%s: %s", visible(name), visible(found.what))
		if where, _ := found.at.Eval(s.env); where != at {
			fmt.Fprintf(&b, ", as all of %s", visible(found.at.String()))
		}
		if reason := strings.TrimSpace(found.from + " " + found.why); reason != "" {
			fmt.Fprintf(&b, " (%s)", visible(reason))
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// decisive is the sight that decides about a path: the deepest at or above it,
// and of those the last.
func decisive(all []sight, at string, env expr.Env) sight {
	var (
		best  sight
		depth = -1
	)
	for _, s := range all {
		where, ok := s.at.Eval(env)
		if ok && within(where, at) && len(where) >= depth {
			best, depth = s, len(where)
		}
	}
	return best
}
