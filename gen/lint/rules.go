package lint

import (
	_ "embed"
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
	Rules        []Rule `toml:"rule"`
	Options      map[string]bwrapOption
	Devices      []device
	Capabilities []struct{ Name, Says string } // without CAP_
	Sockets      []socketKind
	Programs     []string // in a home directory
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

// ofScripts judge all of a script.
var ofScripts = map[string]func(*script){
	"outside":            outside,
	"descriptors-passed": descriptors,
	"caller-functions":   callerFunctions,
	"call-evaluated":     evaluated,
	"broken-call":        broken,
	"strict-mode":        strict,
}

// ofCalls judge a call of bwrap, for the rules that are more than data.
var ofCalls = map[string]func(*call){
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
	"capability-added":     options("--cap-add", capability),
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
	"wrong-arity":          wrongArity,
	"unknown-option":       unknownOption,
	"newer-option":         options("", newerOption),
}

func (r Rule) judge(c *call) {
	switch check := ofCalls[r.Name]; {
	case check != nil:
		check(c)
	case r.Gives != "":
		options(r.Gives, func(c *call, o Option) {
			c.script.report(o.At, "%s", strings.Join(append([]string{r.Says}, trace.Shown(o.Operands)...), " "))
		})(c)
	case len(r.Lacks) == 0: // it is about the whole script
	case c.lacks(r.Lacks...):
		c.report("%s", r.Says)
	}
}

// whole judges only calls of which all options are known.
func whole(check func(*call)) func(*call) {
	return func(c *call) {
		if c.whole() {
			check(c)
		}
	}
}

// options judges the options of a name; empty: all.
func options(name string, judge func(*call, Option)) func(*call) {
	return func(c *call) {
		for _, o := range c.Options {
			if slices.Contains([]string{"", o.Name}, name) {
				judge(c, o)
			}
		}
	}
}

// mounts judges those that no later one hides.
func mounts(judge func(*mount)) func(*call) {
	return func(c *call) {
		for i := range c.mounts {
			if m := &c.mounts[i]; !m.hidden {
				judge(m)
			}
		}
	}
}

// binds judges the writable binds among them.
func binds(judge func(*mount)) func(*call) {
	return mounts(func(m *mount) {
		if m.writable {
			judge(m)
		}
	})
}
