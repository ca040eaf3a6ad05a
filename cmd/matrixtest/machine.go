package matrixtest

import "strings"

// Machine is a kind of machine on which launchers are started.
type Machine struct {
	Name     string // in the table
	Userland string // which .ci/userland makes
	Cut      bool   // is part of every "make test"

	// Only is who starts the launchers where not both do, "root" or "user".
	Only string

	// Project is where the project is; empty: code/p in the home directory.
	Project string

	// Prepare makes the userland what the name says. bash runs it as root before
	// the userland is entered. It finds the userland at $root, the others at
	// $userlands, and $home, $uid, $gid and $project; "world" fills the home
	// directory and the project anew.
	Prepare string

	// Within is a command of the userland, which starts the command behind it
	// where the name says.
	Within []string

	// Starter starts launchers, where their first line cannot.
	Starter []string

	// Refuses says for launchers that do not run there why not, in their words:
	// "~" is the home directory, and "#" is the project in the name of a store. Under "" is
	// what all others say. DESIGN.md allows each.
	Refuses map[string]string
}

// visible is where the judge and the launchers are in a userland: a place that
// every launcher shows.
const visible = "/usr/local/lib/bwrapgen-matrix"

// Machines are all of them, in the order of the table.
func Machines() []Machine {
	return append(append(releases(), tools()...), append(places(), nests()...)...)
}

// Refusal is what the launcher says where it does not run.
func (m Machine) Refusal(launcher string) string {
	if words, ok := m.Refuses[launcher]; ok {
		return words
	}
	return m.Refuses[""]
}

// Users are who starts the launchers.
func (m Machine) Users() []string {
	if m.Only != "" {
		return []string{m.Only}
	}
	return []string{"root", "user"}
}

// lines joins the lines of a script.
func lines(all ...string) string { return strings.Join(all, "\n") }
