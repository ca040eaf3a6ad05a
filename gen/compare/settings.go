package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// settings are what stands under single keys, as far as it says something beside the
// other side.
func (l look) settings(other look) []fact {
	p := l.Plan
	root, about, command := "the git work tree around the working directory", "nothing", "what the launcher is given, or a shell"
	switch p.Project.Root.Kind {
	case profile.RootPath:
		root = p.Project.Root.Path.String()
	case profile.RootCwd:
		root = "the working directory"
	}
	if p.About != "" {
		about = strconv.Quote(p.About)
	}
	if len(p.Command) > 0 {
		command = strings.Trim(fmt.Sprintf("%q", p.Command), "[]")
	}
	confirm := "each command is asked about"
	switch {
	case p.Confirm.Mode != profile.ConfirmAlways:
		confirm = "nothing is asked before a run"
	case p.Confirm.AllowYes:
		confirm += ", unless --sandbox-yes says not to"
	}
	filter := map[profile.SeccompMode]int64{profile.SeccompStrict: 0, profile.SeccompDefault: 1, profile.SeccompNone: 2}
	names := len(p.Project.Watched)
	report := fmt.Sprintf("new and changed files that the host would run are told at the end, by %d names", names)
	all := []fact{
		l.either(Terminal, "terminal.mode", p.Terminal != profile.TerminalNewSession,
			"shared, with job control; the filter refuses to type into it",
			"not the command's: it has no job control, and cannot type into it"),
		l.setting(Kernel, "kernel.seccomp", p.FilterWords(), filter[p.Kernel.Seccomp]),
		l.either(Kernel, "kernel.nested-userns", p.Kernel.NestedUserns, "the command may make namespaces", "refused"),
		l.either(Kernel, "kernel.foreign-arch", p.Kernel.ForeignArch, "programs of the other word size run", "refused"),
		l.setting(Other, "project.root", root, 0),
		l.setting(Other, "project.at", placeWords(p.Places.Project), 0),
		l.setting(Other, "home.at", placeWords(p.Places.Home), 0),
		l.either(Other, "project.report", names == 0, "nothing is told at the end", report),
		l.said("about", about),
		l.said("command", command),
		l.said("confirm.mode", confirm),
		l.said("machines", strings.Join(p.Arches, ", ")),
	}
	if p.System.Time && other.Plan.System.Time {
		all = append(all, l.said("time zone", p.System.Zone))
	}
	for _, r := range slices.Concat(p.Environ.Reasons, other.Plan.Environ.Reasons) {
		all = append(all, l.said("$"+r.Subject, reasonWords(p.Environ.Reasons, r.Subject)))
	}
	return slices.Concat(all, l.network(other), l.limits(other))
}

func (l look) setting(kind Kind, key, what string, much int64) fact {
	return fact{kind: kind, subject: key, State: State{What: what, From: l.origin(key)}, much: much}
}

// either is a setting that lets the command do something, or does not.
func (l look) either(kind Kind, key string, lets bool, yes, no string) fact {
	if lets {
		return l.setting(kind, key, yes, 1)
	}
	return l.setting(kind, key, no, 0)
}

// said is what changes nothing of what the command can see, reach and use.
func (l look) said(subject, what string) fact {
	f := fact{kind: Other, subject: subject, State: State{What: what}, isSaid: true}
	if what == "" {
		f.What = "not known"
	}
	if slices.Contains(profile.Keys(), subject) {
		f.From = l.origin(subject)
	}
	return f
}

// origin is where a key's value comes from.
func (s Side) origin(key string) string {
	if o, ok := s.Profile.Origins[key]; ok {
		return access.Asker("", o)
	}
	return "by default"
}

// network is the mode or, where both sides list hosts, each host.
func (l look) network(other look) []fact {
	p := l.Plan
	if p.Network != profile.NetworkAllow || other.Plan.Network != profile.NetworkAllow {
		much := map[profile.NetworkMode]int64{profile.NetworkAllow: 1, profile.NetworkPrivate: 2, profile.NetworkHost: 3}
		return []fact{l.setting(Network, "network.mode", p.NetworkWords(), much[p.Network])}
	}
	var all []fact
	for _, to := range p.Allowed {
		state := from(l.Profile.Network.Allow, to.String())
		state.What = "can be reached"
		all = append(all, fact{kind: Network, subject: to.String(), State: state, much: 1})
	}
	return all
}

// limits are the bounds. Without a timeout on both sides, those that belong to it say
// nothing.
func (l look) limits(other look) []fact {
	limits := l.Plan.Limits
	bound := func(key string, n int64, what string) fact {
		if n == 0 {
			return l.setting(Limit, key, "no limit", math.MaxInt64)
		}
		return l.setting(Limit, key, what, n)
	}
	seconds := func(key string, t time.Duration) fact {
		return bound(key, int64(t), fmt.Sprintf("%d s", int64(t.Seconds())))
	}
	all := []fact{
		seconds("limits.timeout", limits.Timeout),
		bound("limits.output", int64(limits.Output), limits.Output.String()),
		bound("limits.memory", int64(limits.Memory), limits.Memory.String()),
		bound("limits.processes", int64(limits.Processes), strconv.Itoa(limits.Processes)),
		bound("limits.open-files", int64(limits.OpenFiles), strconv.Itoa(limits.OpenFiles)),
		seconds("limits.cpu-time", limits.CPUTime),
	}
	if min(limits.Timeout, other.Plan.Limits.Timeout) > 0 {
		all = append(all, seconds("limits.kill-after", limits.KillAfter), seconds("limits.max-timeout", limits.MaxTimeout))
	}
	return all
}

func placeWords(at expr.Path) string {
	if at.IsZero() {
		return "at its own path"
	}
	return "at " + at.String()
}

// reasonWords say why a variable is set, as far as the list has it.
func reasonWords(reasons []plan.Line, name string) string {
	for _, r := range reasons {
		if r.Subject == name {
			return "the reason is " + strconv.Quote(r.Words)
		}
	}
	return "no reason is given"
}
