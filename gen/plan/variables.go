package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// refuseVariables refuses those that would change bwrap itself, which is started
// with the command's environment, and those that the launcher, or its bash, has
// for itself.
func (b *builder) refuseVariables() {
	e := b.profile.Environment
	items := slices.Concat(e.Pass, e.Require)
	for _, v := range e.Set {
		items = append(items, profile.Item{Text: v.Name, Origin: v.Origin})
	}
	const hint = `set it for the command alone: command = ["env", "NAME=value", ...]`
	for _, i := range items {
		prefix, glob := strings.CutSuffix(i.Text, "*")
		matched := func(own string) bool { return Matches(i.Text, own) }
		switch {
		case strings.HasPrefix(i.Text, "LD_"), glob && strings.HasPrefix("LD_", prefix), i.Text == "GLIBC_TUNABLES":
			b.refuse(i.Origin, hint, "%q would change bwrap itself", i.Text)
		case expr.OfLauncher(prefix), glob && templates.MentionsPrefix(prefix), slices.ContainsFunc(ofBash(), matched):
			b.refuse(i.Origin, hint, "the launcher has a variable %q itself", i.Text)
		}
	}
}

// ofBash are the variables that bash sets, or that change what it does.
func ofBash() []string {
	return []string{
		"BASH", "BASHOPTS", "BASHPID", "BASH_ALIASES", "BASH_ARGC", "BASH_ARGV", "BASH_ARGV0", "BASH_CMDS", "BASH_COMMAND", "BASH_COMPAT",
		"BASH_LINENO", "BASH_MONOSECONDS", "BASH_REMATCH", "BASH_SOURCE", "BASH_SUBSHELL", "BASH_VERSINFO", "BASH_VERSION", "BASH_XTRACEFD",
		"DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "EXECIGNORE", "FUNCNAME", "FUNCNEST", "GLOBIGNORE", "GROUPS", "HISTCMD", "IFS",
		"LINENO", "MAPFILE", "OLDPWD", "OPTARG", "OPTERR", "OPTIND", "PIPESTATUS", "POSIXLY_CORRECT", "PPID", "PS4", "PWD", "RANDOM", "REPLY",
		"SECONDS", "SHELLOPTS", "SHLVL", "SRANDOM", "TMOUT", "UID",
	}
}

// refuseUnknown refuses paths that begin with a variable of which nobody says
// what it holds: whoever sets it would decide what the sandbox shows. Known are
// those of the catalogue, and what the profile itself has passed.
func (b *builder) refuseUnknown() {
	known := b.catalogue.PathVariables()
	e := b.profile.Environment
	for _, i := range slices.Concat(e.Pass, e.Require) {
		known = append(known, i.Text)
	}
	for _, named := range pathsOf(b.profile) {
		for _, name := range named.path.Variables() {
			if !passes(known, name) {
				b.refuse(named.origin, `list it in environment.pass, or write it in a tool file (toolchains.files)`,
					"no tool has the variable %s: %q", name, named.path)
				break
			}
		}
	}
}

// Matches reports whether a name is the one that is listed, or one of those that
// a * stands for.
func Matches(listed, name string) bool {
	prefix, glob := strings.CutSuffix(listed, "*")
	return listed == name || glob && strings.HasPrefix(name, prefix)
}

// Passes reports whether a variable of the caller's comes in.
func (e Environ) Passes(name string) bool { return passes(e.Pass, name) }

// passes reports whether a name is one of those that are listed.
func passes(listed []string, name string) bool {
	return slices.ContainsFunc(listed, func(one string) bool { return Matches(one, name) })
}

type namedPath struct {
	path   expr.Path
	origin profile.Origin
}

// pathsOf lists the paths that a profile names outside the project.
func pathsOf(p profile.Profile) []namedPath {
	all := []namedPath{{p.Project.Root.Path, p.Origins["project.root"]}}
	for _, e := range p.Rules {
		all = append(all, namedPath{e.Path, e.Origin}, namedPath{e.At, e.Origin})
	}
	for _, v := range p.Environment.Set {
		all = append(all, namedPath{v.Path, v.Origin})
	}
	return all
}
