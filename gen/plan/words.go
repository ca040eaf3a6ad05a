package plan

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Line says one thing about the sandbox, for people.
type Line struct{ Subject, Words string }

// Summary says in a few lines what the sandbox shows, changes and keeps out.
func (p Plan) Summary() []Line {
	lines := []Line{{"project", p.projectWords()}, {"system", p.systemWords()}, {"home", p.homeWords()}}
	if words := p.toolWords(); words != "" {
		lines = append(lines, Line{"toolchains", words})
	}
	if words := p.settingWords(); words != "" {
		lines = append(lines, Line{"settings", words})
	}
	if words := p.cacheWords(); words != "" {
		lines = append(lines, Line{"caches", words})
	}
	if words := p.tmpWords(); words != "" {
		lines = append(lines, Line{"tmp", words})
	}
	if words := p.otherWords(); words != "" {
		lines = append(lines, Line{"besides", words})
	}
	if len(p.Project.Watched) > 0 {
		lines = append(lines, Line{"report", fmt.Sprintf("at the end, new and changed files that the host would run: %d directories deep, for %d s", ReportDepth, ReportSeconds)})
	}
	lines = append(lines, Line{"sockets", p.socketWords()}, Line{"network", p.NetworkWords() + p.PortWords()})
	if p.OwnNetwork() {
		lines = append(lines, Line{"needs", p.needWords()})
	}
	lines = append(lines, Line{"variables", p.variableWords()})
	if words := p.reasonWords(); words != "" {
		lines = append(lines, Line{"set", words})
	}
	lines = append(lines, Line{"kernel", p.kernelWords()})
	if words := p.boundWords(); words != "" {
		lines = append(lines, Line{"bounds", words})
	}
	return append(lines, Line{"limits", p.limitWords()})
}

func (p Plan) projectWords() string {
	if p.Project.Access == profile.AccessRead {
		return "read-only" + p.Places.words(p.Places.Project)
	}
	if p.Project.Access == profile.AccessOverlay {
		return "a view of it" + p.Places.words(p.Places.Project) + ": changes stay in the store until --sandbox-apply takes them over"
	}
	protected := p.Mounts.In(ScopeProtect)
	if len(protected) == 0 {
		return "writable" + p.Places.words(p.Places.Project)
	}
	names := fmt.Sprintf("%d names that the host would run, if they exist", len(protected))
	if len(protected) == 1 {
		names = "one name that the host would run, if it exists"
	}
	words := "writable" + p.Places.words(p.Places.Project) + ", but for " + names
	if own := len(protected.Where(func(m Mount) bool { return m.Reserved })); own > 0 {
		words += fmt.Sprintf("; %d of them cannot be made, either", own)
	}
	return words
}

func (p Plan) systemWords() string {
	if p.Base == profile.BaseHost {
		return "the host's, read-only, without other homes; /tmp, /var/tmp and /run of its own"
	}
	var names []string
	for _, m := range p.Mounts.In(ScopeSystem) {
		if !strings.HasPrefix(m.Target.Rest, "/etc/") {
			names = append(names, m.Target.Usual().String())
		}
	}
	if len(p.Mounts.In(ScopeEtc)) > 0 {
		names = append(names, "a part of /etc")
	}
	if len(names) == 0 {
		return "nothing of the host"
	}
	return join(names) + ", read-only"
}

func (p Plan) homeWords() string {
	if p.Home == profile.HomeHost {
		return fmt.Sprintf("the host's, read-only; %d places for secrets are hidden", len(p.Mounts.In(ScopeMask)))
	}
	if p.Home == profile.HomeKeep {
		return "the sandbox's own, kept from run to run" + p.Places.words(p.Places.Home)
	}
	return "empty, and gone afterwards" + p.Places.words(p.Places.Home)
}

func (p Plan) toolWords() string {
	var names, variables, views, words []string
	for _, m := range p.Mounts.In(ScopeToolchain) {
		usual := m.Target.Usual()
		switch {
		case m.View():
			views = append(views, usual.String())
		case m.IfNoLogin: // a setting
		case usual.Base == expr.Variable:
			variables = append(variables, usual.String())
		default:
			names = append(names, usual.String())
		}
	}
	if len(variables) > 0 {
		names = append(names, "what is at "+some(variables))
	}
	if len(names) > 0 {
		words = append(words, some(names)+", read-only")
	}
	if len(views) > 0 {
		words = append(words, "a view of "+some(views)+", changes go where the caches' do")
	}
	return strings.Join(words, "; ")
}

// settingWords names the settings of tools that are shown on a condition.
func (p Plan) settingWords() string {
	var names []string
	for _, m := range p.Mounts.Where(func(m Mount) bool { return m.IfNoLogin }) {
		names = append(names, m.Target.Usual().String())
	}
	if len(names) == 0 {
		return ""
	}
	return join(names) + ", read-only, as long as they hold no login"
}

func (p Plan) cacheWords() string {
	names := map[profile.CacheMode][]string{}
	for _, m := range p.Mounts.In(ScopeCache) {
		if mode := m.CacheMode(); !slices.Contains(names[mode], m.Tool) {
			names[mode] = append(names[mode], m.Tool)
		}
	}
	var words []string
	for mode, text := range map[profile.CacheMode]string{
		profile.CacheEphemeral: "the host's are read, changes stay in memory and are thrown away",
		profile.CacheSession:   "the host's are read, changes stay in the session",
		profile.CacheKeep:      "the host's are read, changes last for this project and this launcher",
		profile.CacheRead:      "read-only",
		profile.CacheWrite:     "writable",
	} {
		if len(names[mode]) > 0 {
			words = append(words, some(names[mode])+": "+text)
		}
	}
	slices.Sort(words)
	return strings.Join(words, "; ")
}

func (p Plan) otherWords() string {
	words := map[Op][]string{}
	for _, m := range p.Mounts.In(ScopeBesides, ScopeProject) {
		words[m.Op] = append(words[m.Op], m.Target.Usual().String())
	}
	var all []string
	for _, op := range []Op{ROBind, Bind, Tmpfs, Symlink} {
		if len(words[op]) > 0 {
			all = append(all, op.String()+" "+join(words[op]))
		}
	}
	if len(words[View]) > 0 {
		all = append(all, "a view of "+join(words[View])+", changes stay in the store")
	}
	for _, m := range p.Mounts.In(ScopeCredential) {
		all = append(all, "credential "+m.Target.String())
	}
	return strings.Join(all, "; ")
}

func (p Plan) asks() bool { return p.Confirm.Mode == profile.ConfirmAlways }

func (p Plan) boundWords() string {
	var all []string
	add := func(wanted bool, format string, args ...any) {
		if wanted {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	l := p.Limits
	add(p.asks(), "each command is asked about")
	add(l.Timeout > 0, "%d seconds", seconds(l.Timeout))
	add(l.Memory > 0, "%s of memory", l.Memory)
	add(l.Processes > 0, "%d processes", l.Processes)
	add(l.OpenFiles > 0, "%d open files", l.OpenFiles)
	add(l.CPUTime > 0, "%d seconds of processor time", seconds(l.CPUTime))
	return strings.Join(all, "; ")
}

func seconds(d interface{ Seconds() float64 }) int { return int(d.Seconds()) }

func (p Plan) limitWords() string {
	if p.Project.Access == profile.AccessRead {
		return "what is visible can be read; nothing that it says is checked"
	}
	if p.Project.Access == profile.AccessOverlay {
		return "look at what --sandbox-diff says before you apply it"
	}
	words := "the project can be changed: look at it before you run it outside"
	if p.Kernel.NestedUserns {
		words += "; in a namespace of its own the command can undo what is protected or hidden in it"
	}
	return words
}

// some names a few of many: the policy has them all.
func some(names []string) string {
	const most = 8
	if len(names) <= most {
		return join(names)
	}
	return fmt.Sprintf("%s and %d others", join(names[:most-2]), len(names)-most+2)
}

func join(names []string) string { return strings.Join(names, ", ") }

// tmpWords says what becomes of /tmp, if it is not gone afterwards.
func (p Plan) tmpWords() string {
	switch p.Tmp {
	case profile.TmpSession:
		return "/tmp stays in the session"
	case profile.TmpKeep:
		return "/tmp is kept from run to run"
	}
	return ""
}

// reasonWords says which variables are set for the tools, and why.
func (p Plan) reasonWords() string {
	var words []string
	for _, r := range p.Environ.Reasons {
		words = append(words, r.Subject+": "+r.Words)
	}
	return strings.Join(words, "; ")
}
