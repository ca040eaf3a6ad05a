package lint

// lifetimeRules are about what outlives what.
var lifetimeRules = []Rule{
	{
		Name:  "outlives-parent",
		Looks: "no --die-with-parent",
		Why: "where bwrap or the launcher is killed, the command goes on; with --unshare-pid this option " +
			"ends everything",
		Source: "bwrap(1), --die-with-parent; bubblewrap issue 369",
		Hint:   "add --die-with-parent",
		call: missing("the command goes on when the launcher is killed: there is no --die-with-parent",
			"--die-with-parent"),
	},
	{
		Name:   "exit-trap-lost",
		Looks:  "exec bwrap in a script that has a trap for its exit",
		Why:    "bwrap takes the place of bash, so the handler never runs: what it should remove stays",
		Source: "bash(1), exec and trap",
		Hint:   "call bwrap without exec, and exit with its status",
		call:   trapLost,
	},
}

func trapLost(c *call) []remark {
	if !c.Exec || !c.ExitTrap {
		return nil
	}
	return []remark{{at: c.At, what: "the EXIT trap never runs: exec puts bwrap in the place of the script"}}
}
