package lint

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/lint/trace"
)

// Rule is one thing that is looked for.
type Rule struct {
	Name     string
	Severity Severity
	Looks    string // for what, in one sentence
	Why      string
	Source   string // where the fact comes from
	Hint     string // what to do; a finding may have its own
	Bad      string // a script that has the finding; empty: only a launcher of bwrapgen's can
	Good     string // and what to write instead

	Lacks []string // options of which a call of bwrap should have one
	Gives string   // an option that it should not have
	Says  string   // what is found then
}

//go:embed rules.toml
var rulesText []byte

// data is what rules.toml holds.
var data = sync.OnceValue(func() (all struct {
	Rules    []Rule `toml:"rule"`
	Options  map[string]bwrapOption
	Devices  []device
	Sockets  []socketKind
	Programs []string // in a home directory
}) {
	if err := toml.Unmarshal(rulesText, &all); err != nil {
		panic(err)
	}
	return all
})

// Rules lists the rules, subject by subject.
func Rules() []Rule { return slices.Clone(data().Rules) }

// RuleOf returns the rule of a name.
func RuleOf(name string) (Rule, bool) {
	for _, r := range data().Rules {
		if r.Name == name {
			return r, true
		}
	}
	return Rule{}, false
}

// remark is a finding before it is told apart whose it is.
type remark struct {
	at   trace.Position
	what string // empty: there is nothing to say
	hint string // empty: the rule's

	severity Severity // 0: the rule's
}

func says(format string, parts ...any) remark { return remark{what: fmt.Sprintf(format, parts...)} }

// told is a remark about a place.
func told(at trace.Position, format string, parts ...any) remark {
	return remark{at: at, what: fmt.Sprintf(format, parts...)}
}

// nothing is to say.
var nothing = remark{}

// ofScripts judge all of a script.
var ofScripts = map[string]func(*script) []remark{
	"outside":            outside,
	"descriptors-passed": descriptors,
	"caller-functions":   callerFunctions,
	"call-evaluated":     evaluated,
	"broken-call":        broken,
	"strict-mode":        strict,
}

// ofCalls judge a call of bwrap, for the rules that are more than data.
var ofCalls = map[string]func(*call) []remark{
	"status-lost":          statusLost,
	"namespaces-shared":    namespaces,
	"unshare-try":          unshareTry,
	"disable-userns-alone": whole(options("--disable-userns", disableAlone)),
	"network-shared":       shareNet,
	"share-net-undone":     shareNetUndone,
	"exit-trap-lost":       trapLost,
	"environment-passed":   whole(environmentPassed),
	"environment-readable": whole(options("--clearenv", environmentReadable)),
	"secret-in-arguments":  options("--setenv", secretArgument),
	"root-writable":        binds(writable("root")),
	"home-writable":        binds(writable("home")),
	"system-writable":      binds(writable("system")),
	"tmp-shared":           mounts(temporary),
	"devices-shared":       mounts(devices),
	"proc-shared":          mounts(processes),
	"root-left-writable":   whole(rootLeft),
	"link-destination":     linked,
	"descriptor-twice":     twice,
	"device-bound":         mounts(boundDevice),
	"secrets-readable":     mounts(secrets),
	"persistence-writable": binds(persistence),
	"mask-writable":        whole(mounts(masks)),
	"control-socket":       mounts(controlSocket),
	"agent-socket":         mounts(socketOf("agent-socket")),
	"desktop-socket":       mounts(socketOf("desktop-socket")),
	"x11-socket":           mounts(x11),
	"project-unguarded":    binds(unguarded),
	"covered":              whole(covered),
	"renamable":            whole(mounts(renamable)),
	"git-writable":         whole(binds(gitWritable)),
	"no-double-dash":       dashes,
	"arguments-split":      unquoted(true),
	"unquoted":             unquoted(false),
	"bwrap-replaceable":    replaceable,
	"wrong-arity":          func(c *call) []remark { return c.wrong },
	"unknown-option":       unknownOption,
	"newer-option":         options("", newerOption),
}

func (r Rule) ofScript(s *script) []remark {
	if check := ofScripts[r.Name]; check != nil {
		return check(s)
	}
	return nil
}

func (r Rule) ofCall(c *call) []remark {
	switch check := ofCalls[r.Name]; {
	case check != nil:
		return check(c)
	case r.Gives != "":
		return options(r.Gives, func(_ *call, o Option) remark {
			return says("%s", strings.Join(append([]string{r.Says}, trace.Shown(o.Operands)...), " "))
		})(c)
	case len(r.Lacks) == 0, !c.lacks(r.Lacks...):
		return nil
	}
	return c.remark("%s", r.Says)
}

// whole judges only calls of which all options are known.
func whole(check func(*call) []remark) func(*call) []remark {
	return func(c *call) []remark {
		if !c.whole() {
			return nil
		}
		return check(c)
	}
}

// options judges the options of a name; empty: all.
func options(name string, judge func(*call, Option) remark) func(*call) []remark {
	return func(c *call) []remark {
		var all []remark
		for _, o := range c.options {
			if slices.Contains([]string{"", o.Name}, name) {
				one := judge(c, o)
				one.at = o.At
				all = append(all, one)
			}
		}
		return all
	}
}

// mounts judges those that no later one hides.
func mounts(judge func(*mount) remark) func(*call) []remark {
	return func(c *call) []remark {
		var all []remark
		for i := range c.mounts {
			if m := &c.mounts[i]; !m.hidden {
				one := judge(m)
				one.at = m.At
				all = append(all, one)
			}
		}
		return all
	}
}

// binds judges the writable binds among them.
func binds(judge func(*mount) remark) func(*call) []remark {
	return mounts(func(m *mount) remark {
		if !m.writable {
			return nothing
		}
		return judge(m)
	})
}
