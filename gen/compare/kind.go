package compare

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
	return [...]string{
		"secret", "kernel", "writable", "readable", "lasting", "socket",
		"network", "variable", "tool", "limit", "terminal", "other",
	}[k]
}

// MarshalText names the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// weight orders changes by kind, with one exception: of what is sensitive, only credentials come before
// changes of the kernel's settings. There can be many start-up files and files of an agent.
func (c Change) weight() int {
	if c.Kind == Secret && !c.Credential {
		return 2*int(Kernel) + 1
	}
	return 2 * int(c.Kind)
}
