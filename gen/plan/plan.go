// Package plan decides what a sandbox contains.
//
// It is pure: it reads a profile, the catalogue and the facts about a host,
// and touches neither the host nor the shell.
//
// What the sandbox shows is one list, Plan.Mounts. Each mount says what it does (Op),
// what it is part of (Scope), and who asks for it and why (Origin, Tool, Why). Whoever
// asks about a sandbox ranges over this list and asks each mount what it is.
package plan

import (
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

	Base   profile.FilesystemBase
	Arches []string // machines that the filter is embedded for
	Reach
	Terminal profile.TerminalMode
	Kernel   profile.Kernel
	Limits   profile.Limits
	Confirm  profile.Confirm
	Project  Project
	Home     profile.HomeMode
	Tmp      profile.TmpMode
	Places   Places
	System   System
	OldBwrap bool // the launcher has to mount overlays for a bwrap before 0.11

	Mounts  Mounts `json:",omitzero"` // in the order in which they are mounted
	Inputs  Inputs `json:",omitzero"` // protected wherever they are writable, besides those in Mounts
	Environ Environ
	Sockets Sockets

	Relocations []string    // variables that are ignored unless they hold an absolute path
	Open        []expr.Path // where variables and symlinks may lead among names with a dot and system directories
	Revealed    Revealed    `json:",omitzero"`

	notes []problem.Problem
}

// Project is the directory that the command works in.
type Project struct {
	Root    profile.Root
	Access  profile.Access
	Unknown []string // files of projects for tools that the launcher does not know, each as FILE/TOOL
	Watched []string // names that are reported at the end where they are new or changed
}

// System is what the launcher makes in the directories of the operating system.
type System struct {
	Zone     string // the zone file's name that /etc/localtime links to
	Time     bool   // /etc/localtime is shown, as the link that it is
	Accounts bool   // /etc/passwd and /etc/group are made, with the caller's entry
}

// Environ is the command's environment.
type Environ struct {
	Pass      []string // names and prefixes that are passed where they are set
	Require   []profile.Item
	Addresses []string // of Pass, those that are passed as long as they hold no login
	Set       []profile.Variable
	Reasons   []Line      // why the tools need some of these
	Visible   []expr.Path // PATH keeps what lies at or below these
	TakePath  bool        // PATH is the caller's, filtered, and behind that:
	Programs  []expr.Path `json:",omitzero"` // where the tools have their programs; a * is any name
	Wanted    []string    // programs of the tools: that another version is found is said

	logins []string // of Pass, those that hold a login: for people, and no part of a digest
}
