package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
)

func environmentPassed(c *call) []remark {
	if c.Cleared || c.Dropped || !c.lacks("--clearenv") {
		return nil
	}
	return c.remark("the command gets all of the caller's variables")
}

func environmentReadable(c *call, o option) remark {
	if o.name != "--clearenv" || c.Cleared || c.Dropped {
		return nothing
	}
	if !c.lacks("--as-pid-1") || !c.processes() {
		return nothing
	}
	return says("the caller's variables are readable in the environ of bwrap's own process, in spite of --clearenv")
}

// processes reports whether the command can read what /proc says of bwrap.
func (c *call) processes() bool {
	visible := false
	for _, m := range c.mounts {
		switch {
		case m.shows("/"), m.shows("/proc"), m.name == "--proc" && m.dest == "/proc":
			visible = true
		case within("/proc/1/environ", m.dest):
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

func secretArgument(c *call, o option) remark {
	if o.name != "--setenv" || !o.complete() {
		return nothing
	}
	name, known := o.operands[0].Text.Literal()
	value := o.operands[1].Text
	if !known || len(value) == 0 || fileName.MatchString(name) {
		return nothing
	}
	_, stands := value.Literal() // in the script, for all to read
	isLogin := !stands && c.isKey(name)
	if !isLogin && !secretName.MatchString(name) {
		return nothing
	}
	found := says("the value of %s stands in the arguments of bwrap, which all processes can read", name)
	found.at = o.told()
	return found
}

// isKey reports whether the catalogue knows a variable that holds a login.
func (c *call) isKey(name string) bool {
	return slices.ContainsFunc(c.script.tools.Tools, func(t catalogue.Tool) bool { return slices.Contains(t.Keys, name) })
}

func descriptors(s *script) []remark {
	if s.Closes || s.Lost || s.changed {
		return nil
	}
	if len(s.calls) == 0 {
		return nil
	}
	return s.calls[0].remark("the command gets every descriptor that the caller has left open")
}

func callerFunctions(s *script) []remark {
	if s.Interpreter == "" || !s.speaksBash() || s.started("p") {
		return nil
	}
	what := "the caller's BASH_ENV and exported functions change what this script does"
	return []remark{{at: trace.Position{Line: 1, Column: 1}, what: what}}
}

// speaksBash reports whether bash runs the script, as far as its first line says.
func (s *script) speaksBash() bool {
	words := strings.Fields(s.Interpreter)
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return path.Base(w) == "bash" })
}

// options are letters for a shell in the first line of a script.
var letters = regexp.MustCompile(`^-[^-]*$`)

// started reports whether the first line gives the shell an option of one letter.
func (s *script) started(letter string) bool {
	return slices.ContainsFunc(strings.Fields(s.Interpreter), func(w string) bool {
		return letters.MatchString(w) && strings.Contains(w, letter)
	})
}
