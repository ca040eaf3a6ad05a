package lint

import (
	"cmp"
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

// check is how a rule judges: all of a script, a call of bwrap, one mount of those that
// no later one hides, a writable bind among them, or one option.
type check struct {
	script func(*script) []remark
	call   func(*call) []remark
	mount  func(*mount) remark
	bind   func(*mount) remark
	option func(*call, Option) remark

	name  string // of the option; empty: of any
	whole bool   // only calls are judged of which all options are known
}

// checks are those of the rules that are more than data.
var checks = map[string]check{
	"outside":              {script: outside},
	"status-lost":          {call: statusLost},
	"namespaces-shared":    {call: namespaces},
	"unshare-try":          {call: unshareTry},
	"disable-userns-alone": {option: disableAlone, name: "--disable-userns", whole: true},
	"network-shared":       {call: shareNet},
	"share-net-undone":     {call: shareNetUndone},
	"exit-trap-lost":       {call: trapLost},
	"environment-passed":   {call: environmentPassed, whole: true},
	"environment-readable": {option: environmentReadable, name: "--clearenv", whole: true},
	"secret-in-arguments":  {option: secretArgument, name: "--setenv"},
	"descriptors-passed":   {script: descriptors},
	"caller-functions":     {script: callerFunctions},
	"root-writable":        {bind: writable("root")},
	"home-writable":        {bind: writable("home")},
	"system-writable":      {bind: writable("system")},
	"tmp-shared":           {mount: temporary},
	"devices-shared":       {mount: devices},
	"proc-shared":          {mount: processes},
	"root-left-writable":   {call: rootLeft, whole: true},
	"link-destination":     {call: linked},
	"descriptor-twice":     {call: twice},
	"device-bound":         {mount: boundDevice},
	"secrets-readable":     {mount: secrets},
	"persistence-writable": {bind: persistence},
	"mask-writable":        {mount: masks, whole: true},
	"control-socket":       {mount: controlSocket},
	"agent-socket":         {mount: socketOf("agent-socket")},
	"desktop-socket":       {mount: socketOf("desktop-socket")},
	"x11-socket":           {mount: x11},
	"project-unguarded":    {bind: unguarded},
	"covered":              {call: covered, whole: true},
	"renamable":            {mount: renamable, whole: true},
	"git-writable":         {bind: gitWritable, whole: true},
	"call-evaluated":       {script: evaluated},
	"no-double-dash":       {call: dashes},
	"arguments-split":      {call: unquoted(true)},
	"unquoted":             {call: unquoted(false)},
	"bwrap-replaceable":    {call: replaceable},
	"broken-call":          {script: broken},
	"strict-mode":          {script: strict},
	"wrong-arity":          {call: func(c *call) []remark { return c.wrong }},
	"unknown-option":       {call: unknownOption},
	"newer-option":         {option: newerOption},
}

func (r Rule) ofScript(s *script) []remark {
	if check := checks[r.Name].script; check != nil {
		return check(s)
	}
	return nil
}

func (r Rule) ofCall(c *call) []remark {
	check := checks[r.Name]
	switch {
	case check.whole && !c.whole():
		return nil
	case check.call != nil:
		return check.call(c)
	case check.option != nil:
		return c.eachOption(check.name, check.option)
	case check.mount != nil:
		return c.eachMount(check.mount)
	case check.bind != nil:
		return c.eachMount(func(m *mount) remark {
			if !m.writable {
				return nothing
			}
			return check.bind(m)
		})
	case r.Gives != "":
		return c.eachOption(r.Gives, func(_ *call, o Option) remark {
			return says("%s", strings.Join(append([]string{r.Says}, o.texts()...), " "))
		})
	case len(r.Lacks) == 0, !c.lacks(r.Lacks...):
		return nil
	}
	return c.remark("%s", r.Says)
}

// eachOption asks about the options of a name; empty: about all.
func (c *call) eachOption(name string, judge func(*call, Option) remark) []remark {
	var all []remark
	for _, o := range c.options {
		if name == "" || name == o.Name {
			one := judge(c, o)
			one.at = cmp.Or(one.at, o.At)
			all = append(all, one)
		}
	}
	return all
}

// eachMount asks about the mounts that no later one hides.
func (c *call) eachMount(judge func(*mount) remark) []remark {
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
