package lint

import (
	"cmp"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/problem"
)

// Sandbox is a call of bwrap, as far as a script tells.
type Sandbox struct {
	At      trace.Position
	Options []Option
	Command []trace.Argument
	Cleared bool             // bwrap gets the variables in Given, and no other
	Given   []trace.Argument // NAME=VALUE
	Unknown string           // what could not be followed; empty: all could
}

// Option is one option of bwrap, with all of its operands.
type Option struct {
	Name     string
	Operands []trace.Argument
	At       trace.Position
	Branch   bool // it is given on some ways through the script only
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
		one := Sandbox{At: c.At, Command: c.command, Cleared: c.Cleared, Given: c.Given, Unknown: c.unknown}
		for _, w := range c.maybe {
			one.Unknown = cmp.Or(one.Unknown, "cannot tell what "+w.Text.String()+" holds")
		}
		for _, o := range c.options {
			if o.complete() {
				one.Options = append(one.Options, Option{o.name, o.operands, o.told(), o.When != 0})
			}
		}
		all = append(all, one)
	}
	return all, nil
}
