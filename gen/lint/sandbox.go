package lint

import (
	"cmp"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/problem"
)

// Sandbox is a call of bwrap, as far as a script tells.
type Sandbox struct {
	trace.Launch
	Options []Option // with all of their operands
	Command []trace.Argument
	Unknown string // what could not be followed; empty: all could
}

// Sandboxes reads the calls of bwrap in a script, in their order. The error is a
// Problem.
func Sandboxes(name string, src []byte, tools catalogue.Catalogue) ([]Sandbox, error) {
	s, err := readScript(name, src, tools)
	if err != nil {
		return nil, problem.New(err.Error(), "name a script that is written in bash")
	}
	if len(s.calls) == 0 {
		return nil, noCall(name)
	}
	var all []Sandbox
	for _, c := range s.calls {
		one := Sandbox{Launch: c.Launch, Command: c.command, Unknown: c.unknown}
		for _, w := range c.maybe {
			one.Unknown = cmp.Or(one.Unknown, "cannot tell what "+w.Text.String()+" holds")
		}
		incomplete := func(o Option) bool { return !o.complete() }
		one.Options = slices.DeleteFunc(slices.Clone(c.options), incomplete)
		all = append(all, one)
	}
	return all, nil
}
