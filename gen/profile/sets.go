package profile

import "strconv"

// Kind is what a Rule does to its path.
type Kind string

// The kinds of rules.
const (
	KindRead       Kind = "read"
	KindWrite      Kind = "write"
	KindOverlay    Kind = "overlay"
	KindEmpty      Kind = "empty"
	KindHide       Kind = "hide"
	KindCredential Kind = "credential"
	KindProtect    Kind = "protect"
	KindLink       Kind = "link"
)

// Shown are the kinds of rules that bring what the host has into the sandbox, but for
// credentials, each of which is one file by its own name.
func Shown() []Kind { return []Kind{KindRead, KindWrite, KindOverlay} }

// Access is what the command may do to the project.
type Access string

// The values of project.access.
const (
	AccessWrite   Access = "write"
	AccessRead    Access = "read"
	AccessOverlay Access = "overlay"
)

// RootKind is how the project is found. It is a number, for digests hold it as one.
type RootKind uint8

// The values of project.root.
const (
	RootGit RootKind = iota
	RootCwd
	RootPath // any other value is a path
)

// rootNames are the values of project.root that are no path.
func rootNames() []string { return []string{"git", "cwd"} }

// String gives the name of the kind, "path" for RootPath.
func (k RootKind) String() string {
	names := append(rootNames(), "path")
	if int(k) < len(names) {
		return names[k]
	}
	return strconv.Itoa(int(k))
}

// FilesystemBase is what the sandbox starts from.
type FilesystemBase string

// The values of filesystem.base.
const (
	BaseSelect FilesystemBase = "select"
	BaseHost   FilesystemBase = "host"
)

// UseKind is how toolchains are chosen.
type UseKind string

// The values of toolchains.use.
const (
	UseProject UseKind = "project"
	UseHost    UseKind = "host"
	UseNames   UseKind = "names" // a list of names
)

// ToolchainMode is how toolchains are shown.
type ToolchainMode string

// The values of toolchains.mode.
const (
	ToolchainRead    ToolchainMode = "read"
	ToolchainOverlay ToolchainMode = "overlay"
)

// CacheMode is how caches are shown.
type CacheMode string

// The values of caches.mode.
const (
	CacheEphemeral CacheMode = "ephemeral" // an overlay in memory
	CacheKeep      CacheMode = "keep"      // an overlay in the store
	CacheSession   CacheMode = "session"   // an overlay in the session's store
	CacheRead      CacheMode = "read"
	CacheWrite     CacheMode = "write"
	CacheNone      CacheMode = "none"
)

// HomeMode is what the home directory is inside.
type HomeMode string

// The values of home.mode.
const (
	HomeEmpty HomeMode = "empty"
	HomeKeep  HomeMode = "keep"
	HomeHost  HomeMode = "host"
)

// TmpMode is what /tmp is inside.
type TmpMode string

// The values of tmp.mode.
const (
	TmpEmpty   TmpMode = "empty"
	TmpSession TmpMode = "session"
	TmpKeep    TmpMode = "keep"
)

// NetworkMode is what the command can reach.
type NetworkMode string

// The values of network.mode.
const (
	NetworkHost    NetworkMode = "host"
	NetworkNone    NetworkMode = "none"
	NetworkPrivate NetworkMode = "private"
	NetworkAllow   NetworkMode = "allow"
)

// TerminalMode is how the command shares the terminal.
type TerminalMode string

// The values of terminal.mode.
const (
	TerminalJobControl TerminalMode = "job-control"
	TerminalNewSession TerminalMode = "new-session"
)

// SeccompMode is the system call filter.
type SeccompMode string

// The values of kernel.seccomp.
const (
	SeccompDefault SeccompMode = "default"
	SeccompStrict  SeccompMode = "strict"
	SeccompNone    SeccompMode = "none"
)

// ConfirmMode is whether the user is asked before a run.
type ConfirmMode string

// The values of confirm.mode.
const (
	ConfirmNever  ConfirmMode = "never"
	ConfirmAlways ConfirmMode = "always"
)
