package profile

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what an Rule does to its path.
type Kind uint8

// The kinds of entries.
const (
	KindRead Kind = iota
	KindWrite
	KindOverlay
	KindEmpty
	KindHide
	KindCredential
	KindProtect
)

// Kinds are all.
func Kinds() []Kind {
	return []Kind{KindRead, KindWrite, KindOverlay, KindEmpty, KindHide, KindCredential, KindProtect}
}

// Shown are the kinds of entries that bring what the host has into sight, but for
// credentials, each of which is one file by its own name.
func Shown() []Kind { return []Kind{KindRead, KindWrite, KindOverlay} }

// Access is what the command may do to the project.
type Access uint8

// The values of project.access.
const (
	AccessWrite Access = iota
	AccessRead
	AccessOverlay
)

// RootKind is how the project is found.
type RootKind uint8

// The values of project.root.
const (
	RootGit RootKind = iota
	RootCwd
	RootPath // any other value is a path
)

// FilesystemBase is what the sandbox starts from.
type FilesystemBase uint8

// The values of filesystem.base.
const (
	BaseSelect FilesystemBase = iota
	BaseHost
)

// UseKind is how toolchains are chosen.
type UseKind uint8

// The values of toolchains.use.
const (
	UseProject UseKind = iota
	UseHost
	UseNames // a list of names
)

// ToolchainMode is how toolchains are shown.
type ToolchainMode uint8

// The values of toolchains.mode.
const (
	ToolchainRead ToolchainMode = iota
	ToolchainOverlay
)

// CacheMode is how caches are shown.
type CacheMode uint8

// The values of caches.mode.
const (
	CacheEphemeral CacheMode = iota // an overlay in memory
	CacheKeep                       // an overlay in the store
	CacheSession                    // an overlay in the session's store
	CacheRead
	CacheWrite
	CacheNone
)

// HomeMode is what the home directory is inside.
type HomeMode uint8

// The values of home.mode.
const (
	HomeEmpty HomeMode = iota
	HomeKeep
	HomeHost
)

// TmpMode is what /tmp is inside.
type TmpMode uint8

// The values of tmp.mode.
const (
	TmpEmpty TmpMode = iota
	TmpSession
	TmpKeep
)

// NetworkMode is what the command can reach.
type NetworkMode uint8

// The values of network.mode.
const (
	NetworkHost NetworkMode = iota
	NetworkNone
	NetworkPrivate
	NetworkAllow
)

// TerminalMode is how the command shares the terminal.
type TerminalMode uint8

// The values of terminal.mode.
const (
	TerminalJobControl TerminalMode = iota
	TerminalNewSession
)

// SeccompMode is the system call filter.
type SeccompMode uint8

// The values of kernel.seccomp.
const (
	SeccompDefault SeccompMode = iota
	SeccompStrict
	SeccompNone
)

// Require is what happens where a promise cannot be kept.
type Require uint8

// The values of kernel.require.
const (
	RequireFull Require = iota
	RequireBest
)

// ConfirmMode is whether the user is asked before a run.
type ConfirmMode uint8

// The values of confirm.mode.
const (
	ConfirmNever ConfirmMode = iota
	ConfirmAlways
)

// names is the table of a closed set: the text of each value, in order.
type names []string

func kindNames() names {
	return names{"read", "write", "overlay", "empty", "hide", "credential", "protect"}
}
func accessNames() names    { return names{"write", "read", "overlay"} }
func rootNames() names      { return names{"git", "cwd"} }
func baseNames() names      { return names{"select", "host"} }
func useNames() names       { return names{"project", "host"} }
func toolchainNames() names { return names{"read", "overlay"} }
func cacheNames() names     { return names{"ephemeral", "keep", "session", "read", "write", "none"} }
func homeNames() names      { return names{"empty", "keep", "host"} }
func tmpNames() names       { return names{"empty", "session", "keep"} }
func networkNames() names   { return names{"host", "none", "private", "allow"} }
func terminalNames() names  { return names{"job-control", "new-session"} }
func seccompNames() names   { return names{"default", "strict", "none"} }
func requireNames() names   { return names{"full", "best"} }
func confirmNames() names   { return names{"never", "always"} }

// text gives the name of a value; numbers outside the set print as such.
func (n names) text(i uint8) string {
	if int(i) < len(n) {
		return n[i]
	}
	return fmt.Sprintf("value %d", i)
}

// set finds the value that a name stands for.
func (n names) set(i *uint8, text []byte) error {
	at := slices.Index(n, string(text))
	if at < 0 {
		return notInSet{n, string(text)}
	}
	*i = uint8(at)
	return nil
}

// notInSet says that a text names no value of a closed set.
type notInSet struct {
	names names
	text  string
}

func (e notInSet) Error() string {
	return fmt.Sprintf("not one of %s: %q", strings.Join(e.names, ", "), e.text)
}

// String gives the name of the kind, which is also that of its key.
func (k Kind) String() string { return kindNames().text(uint8(k)) }

// MarshalText gives the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// String gives the value as profiles write it.
func (a Access) String() string { return accessNames().text(uint8(a)) }

// MarshalText gives the value as profiles write it.
func (a Access) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (a *Access) UnmarshalText(text []byte) error { return accessNames().set((*uint8)(a), text) }

// String gives the value as profiles write it.
func (b FilesystemBase) String() string { return baseNames().text(uint8(b)) }

// MarshalText gives the value as profiles write it.
func (b FilesystemBase) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (b *FilesystemBase) UnmarshalText(text []byte) error { return baseNames().set((*uint8)(b), text) }

// String gives the value as profiles write it.
func (m ToolchainMode) String() string { return toolchainNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m ToolchainMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *ToolchainMode) UnmarshalText(text []byte) error {
	return toolchainNames().set((*uint8)(m), text)
}

// String gives the value as profiles write it.
func (m CacheMode) String() string { return cacheNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m CacheMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *CacheMode) UnmarshalText(text []byte) error { return cacheNames().set((*uint8)(m), text) }

// String gives the value as profiles write it.
func (m HomeMode) String() string { return homeNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m HomeMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *HomeMode) UnmarshalText(text []byte) error { return homeNames().set((*uint8)(m), text) }

// String gives the value as profiles write it.
func (m TmpMode) String() string { return tmpNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m TmpMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *TmpMode) UnmarshalText(text []byte) error { return tmpNames().set((*uint8)(m), text) }

// String gives the value as profiles write it.
func (m NetworkMode) String() string { return networkNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m NetworkMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *NetworkMode) UnmarshalText(text []byte) error { return networkNames().set((*uint8)(m), text) }

// String gives the value as profiles write it.
func (m TerminalMode) String() string { return terminalNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m TerminalMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *TerminalMode) UnmarshalText(text []byte) error {
	return terminalNames().set((*uint8)(m), text)
}

// String gives the value as profiles write it.
func (m SeccompMode) String() string { return seccompNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m SeccompMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *SeccompMode) UnmarshalText(text []byte) error { return seccompNames().set((*uint8)(m), text) }

// String gives the value as profiles write it.
func (r Require) String() string { return requireNames().text(uint8(r)) }

// MarshalText gives the value as profiles write it.
func (r Require) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (r *Require) UnmarshalText(text []byte) error { return requireNames().set((*uint8)(r), text) }

// String gives the value as profiles write it.
func (m ConfirmMode) String() string { return confirmNames().text(uint8(m)) }

// MarshalText gives the value as profiles write it.
func (m ConfirmMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the value; the error names the whole set.
func (m *ConfirmMode) UnmarshalText(text []byte) error { return confirmNames().set((*uint8)(m), text) }

// String gives the name of the kind, "path" for RootPath.
func (k RootKind) String() string { return append(rootNames(), "path").text(uint8(k)) }

// String gives the name of the kind, "names" for UseNames.
func (k UseKind) String() string { return append(useNames(), "names").text(uint8(k)) }
