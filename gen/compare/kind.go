package compare

import (
	"cmp"
	"slices"
)

// Kind says what a change is about. What a reader has to see comes first.
type Kind uint8

// The kinds of changes.
const (
	Secret Kind = iota
	Kernel      // the filter, namespaces: what all else rests on
	Writable
	Readable
	Lasting // changes of it, or what is written there, stay
	Socket
	Network
	Variable
	Tool // a toolchain, a cache
	Limit
	Terminal
	Other
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"secret", "kernel", "writable", "readable", "lasting", "socket", "network", "variable", "tool", "limit", "terminal", "other"}[k]
}

// sort orders changes by kind and subject.
func (r *Report) sort() {
	for _, list := range []*[]Change{&r.Exposes, &r.TakesAway, &r.Differs, &r.Said} {
		slices.SortStableFunc(*list, func(a, b Change) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
		})
	}
}
