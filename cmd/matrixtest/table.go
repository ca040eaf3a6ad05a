package matrixtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Row is what README.md says of a machine, beside the versions of its programs.
type Row struct{ Name, Users, Works, Not string }

// Row says it.
func (m Machine) Row() Row {
	return Row{m.Name, strings.Join(m.Users(), ", "), m.works(), strings.Join(m.not(), "; ")}
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

// not says what does not work: what launchers refuse with, and what is lost.
func (m Machine) not() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(m.Refuses)) {
		words := fmt.Sprintf("\"%s\"", m.Refuses[name])
		if name != "" {
			words = "`" + name + "`: " + words
		}
		all = append(all, words)
	}
	for _, check := range slices.Sorted(maps.Keys(m.Loses)) {
		all = append(all, check+": "+m.Loses[check])
	}
	return all
}
