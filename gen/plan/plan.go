// Package plan decides what a sandbox contains.
//
// It is pure: it reads a profile, the catalogue and the facts about a host,
// and touches neither the host nor the shell.
package plan

import (
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// Plan is all that a launcher does, typed and in order.
type Plan struct {
	Name    string // the launcher's, for messages
	About   string // one sentence
	Source  string // how to write the launcher again, as the user named things
	Command []string

	Base      profile.FilesystemBase
	Arches    []string // machines that the filter is embedded for
	Network   profile.NetworkMode
	Allowed   []profile.Destination `json:",omitzero"` // for NetworkAllow: one at least
	Published []profile.Published   `json:",omitzero"` // for a network of its own
	Reached   []int                 `json:",omitzero"` // for a network of its own: ports of the host's loopback
	Terminal  profile.TerminalMode
	Kernel    profile.Kernel
	Limits    profile.Limits
	Confirm   profile.Confirm

	Relocations []string // variables that count only with an absolute path
	Hidden      Hidden
	Led         []Led // what the profile lists, to be judged once more at launch
	Project     Project
	Home        profile.HomeMode
	Tmp         profile.TmpMode
	Places      Places

	System     System
	Toolchains []Group // of the catalogue's tools, one each
	Groups     []Group // outside the project, parents before children
	Caches     []Cache
	Overlays   []Overlay // writable views: of the caches, and what the profile lists
	Inside     []Group   // inside the project
	Plain      []Mount   `json:",omitzero"` // read-only, as the host base shows it anyway
	Masks      []Mount   // hidden, last of all
	Revealed   Revealed  `json:",omitzero"`
	Environ    Environ
	Sockets    Sockets

	Credentials []Mount // read-only, after the masks

	notes []problem.Problem
}

// Project is the directory that the command works in.
type Project struct {
	Root    profile.Root
	Access  profile.Access
	Protect []Mount  // read-only in a writable project
	Own     []Mount  // of these, names that cannot be made, either, where they are absent
	Watched []string // names that are reported at the end where they are new or changed
	Pinned  []Mount  // shown or hidden in another way; what lies above them cannot be renamed
}

// System is what the select base shows of the operating system.
type System struct {
	Mounts   []Mount // read-only, in order
	Roots    []Mount // of /bin and its like: a link on one host, a directory on another
	Etc      []Mount // optional names directly below /etc
	Zone     string  // the zone file's name that /etc/localtime links to
	Time     bool    // /etc/localtime is shown, as the link that it is
	Accounts bool    // /etc/passwd and /etc/group are made, with the caller's entry
}

// Group is some mounts with one reason.
type Group struct {
	About  string // a sentence
	Mounts []Mount
}

// Mount is one thing that the sandbox shows, makes or hides.
type Mount struct {
	Op        Op
	Source    expr.Path
	Target    expr.Path
	Text      string // of a symbolic link: where it points to; of a created file: what it holds
	Optional  bool   // skipped where it does not exist
	Create    bool   // made on the host where it does not exist
	Links     bool   `json:",omitzero"` // so is what links in it lead to
	IfNoLogin bool   `json:",omitzero"` // shown as long as it holds no login and sets no variables
	Active    bool   `json:",omitzero"` // a shell's own choice: listed wherever the host has it
	Held      bool   // read-only below what is writable
	Late      bool   `json:",omitzero"` // below a view, which comes after other mounts
	Stowed    bool   `json:",omitzero"` // hidden only where the project holds it
	Pattern   bool   `json:",omitzero"` // the names of Target.Rest may hold *, ? and [...]: what the project has of it
	Guarded   bool   // judged once more at launch: variables and links lead it elsewhere
	Why       string // the author's reason
	Tool      string // of the catalogue, if it is one's
	Origin    profile.Origin

	pin bool // keeps what lies between two others from being renamed, and shows nothing else
}

// Pin reports whether a mount only keeps a directory from being renamed.
func (m Mount) Pin() bool { return m.pin }

// shows reports whether a mount brings something of the host's into sight.
func (m Mount) shows() bool { return !m.pin && m.Op.binds() }

// mounts are all of the groups, in order.
func (p Plan) mounts() []Mount {
	var all []Mount
	for _, g := range slices.Concat(p.Toolchains, p.Groups, p.Inside) {
		all = append(all, g.Mounts...)
	}
	return all
}

// Cache is one directory that a tool can fill again.
type Cache struct {
	Path   expr.Path
	Mode   profile.CacheMode
	Tool   string
	Why    string
	Origin profile.Origin
}

// Environ is the command's environment.
type Environ struct {
	Pass      []string // names and prefixes that are passed where they are set
	Require   []profile.Item
	Addresses []string // of Pass, those that are passed as long as they hold no login
	Set       []profile.Variable
	Reasons   []Line      // why the tools need some of these
	Visible   []expr.Path // PATH keeps what lies at or below these
	Denied    []expr.Path // but not what lies at or below these
	TakePath  bool        // PATH is the caller's, filtered, and behind that:
	Programs  []expr.Path `json:",omitzero"` // where the tools have their programs; a * is any name
	Wanted    []string    // programs of the tools: that another version is found is said

	logins []string // of Pass, those that hold a login: for people, and no part of a digest
}

// Op is what a mount does: one flag of bwrap each.
type Op uint8

// The operations.
const (
	ROBind  Op = iota // shows a host's path, read-only
	Bind              // shows a host's path, writable
	Tmpfs             // an empty directory of the sandbox's own
	Symlink           // a symbolic link
	Mask              // hides what is there
)

var ops = [...]struct{ name, flag string }{
	ROBind:  {"read", "--ro-bind"},
	Bind:    {"write", "--bind"},
	Tmpfs:   {"empty", "--tmpfs"},
	Symlink: {"link", "--symlink"},
	Mask:    {"hide", ""},
}

// String names the operation as profiles do.
func (o Op) String() string { return ops[o].name }

// MarshalText names the operation as profiles do.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// binds reports whether a mount is of a path of the host's.
func (o Op) binds() bool { return o == ROBind || o == Bind }

// Device reports whether a mount shows devices that can be opened.
func (m Mount) Device() bool { return m.Op == Bind && profile.OfDevices(m.Source) }

// Flag gives bwrap's option, in its -try form for an optional mount. A Mask has
// none of its own: what covers a path depends on what the host has there.
func (m Mount) Flag() string {
	flag := ops[m.Op].flag
	if m.Device() {
		flag = "--dev-bind"
	}
	if m.Optional && m.Op.binds() {
		flag += "-try"
	}
	return flag
}
