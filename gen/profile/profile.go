// Package profile knows what a user may ask for: the TOML schema of a profile,
// its inheritance and its validation.
//
// It is pure: files and built-in profiles come from the caller's Loader. It
// looks at no host; what can only be judged there is left to package plan.
package profile

import (
	"time"

	"bwrapgen/gen/expr"
)

// Profile is one profile with all that it inherits, checked.
type Profile struct {
	Name        string   // file name without .toml
	About       string   // one sentence, shown in the launcher's header
	Command     []string // the launcher's arguments are appended to it
	Project     Project
	Filesystem  Filesystem
	Rules       Rules // what is shown, made, protected and hidden, path by path
	Toolchains  Toolchains
	Caches      Caches
	Home        Home
	Tmp         Tmp
	Environment Environment
	Network     Network
	Sockets     Sockets
	Terminal    Terminal
	Kernel      Kernel
	Limits      Limits
	Confirm     Confirm
	Expect      []Expectation // by the author, for bwrapgen test

	// Origins says where the value of a scalar key comes from, for the keys
	// that some file writes: "project.root", "caches.go.mode", "command".
	// Lists carry the origin in their elements.
	Origins map[string]Origin
	Sources []string // files and built-in names that took part, in order
}

// Origin is the place in a profile that a value comes from.
type Origin struct {
	File string // as given to the Loader; a built-in profile's name
	Line int    // 0 where it is not known
	Key  string // filesystem.read[1]
}

// Builtin reports whether the place is in a built-in profile.
func (o Origin) Builtin() bool { return !IsFile(o.File) }

// Item is one text of a list.
type Item struct {
	Text   string
	Origin Origin
}

// Project is the directory that the command works in.
type Project struct {
	Root   Root
	Access Access
	At     expr.Path // absolute; zero: at its own path
	Report bool      // name files that the host would run later
}

// Root says which directory is the project.
type Root struct {
	Kind RootKind
	Path expr.Path // for RootPath
}

// Filesystem is what is visible besides project, home and tools.
type Filesystem struct {
	Base FilesystemBase
}

// Toolchains says which tools of the catalogue are shown.
type Toolchains struct {
	Use   Use
	Skip  []Item // tool names
	Mode  ToolchainMode
	Files []Item // tool files of the user, relative to the working directory
}

// Use chooses tools of the catalogue.
type Use struct {
	Kind  UseKind
	Names []Item // for UseNames
}

// Caches says what becomes of the tools' caches.
type Caches struct {
	Mode  CacheMode
	Tools map[string]*CacheMode // of the tools that have a table [caches.NAME]
}

// add gives a tool a mode of its own, as it is without one.
func (c *Caches) add(tool string) {
	mode := c.For(tool)
	if c.Tools == nil {
		c.Tools = map[string]*CacheMode{}
	}
	c.Tools[tool] = &mode
}

// For says how the caches of one tool are shown.
func (c Caches) For(tool string) CacheMode {
	if mode := c.Tools[tool]; mode != nil {
		return *mode
	}
	return c.Mode
}

// Home is the home directory inside.
type Home struct {
	Mode HomeMode
	At   expr.Path // absolute; zero: at its own path
}

// Tmp is /tmp inside.
type Tmp struct {
	Mode TmpMode
}

// Environment is what the command finds in its environment.
type Environment struct {
	Pass    []Item // NAME or PREFIX_*
	Require []Item // NAME
	Set     []Variable
}

// Variable is one variable with a value of the profile's own.
type Variable struct {
	Name   string
	Text   string    // the value, as it stands
	Path   expr.Path // if not zero: the value is this path, evaluated at launch
	Origin Origin
}

// Network is what the command can reach.
type Network struct {
	Mode    NetworkMode
	Allow   []Item // for NetworkAllow: host, *.host, host:port
	Publish []Item // for a network of its own: ports, as ParsePublished reads them
	Reach   []Item // for a network of its own: ports, as ParseReached reads them
	Proxy   string // for a network of its own: a URL, as ParseProxy reads it
}

// Sockets are services of the session.
type Sockets struct {
	Pass []Item // of catalogue.SocketNames
	Talk []Item // names on the session bus that may be spoken to
	Own  []Item // names on the session bus that may be taken
}

// Terminal is how the command shares the terminal.
type Terminal struct {
	Mode TerminalMode
}

// Kernel is what the command may ask of the kernel.
type Kernel struct {
	NestedUserns bool
	ForeignArch  bool // programs of the other word size: i386 on x86_64, arm on aarch64
	Seccomp      SeccompMode
}

// Limits bound a run; zero is no limit.
type Limits struct {
	Timeout    time.Duration
	KillAfter  time.Duration
	MaxTimeout time.Duration
	Output     Size
	Memory     Size
	Processes  int
	OpenFiles  int
	CPUTime    time.Duration
}

// Size is a number of bytes.
type Size int64

// Confirm is the question before a run.
type Confirm struct {
	Mode     ConfirmMode
	AllowYes bool
}

// Default is the profile that an empty file means.
func Default() Profile {
	return Profile{
		Project:    Project{Access: AccessWrite},
		Filesystem: Filesystem{Base: BaseSelect},
		Toolchains: Toolchains{Use: Use{Kind: UseProject}, Mode: ToolchainRead},
		Caches:     Caches{Mode: CacheEphemeral},
		Home:       Home{Mode: HomeEmpty},
		Tmp:        Tmp{Mode: TmpEmpty},
		Network:    Network{Mode: NetworkHost},
		Terminal:   Terminal{Mode: TerminalJobControl},
		Kernel:     Kernel{Seccomp: SeccompDefault},
		Limits:     Limits{KillAfter: 5 * time.Second, MaxTimeout: 600 * time.Second},
		Confirm:    Confirm{Mode: ConfirmNever},
		Origins:    map[string]Origin{},
	}
}
