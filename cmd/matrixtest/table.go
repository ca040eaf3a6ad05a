package matrixtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Row is what the README.md beside it says of a machine, beside the versions of its programs.
type Row struct{ Name, Users, Works, Refuses string }

// Row says it.
func (m Machine) Row() Row {
	return Row{m.Name, strings.Join(m.Users(), ", "), m.works(), m.refuses()}
}

// works names the launchers that run.
func (m Machine) works() string {
	var names []string
	for _, name := range Launchers() {
		if m.Refusal(name) == "" {
			names = append(names, "`"+name+"`")
		}
	}
	switch len(names) {
	case 0:
		return "none"
	case len(Launchers()):
		return "all"
	}
	return strings.Join(names, ", ")
}

// refuses says which launchers refuse, and with what words.
func (m Machine) refuses() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(m.Refuses)) {
		words := fmt.Sprintf("\"%s\"", m.Refuses[name])
		if name != "" {
			words = "`" + name + "`: " + words
		}
		all = append(all, words)
	}
	return strings.Join(all, "; ")
}
