package bash

import (
	"reflect"
	"testing"
)

// TestAssignments: each setting of a policy has the words that it lists, however they are quoted.
func TestAssignments(t *testing.T) {
	const policy = `# A comment.
self=box network=none
etc='
  hosts fonts
'
pass="A ${!LC_@}"
reads=("$home"/{.gitconfig,.terminfo} "$home/data")
entries=(--ro-bind "$home/a b"{,})
none=()
`
	want := []Assignment{
		{"self", []string{"box"}}, {"network", []string{"none"}}, {"etc", []string{"hosts", "fonts"}},
		{"pass", []string{"A", "${!LC_@}"}}, {"reads", []string{"$home/.gitconfig", "$home/.terminfo", "$home/data"}},
		{"entries", []string{"--ro-bind", "$home/a b", "$home/a b"}}, {"none", nil},
	}
	if got := Assignments([]byte(policy)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
