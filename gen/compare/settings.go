package compare

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// value is what one side has for a key: in words, and how much that allows.
type value struct {
	what string
	much int64
}

// settings compares what stands under one key.
func (d *differences) settings() {
	was, is := d.was.Plan, d.is.Plan
	d.network()
	d.setting(Terminal, "terminal.mode", terminalValue(was), terminalValue(is))
	d.setting(Kernel, "kernel.seccomp", filterValue(was), filterValue(is))
	d.setting(Kernel, "kernel.nested-userns", nestedValue(was), nestedValue(is))
	d.setting(Kernel, "kernel.foreign-arch", foreignValue(was), foreignValue(is))
	d.setting(Kernel, "kernel.require", requireValue(was), requireValue(is))
	d.setting(Other, "project.root", rootValue(was), rootValue(is))
	d.setting(Other, "project.at", placeValue(was.Places.Project), placeValue(is.Places.Project))
	d.setting(Other, "home.at", placeValue(was.Places.Home), placeValue(is.Places.Home))
	d.setting(Other, "project.report", reportValue(was), reportValue(is))
	d.limits(was.Limits, is.Limits)
}

func (d *differences) setting(k Kind, key string, was, is value) {
	d.noteIf(direction(cmp.Compare(is.much, was.much)), Change{
		Subject: key, Kind: k,
		Was: State{What: was.what, From: d.was.origin(key)}, Is: State{What: is.what, From: d.is.origin(key)},
	})
}

// origin is where a key's value comes from.
func (s Side) origin(key string) string {
	if o, ok := s.Profile.Origins[key]; ok {
		return access.Asker("", o)
	}
	return byDefault
}

const byDefault = "by default"

func terminalValue(p plan.Plan) value {
	if p.Terminal == profile.TerminalNewSession {
		return value{"not the command's: it has no job control, and cannot type into it", 0}
	}
	return value{"shared, with job control; the filter refuses to type into it", 1}
}

func filterValue(p plan.Plan) value {
	much := map[profile.SeccompMode]int64{profile.SeccompStrict: 0, profile.SeccompDefault: 1, profile.SeccompNone: 2}
	return value{p.FilterWords(), much[p.Kernel.Seccomp]}
}

func nestedValue(p plan.Plan) value {
	if p.Kernel.NestedUserns {
		return value{"the command may make namespaces", 1}
	}
	return value{"refused", 0}
}

func foreignValue(p plan.Plan) value {
	if p.Kernel.ForeignArch {
		return value{"programs of the other word size run", 1}
	}
	return value{"refused", 0}
}

func requireValue(p plan.Plan) value {
	if p.Kernel.Require == profile.RequireBest {
		return value{"where bubblewrap cannot keep a promise, it says what is lost", 1}
	}
	return value{"where bubblewrap cannot keep a promise, nothing runs", 0}
}

func rootValue(p plan.Plan) value {
	switch p.Project.Root.Kind {
	case profile.RootPath:
		return value{what: p.Project.Root.Path.String()}
	case profile.RootCwd:
		return value{what: "the working directory"}
	}
	return value{what: "the git work tree around the working directory"}
}

func placeValue(at expr.Path) value {
	if at.IsZero() {
		return value{what: "at its own path"}
	}
	return value{what: "at " + at.String()}
}

func reportValue(p plan.Plan) value {
	if n := len(p.Project.Watched); n > 0 {
		return value{fmt.Sprintf("new and changed files that the host would run are told at the end, by %d names", n), 0}
	}
	return value{"nothing is told at the end", 1}
}

// limits compares bounds. Without a timeout, those that belong to it say nothing.
func (d *differences) limits(was, is profile.Limits) {
	d.setting(Limit, "limits.timeout", duration(was.Timeout), duration(is.Timeout))
	if min(was.Timeout, is.Timeout) > 0 {
		d.setting(Limit, "limits.kill-after", duration(was.KillAfter), duration(is.KillAfter))
		d.setting(Limit, "limits.max-timeout", duration(was.MaxTimeout), duration(is.MaxTimeout))
	}
	d.setting(Limit, "limits.output", size(was.Output), size(is.Output))
	d.setting(Limit, "limits.memory", size(was.Memory), size(is.Memory))
	d.setting(Limit, "limits.processes", number(was.Processes), number(is.Processes))
	d.setting(Limit, "limits.open-files", number(was.OpenFiles), number(is.OpenFiles))
	d.setting(Limit, "limits.cpu-time", duration(was.CPUTime), duration(is.CPUTime))
}

func duration(t time.Duration) value {
	return bound(int64(t), fmt.Sprintf("%d s", int64(t.Seconds())))
}

func size(s profile.Size) value { return bound(int64(s), s.String()) }

func number(n int) value { return bound(int64(n), fmt.Sprint(n)) }

func bound(n int64, what string) value {
	if n == 0 {
		return value{"no limit", math.MaxInt64}
	}
	return value{what, n}
}
