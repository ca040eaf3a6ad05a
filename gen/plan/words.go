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
	all := []Line{
		{"project", p.projectWords()},
		{"system", p.systemWords()},
		{"home", p.homeWords()},
		{"toolchains", p.toolWords()},
		{"settings", p.settingWords()},
		{"caches", p.cacheWords()},
		{"tmp", p.tmpWords()},
		{"besides", p.otherWords()},
		{"report", p.reportWords()},
		{"sockets", p.socketWords()},
		{"network", p.NetworkWords() + p.PortWords()},
		{"needs", p.needWords()},
		{"variables", p.variableWords()},
		{"set", p.reasonWords()},
		{"kernel", p.kernelWords()},
		{"bounds", p.boundWords()},
		{"limits", p.limitWords()},
	}
	return slices.DeleteFunc(all, func(l Line) bool { return l.Words == "" })
}

func (p Plan) projectWords() string {
	place := placeWords(p.Places.Project)
	protected := p.Mounts.In(ScopeProtect)
	switch {
	case p.Project.Access == profile.AccessRead:
		return "read-only" + place
	case p.Project.Access == profile.AccessOverlay:
		return "a view of it" + place + ": changes stay in the store until --sandbox-apply takes them over"
	case len(protected) == 0:
		return "writable" + place
	}
	names := fmt.Sprintf("%d names that the host would run, if they exist", len(protected))
	if len(protected) == 1 {
		names = "one name that the host would run, if it exists"
	}
	words := "writable" + place + ", but for " + names
	if own := len(protected.Where(func(m Mount) bool { return m.Reserved })); own > 0 {
		words += fmt.Sprintf("; %d of them cannot be made, either", own)
	}
	return words
}

// reportWords say what is looked for at the end.
func (p Plan) reportWords() string {
	if len(p.Project.Watched) == 0 {
		return ""
	}
	return fmt.Sprintf("at the end, new and changed files that the host would run: %d directories deep, for %d s",
		ReportDepth, ReportSeconds)
}

func (p Plan) systemWords() string {
	if p.Base == profile.BaseHost {
		return "the host's, read-only, without other homes; /tmp, /var/tmp and /run of its own"
	}
	notOfEtc := func(m Mount) bool { return !strings.HasPrefix(m.Target.Rest, "/etc/") }
	names := usualPlaces(p.Mounts.In(ScopeSystem).Where(notOfEtc))
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
		return "the sandbox's own, kept from run to run" + placeWords(p.Places.Home)
	}
	return "empty, and gone afterwards" + placeWords(p.Places.Home)
}

// usualPlaces are where mounts stand without variables.
func usualPlaces(all Mounts) []string {
	var names []string
	for _, m := range all {
		names = append(names, m.Target.Usual().String())
	}
	return names
}

func (p Plan) toolWords() string {
	byVariable := func(m Mount) bool { return m.Target.Usual().Base == expr.Variable }
	byName := func(m Mount) bool { return !byVariable(m) }
	shown := p.Mounts.In(ScopeToolchain).Where(Mount.NotView, func(m Mount) bool { return !m.IfNoLogin })
	names, variables := usualPlaces(shown.Where(byName)), usualPlaces(shown.Where(byVariable))
	if len(variables) > 0 {
		names = append(names, "what is at "+some(variables))
	}
	var words []string
	if len(names) > 0 {
		words = append(words, some(names)+", read-only")
	}
	if views := usualPlaces(p.Mounts.In(ScopeToolchain).Where(Mount.View)); len(views) > 0 {
		words = append(words, "a view of "+some(views)+", changes go where the caches' do")
	}
	return strings.Join(words, "; ")
}

// settingWords names the settings of tools that are shown on a condition.
func (p Plan) settingWords() string {
	names := usualPlaces(p.Mounts.Where(func(m Mount) bool { return m.IfNoLogin }))
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
	others := p.Mounts.In(ScopeOutside, ScopeProject)
	var all []string
	for _, op := range []Op{ROBind, Bind, Tmpfs, Symlink} {
		if names := usualPlaces(others.Where(does(op))); len(names) > 0 {
			all = append(all, op.String()+" "+join(names))
		}
	}
	if views := usualPlaces(others.Where(does(View))); len(views) > 0 {
		all = append(all, "a view of "+join(views)+", changes stay in the store")
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
