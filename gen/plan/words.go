package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// Line says one thing about the sandbox, for people.
type Line struct{ Subject, Words string }

// Summary says in a few lines what the sandbox shows, changes and keeps out: what
// templates/summary.tmpl says of this plan.
func (p Plan) Summary() []Line {
	var all []Line
	for _, c := range p.clauses() {
		last := len(all) - 1
		switch {
		case c.Words == "":
		case last >= 0 && all[last].Subject == c.Subject:
			all[last].Words += "; " + c.Words
		default:
			all = append(all, c)
		}
	}
	return all
}

// NetworkWords says what the command can reach, but for single ports.
func (p Plan) NetworkWords() string {
	for _, c := range p.clauses() {
		if c.Subject == "network" && c.Words != "" {
			return c.Words
		}
	}
	return ""
}

// clause is a subject, what it depends on and the rest of its line, with the lines that
// continue it.
var clause = regexp.MustCompile(`(?m)^([\w-]+) \[(.*)\]: (.*(?:\n .*)*)`)

// clauses are all of the summary; without words, one says nothing of this plan. A mistake in
// the template panics.
func (p Plan) clauses() []Line {
	var all []Line
	for _, row := range clause.FindAllStringSubmatch(templates.Summary, -1) {
		var b strings.Builder
		text := "{{with " + row[2] + "}}" + strings.ReplaceAll(row[3], "\n", "") + "{{end}}"
		t := template.New("clause").Funcs(p.functions())
		if err := template.Must(t.Parse(text)).Execute(&b, p); err != nil {
			panic(err)
		}
		all = append(all, Line{strings.ReplaceAll(row[1], "-", " "), b.String()})
	}
	return all
}

// functions are what the summary asks of a plan besides its fields.
func (p Plan) functions() template.FuncMap {
	return template.FuncMap{
		"few": few, "list": list, "join": sprig.HermeticTxtFuncMap()["join"], "cost": NetworkCost,
		"git": func() bool {
			return p.Mounts.In(ScopeOutside).Any(func(m Mount) bool { return m.Target.Equal(settingsOfGit) })
		},
		"withoutGit": withoutGit,
		"depth":      func() int { return ReportDepth },
		"searched":   func() int { return ReportSeconds },
		"needs":      func() []Need { return NetworkNeeds(p.Network, len(p.Published)+len(p.Reached) > 0) },
		"logins":     p.Environ.namedLogins,
		"at": func(place expr.Path) string {
			if place.IsZero() {
				return ""
			}
			return ", at " + place.String()
		},
		"protected": p.protectedWords,
		"reserved": func() int {
			if p.Project.Access != profile.AccessWrite {
				return 0
			}
			return len(p.Mounts.Where(func(m Mount) bool { return m.Reserved }))
		},
		"does": func(op string, all Mounts) []string {
			return folded(all, all.Where(func(m Mount) bool { return m.Op.String() == op }))
		},
		"system": p.systemNames, "toolchains": p.toolNames, "sockets": p.socketNames, "names": func() []string { return slices.Concat(p.Sockets.Talk, p.Sockets.Own) }, "caches": p.cacheWords, "variables": p.variableWords,
		"settings": func() []string { return usualPlaces(p.Mounts.Where(func(m Mount) bool { return m.IfNoLogin })) },
	}
}

// usualPlaces are where mounts stand without variables.
func usualPlaces(all Mounts) []string {
	var names []string
	for _, m := range all {
		names = append(names, m.Target.Usual().String())
	}
	return names
}

// folded are where some of a profile's mounts are, without variables. What built-in profiles protect or empty
// in a directory of an agent's is only counted: the policy lists it.
func folded(all, some Mounts) []string {
	isTop := func(m Mount) bool { return m.Op == Bind && m.Create }
	isNameIn := func(top, m Mount) bool {
		return m.Origin.Builtin() && m.is(does(ROBind, Tmpfs)) && leadsBelow(m.Target, top.Target)
	}
	var names []string
	for _, m := range some {
		isName := func(top Mount) bool { return isNameIn(top, m) }
		name := m.Target.Usual().String()
		if all.Where(isTop).Any(isName) || slices.Contains(names, name) {
			continue
		}
		if count := len(all.Where(func(o Mount) bool { return isTop(m) && isNameIn(m, o) })); count > 0 {
			name += fmt.Sprintf(" (except %d names in it)", count)
		}
		names = append(names, name)
	}
	return names
}

// few names the first of many: explain has them all.
func few(names []string) string {
	const most = 4
	if len(names) <= most+1 {
		return list(names)
	}
	return fmt.Sprintf("%s and %d more", join(names[:most]), len(names)-most)
}

// list joins names as English does.
func list(names []string) string {
	if last := len(names) - 1; last > 0 {
		return join(names[:last]) + " and " + names[last]
	}
	return join(names)
}

func join(names []string) string { return strings.Join(names, ", ") }

// gitSettings are the files of git's that the summary names by what they hold.
var gitSettings = []string{"~/.config/git/attributes", "~/.config/git/config", "~/.config/git/ignore", "~/.gitconfig"}

func withoutGit(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(gitSettings, name) })
}

// protectedWords say what of a writable project is not.
func (p Plan) protectedWords() string {
	switch number := len(p.Mounts.In(ScopeProtect)); number {
	case 0:
		return ""
	case 1:
		return ", except one file that your tools run automatically"
	default:
		return fmt.Sprintf(", except %d files that your tools run automatically (git hooks and config, .envrc, .vscode, agent settings)", number)
	}
}

// socketNames are the sockets that are passed, with what they allow.
func (p Plan) socketNames() []string {
	var names []string
	for _, name := range p.Sockets.Pass {
		if means := catalogue.SocketMeans(name); means != "" {
			name += " (" + means + ")"
		}
		names = append(names, name)
	}
	return names
}

func (p Plan) systemNames() []string {
	notOfEtc := func(m Mount) bool { return !strings.HasPrefix(m.Target.Rest, "/etc/") }
	names := usualPlaces(p.Mounts.In(ScopeSystem).Where(notOfEtc))
	if len(p.Mounts.In(ScopeEtc)) > 0 {
		names = append(names, "parts of /etc")
	}
	return names
}

// toolNames are the directories of tools, and behind them what lies where variables lead.
func (p Plan) toolNames() []string {
	var names, variables []string
	for _, m := range p.Mounts.In(ScopeToolchain).Where(does(ROBind)) {
		switch usual := m.Target.Usual(); {
		case m.IfNoLogin:
		case usual.Base == expr.Variable:
			variables = append(variables, usual.String())
		default:
			names = append(names, usual.String())
		}
	}
	if len(variables) > 0 {
		names = append(names, "files that "+few(variables)+" name")
	}
	return names
}

// cacheWords names the tools of which a cache is shown, by what becomes of changes.
func (p Plan) cacheWords() string {
	names := map[profile.CacheMode][]string{}
	for _, m := range p.Mounts.In(ScopeCache) {
		if mode := m.CacheMode(); !slices.Contains(names[mode], m.Tool) {
			names[mode] = append(names[mode], m.Tool)
		}
	}
	var words []string
	for mode, tools := range names {
		words = append(words, list(tools)+": "+cacheModes[mode].words)
	}
	slices.Sort(words)
	return strings.Join(words, "; ")
}

// variableWords says how many of the caller's variables the command gets.
func (p Plan) variableWords() string {
	if len(p.Environ.Pass) == 0 {
		return "only HOME and the like"
	}
	return fmt.Sprintf("%d passed through", len(p.Environ.Pass))
}
