package lint

import (
	"regexp"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

// inherits reports whether bwrap itself gets all of the caller's variables.
func (c *call) inherits() bool { return !c.Cleared && !c.Dropped }

func environmentPassed(c *call) {
	switch {
	case !c.inherits(), c.has("--clearenv"):
		return
	}
	c.report("the command gets all of the caller's variables")
}

func environmentReadable(c *call, o Option) {
	switch {
	case !c.inherits(), c.has("--as-pid-1"), !c.processes():
		return
	}
	c.script.report(o.At,
		"the caller's variables are readable in the environ of bwrap's own process, in spite of --clearenv")
}

// processes reports whether the command can read what /proc says of bwrap.
func (c *call) processes() bool {
	visible := false
	for _, m := range c.mounts {
		switch {
		case m.shows("/"), m.shows("/proc"), m.Name == "--proc" && m.dest == "/proc":
			visible = true
		case expr.Within("/proc/1/environ", m.dest):
			visible = false
		}
	}
	return visible
}

var (
	secretName = regexp.MustCompile(
		`(?i)(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|PAT)(_|$)`)
	fileName = regexp.MustCompile(`_(FILE|PATH|DIR|HOME|URL|NAME|ID|HELPER|PROCESS)$`)
)

func secretArgument(c *call, o Option) {
	if !o.complete() {
		return
	}
	name, known := o.Operands[0].Text.Literal()
	value := o.Operands[1].Text
	_, stands := value.Literal() // in the script, for all to read
	isKey := func(t catalogue.Tool) bool { return slices.Contains(t.Keys, name) }
	switch {
	case !known, len(value) == 0, fileName.MatchString(name):
	case secretName.MatchString(name), !stands && slices.ContainsFunc(c.script.tools.Tools, isKey):
		c.script.report(o.At, "the value of %s stands in the arguments of bwrap, which all processes can read", name)
	}
}

func descriptors(s *script) {
	switch {
	case s.Closes, s.Lost, s.changed, len(s.calls) == 0:
		return
	}
	s.calls[0].report("the command gets every descriptor that the caller has left open")
}

func callerFunctions(s *script) {
	switch {
	case s.Interpreter == "", !s.speaksBash(), privileged.MatchString(s.Interpreter):
		return
	}
	first := trace.Position{Line: 1, Column: 1}
	s.report(first, "the caller's BASH_ENV and exported functions change what this script does")
}

// speaksBash reports whether bash runs the script, as far as its first line says.
func (s *script) speaksBash() bool { return bash.MatchString(s.Interpreter) }

var bash = regexp.MustCompile(`^$|(^|[\s/])bash(\s|$)`)

// privileged is a first line that gives bash the option -p.
var privileged = regexp.MustCompile(`(^|\s)-[^-\s]*p`)
