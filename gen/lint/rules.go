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
	Rules   []Rule `toml:"rule"`
	Devices []device
	Sockets []socketKind
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

// nothing is to say.
var nothing = remark{}

// check is how a rule judges: all of a script, a call of bwrap, one mount of those that
// no later one hides, or one option.
type check struct {
	script func(*script) []remark
	call   func(*call) []remark
	mount  func(*mount) remark
	option func(*call, option) remark
}

// checks are those of the rules that are more than data.
var checks = map[string]check{
	"outside":              {script: outside},
	"status-lost":          {call: statusLost},
	"namespaces-shared":    {call: namespaces},
	"unshare-try":          {call: unshareTry},
	"disable-userns-alone": {option: disableAlone},
	"network-shared":       {call: shareNet},
	"share-net-undone":     {call: shareNetUndone},
	"exit-trap-lost":       {call: trapLost},
	"environment-passed":   {call: environmentPassed},
	"environment-readable": {option: environmentReadable},
	"secret-in-arguments":  {option: secretArgument},
	"descriptors-passed":   {script: descriptors},
	"caller-functions":     {script: callerFunctions},
	"root-writable":        {mount: writable(func(src string) bool { return src == "/" })},
	"home-writable":        {mount: writable(func(src string) bool { return src != "/" && within(home, src) })},
	"system-writable":      {mount: writable(systemDirectory)},
	"tmp-shared":           {mount: temporary},
	"devices-shared":       {mount: devices},
	"proc-shared":          {mount: processes},
	"root-left-writable":   {call: rootLeft},
	"link-destination":     {call: linked},
	"descriptor-twice":     {call: twice},
	"device-bound":         {mount: boundDevice},
	"secrets-readable":     {mount: secrets},
	"persistence-writable": {mount: persistence},
	"mask-writable":        {mount: masks},
	"control-socket":       {mount: controlSocket},
	"agent-socket":         {mount: socketOf("agent-socket")},
	"desktop-socket":       {mount: socketOf("desktop-socket")},
	"x11-socket":           {mount: x11},
	"project-unguarded":    {mount: unguarded},
	"covered":              {call: covered},
	"renamable":            {mount: renamable},
	"git-writable":         {mount: gitWritable},
	"call-evaluated":       {script: evaluated},
	"no-double-dash":       {call: dashes},
	"arguments-split":      {call: split},
	"unquoted":             {call: unquoted},
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
	var all []remark
	check := checks[r.Name]
	if len(r.Lacks) > 0 && c.lacks(r.Lacks...) {
		all = append(all, remark{at: c.At, what: r.Says})
	}
	if check.call != nil {
		all = append(all, check.call(c)...)
	}
	for _, o := range c.options {
		if o.name == r.Gives {
			all = append(all, remark{at: o.At, what: strings.Join(append([]string{r.Says}, o.texts()...), " ")})
		}
		if check.option != nil {
			one := check.option(c, o)
			one.at = cmp.Or(one.at, o.At)
			all = append(all, one)
		}
	}
	for i := range c.mounts {
		if m := &c.mounts[i]; check.mount != nil && !m.hidden {
			one := check.mount(m)
			one.at = m.At
			all = append(all, one)
		}
	}
	return all
}
