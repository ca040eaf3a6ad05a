package lint

// lifetimeRules are about what outlives what.
var lifetimeRules = []Rule{
	{
		Name:     "outlives-parent",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / -- make",
		Good:     "bwrap --die-with-parent --ro-bind / / -- make",
		Looks:    "no --die-with-parent",
		Why: "where bwrap or the launcher is killed, the command goes on; with --unshare-pid this option " +
			"ends everything",
		Source: "bwrap(1), --die-with-parent; bubblewrap issue 369",
		Hint:   "add --die-with-parent",
		call: missing("the command goes on when the launcher is killed: there is no --die-with-parent",
			"--die-with-parent"),
	},
	{
		Name:     "exit-trap-lost",
		Severity: Weak,
		Bad: `trap 'rm -rf /tmp/x' EXIT
exec bwrap --ro-bind / / -- make`,
		Good: `trap 'rm -rf /tmp/x' EXIT
bwrap --ro-bind / / -- make`,
		Looks:  "exec bwrap in a script that cleans up behind it, or by a trap for its exit",
		Why:    "bwrap takes the place of bash, so what should clean up never runs, and stays",
		Source: "bash(1), exec and trap",
		Hint:   "call bwrap without exec, and exit with its status",
		call:   trapLost,
	},
}

func trapLost(c *call) []remark {
	switch {
	case c.Exec && c.ExitTrap:
		return []remark{{at: c.At, what: "the EXIT trap never runs: exec puts bwrap in the place of the script"}}
	case c.Exec && c.Never.Line > 0:
		return []remark{{at: c.Never, what: "this never runs: exec has put bwrap in the place of the script"}}
	}
	return nil
}
