package lint

// terminalRules are about the terminal from which the launcher is started.
var terminalRules = []Rule{{
	Name:     "terminal-input",
	Severity: Weak,
	Bad:      "bwrap --ro-bind / / -- make",
	Good:     "bwrap --new-session --ro-bind / / -- make",
	Looks:    "neither --new-session nor a filter that could refuse the ioctl TIOCSTI",
	Why: "the command can put text into the terminal's input, which the caller's shell then runs outside " +
		"the sandbox, where the kernel allows that: dev.tty.legacy_tiocsti=1, and before Linux 6.2 always",
	Source: "CVE-2017-5226; bwrap(1), --new-session; bubblewrap issue 555",
	Hint:   "add --new-session, or a --seccomp filter that refuses TIOCSTI",
	call: missing("the command can type into the caller's terminal, where the kernel has dev.tty.legacy_tiocsti=1: "+
		"there is neither --new-session nor a filter", "--new-session", "--seccomp", "--add-seccomp-fd"),
}}
