package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// environmentRules are about variables, arguments and descriptors.
var environmentRules = []Rule{
	{
		Name:     "environment-passed",
		Severity: Exposure,
		Bad:      "bwrap --ro-bind / / -- make",
		Good:     `env -i "HOME=$HOME" "PATH=$PATH" bwrap --ro-bind / / -- make`,
		Looks:    "a call of bwrap that passes on all of the caller's variables",
		Why:      "tokens and the addresses of agents are often among them",
		Source:   "bwrap(1), --clearenv",
		Hint:     `start bwrap by: env -i "HOME=$HOME" "PATH=$PATH" ... bwrap`,
		call:     environmentPassed,
	},
	{
		Name:     "environment-readable",
		Severity: Exposure,
		Bad:      "bwrap --clearenv --ro-bind /usr /usr --proc /proc -- make",
		Good:     `env -i "HOME=$HOME" bwrap --ro-bind /usr /usr --proc /proc -- make`,
		Looks:    "--clearenv, where bwrap itself still has the caller's variables",
		Why: "bwrap is a process that the command can see, and process 1 with --unshare-pid: " +
			"/proc/1/environ shows what --clearenv has taken away",
		Source: "proc_pid_environ(5); bwrap(1), --clearenv",
		Hint:   `start bwrap by: env -i "HOME=$HOME" "PATH=$PATH" ... bwrap`,
		call:   environmentReadable,
	},
	{
		Name:     "secret-in-arguments",
		Severity: Exposure,
		Bad:      `bwrap --setenv API_TOKEN "$API_TOKEN" --ro-bind / / -- make`,
		Good: `export API_TOKEN
bwrap --ro-bind / / -- make`,
		Looks:  "--setenv of a variable whose name says that it holds a secret",
		Why:    "all processes of the host can read it in bwrap's arguments, and the command in /proc/1/cmdline",
		Source: "proc_pid_cmdline(5); bwrap(1), --setenv",
		Hint:   "export the variable for bwrap instead, which passes it on",
		call:   secretArgument,
	},
	{
		Name:     "descriptors-passed",
		Severity: Style,
		Bad:      "bwrap --ro-bind / / -- make",
		Good: `for fd in /proc/self/fd/*; do
  fd=${fd##*/}
  ((fd < 3)) || exec {fd}>&-
done
bwrap --ro-bind / / -- make`,
		Looks:  "no loop that closes the descriptors that the caller has left open",
		Why:    "bwrap passes them on: through that of a directory the command can leave the sandbox",
		Source: "open(2), openat; proc_pid_fd(5)",
		Hint:   `close them first, in bash: for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3)) || exec {fd}>&-; done`,
		script: descriptors,
	},
	{
		Name:     "caller-functions",
		Severity: Style,
		Bad: `#!/bin/bash
bwrap --ro-bind / / -- make`,
		Good: `#!/bin/bash -p
bwrap --ro-bind / / -- make`,
		Looks: "a bash that is started without -p",
		Why: "bash then runs the file that BASH_ENV names, and takes exported functions for commands: " +
			"one of the name bwrap replaces the sandbox",
		Source: "bash(1), -p and BASH_ENV",
		Hint:   "write #!/bin/bash -p",
		script: callerFunctions,
	},
}

func environmentPassed(c *call) []remark {
	if c.Cleared || c.Dropped || !c.lacks("--clearenv") {
		return nil
	}
	return []remark{{at: c.At, what: "the command gets all of the caller's variables"}}
}

func environmentReadable(c *call) []remark {
	o, ok := c.first("--clearenv")
	if !ok || c.Cleared || c.Dropped || !c.whole() || c.has("--as-pid-1") || !c.processes() {
		return nil
	}
	return []remark{{at: o.At, what: "the caller's variables are readable in the environ of bwrap's own process, in spite of --clearenv"}}
}

// processes reports whether the command can read what /proc says of bwrap.
func (c *call) processes() bool {
	visible := false
	for _, m := range c.mounts {
		switch {
		case m.dest == "/proc" && (m.name == "--proc" || m.src == m.dest) || m.dest == "/" && m.src == "/":
			visible = true
		case within("/proc/1/environ", m.dest):
			visible = false
		}
	}
	return visible
}

var (
	secretName = regexp.MustCompile(`(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|PAT)(_|$)`)
	fileName   = regexp.MustCompile(`_(FILE|PATH|DIR|HOME|URL|NAME|ID|HELPER|PROCESS)$`)
)

func secretArgument(c *call) []remark {
	var all []remark
	for _, o := range c.options {
		if o.name != "--setenv" || len(o.operands) < 2 {
			continue
		}
		name, known := o.operands[0].Text.Literal()
		value := o.operands[1].Text
		if _, told := value.Literal(); told && !secretName.MatchString(strings.ToUpper(name)) {
			continue // it stands in the script
		}
		if !known || len(value) == 0 || fileName.MatchString(name) || !secretName.MatchString(strings.ToUpper(name)) && !c.isKey(name) {
			continue
		}
		all = append(all, remark{at: o.told(), what: fmt.Sprintf("the value of %s stands in the arguments of bwrap, which all processes can read", name)})
	}
	return all
}

// isKey reports whether the catalogue knows a variable that holds a login.
func (c *call) isKey(name string) bool {
	for _, t := range c.script.tools.Tools {
		if slices.Contains(t.Keys, name) {
			return true
		}
	}
	return false
}

func descriptors(s *script) []remark {
	if len(s.calls) == 0 || s.Closes || s.Lost || slices.ContainsFunc(s.calls, func(c call) bool { return c.Changed }) {
		return nil
	}
	return []remark{{at: s.calls[0].At, what: "the command gets every descriptor that the caller has left open"}}
}

func callerFunctions(s *script) []remark {
	if s.Interpreter == "" || !s.speaksBash() || s.started("p") {
		return nil
	}
	return []remark{{at: trace.Position{Line: 1, Column: 1}, what: "the caller's BASH_ENV and exported functions change what this script does"}}
}
