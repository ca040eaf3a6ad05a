package catalogue

import (
	"slices"

	"bwrapgen/gen/expr"
)

// Entry is one path of a tool.
type Entry struct {
	Path expr.Path
	Why  string // a reason to show in explain and in the script; may be empty
	File bool   // a file, where the list otherwise holds directories

	// NeedsWrite says whether the tool must write there: one of the words below, or empty
	// where that is not known.
	NeedsWrite string

	// IfPresent: honoured where it exists; an absent one is not made empty.
	IfPresent bool

	// IfNoLogin: settings that are shown after all, as long as they hold no login
	// and set no variables.
	IfNoLogin bool

	// Active: a shell has another one than the next, so that only the launch can tell.
	Active bool

	// As says how a file of the system's baseline gets into the sandbox: "bind", a symlink
	// resolved, as without a word; "link", the host's symlink made again; or "synthetic",
	// written by the launcher, never the host's own.
	As string

	// Pass is how a socket is passed, of one that a profile may ask for.
	Pass Passing

	// Names below the path. Mask: secrets, to be made unreadable. Empty: to be
	// replaced by an empty private directory. Protect: to be made read-only,
	// because the host runs or believes them.
	Mask, Empty, Protect []string

	line int // in the tool's file
}

// Glob reports whether the path holds a *, which stands for any text in one
// part of it.
func (e Entry) Glob() bool { return isGlob(e.Path.String()) }

// Eval gives the absolute path, or false where it has none. A relocating
// variable may hold anything (HISTFILE=/dev/null, GOBIN=$HOME): a value that is
// the root, the home directory or above it, or lies in a file system of the
// kernel, is no place of the tool's own.
func (e Entry) Eval(env expr.Env) (string, bool) { return evalOwn(e.Path, env) }

func evalOwn(p expr.Path, env expr.Env) (string, bool) {
	at, ok := p.Eval(env)
	if !ok || p.Base != expr.Variable {
		return at, ok
	}
	if at == "/" || expr.Within(env.Home, at) || within(at, kernelFiles) {
		return "", false
	}
	return at, true
}

var (
	kernelFiles    = []string{"/dev", "/proc", "/sys"}
	systemPrograms = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"}
)

// within reports whether a path is one of the directories or lies in one.
func within(at string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return expr.Within(at, dir)
	})
}

// Masked lists what below the entry is to be made unreadable.
func (e Entry) Masked() []expr.Path { return e.below(e.Mask) }

// Emptied lists what below the entry is to be replaced by a private directory.
func (e Entry) Emptied() []expr.Path { return e.below(e.Empty) }

func (e Entry) below(names []string) []expr.Path {
	var all []expr.Path
	for _, name := range names {
		if p, err := e.Path.Join("/" + name); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// The words of NeedsWrite.
const (
	NeedNo     = "no"      // read-only is as good
	NeedOnMiss = "on-miss" // read-only works until something new is wanted
	NeedYes    = "yes"     // read-only makes the tool fail
)
