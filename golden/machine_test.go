package golden_test

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"

	"bwrapgen/gen"
	"bwrapgen/gen/host"
)

// machine is the host that a launcher is interpreted on: the files that
// host.json lists in a small usual tree, and the caller's variables.
type machine struct {
	home      string
	files     files
	variables variables
	cwd       string
	help      string     // what bwrap says it can do
	ran       [][]string // programs, in order
	own       []string   // variables that no program gets
}

// files is the file system that a launcher sees.
type files interface {
	real(from, name string) string   // without links
	handlers() []interp.RunnerOption // for all that the interpreter asks
	mkdir(name string)
	hold(descriptor, name string) // without a name it is a pipe
}

// newMachine has the files of the facts. Its user has the number 1000, and
// stands in the project, which is work in the home directory.
func newMachine(f host.Facts) *machine {
	m := &machine{home: f.Home, files: usual(f), variables: variables{}, cwd: f.Home + "/code"}
	m.help = "usage: bwrap [OPTIONS...] [--] COMMAND [ARGS...]\n\n    " + strings.Join(f.Bwrap.Options, "\n    ") + "\n"
	m.set("HOME", f.Home)
	m.set("PATH", "/usr/local/bin:/usr/bin:/bin:"+f.Home+"/bin")
	m.set("TERM", "xterm")
	m.set("LANG", "C.UTF-8")
	for name, value := range f.Variables {
		m.set(name, value)
	}
	m.known(path.Base(f.Home), "1000", "1000", f.Arch)
	return m
}

// known sets what bash knows by itself.
func (m *machine) known(user, uid, gid, arch string) {
	m.set("EUID", uid)
	m.set("SECONDS", "0")
	m.set("BASHPID", "2")
	m.set("BASH", "/usr/bin/bash")
	m.set("HOSTTYPE", arch)
	m.set("next_descriptor", "10")
	m.set("account", user)
	m.set("flags", "p")
	m.list("GROUPS", gid)
	m.list("BASH_VERSINFO", "5", "2", "37", "1", "release", arch+"-pc-linux-gnu")
}

func (m *machine) list(name string, values ...string) {
	m.variables[name] = expand.Variable{Set: true, Kind: expand.Indexed, List: values}
}

func (m *machine) set(name, value string) {
	m.variables[name] = expand.Variable{Set: true, Kind: expand.String, Str: value}
}

// environ sets more variables, from the lines of a file.
func (m *machine) environ(data []byte) {
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		m.set(name, value)
	}
}

// variables is an environment with arrays.
type variables map[string]expand.Variable

func (v variables) Get(name string) expand.Variable { return v[name] }

func (v variables) Each(f func(string, expand.Variable) bool) {
	for name, value := range v {
		if !f(name, value) {
			return
		}
	}
}

func (m *machine) options() []interp.RunnerOption {
	return append(m.files.handlers(),
		interp.Env(m.variables),
		interp.Dir("/"),
		interp.CallHandler(m.rewrite),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return m.exec }),
	)
}

// rewrite stands in for builtins, and options of theirs, that the interpreter lacks.
func (m *machine) rewrite(ctx context.Context, args []string) ([]string, error) {
	switch {
	case slices.Contains([]string{"shopt", "trap", "umask", "wait"}, args[0]), args[0] == "set" && args[1][1:] == "m":
		return []string{"true"}, nil
	case args[0] == "cd" && len(args) > 2:
		directory := args[len(args)-1]
		if slices.Contains(args, "-P") {
			directory = m.files.real(interp.HandlerCtx(ctx).Dir, directory)
		}
		return []string{"cd", directory}, nil
	}
	return args, nil
}

// exec knows the few programs that a launcher may run, and records them.
func (m *machine) exec(ctx context.Context, args []string) error {
	c := interp.HandlerCtx(ctx)
	last := args[len(args)-1]
	switch {
	case path.Base(args[0]) == "bwrap" && last == "--help":
		fmt.Fprint(c.Stdout, m.help)
	case args[0] == "/usr/bin/env" && last == "--help":
		fmt.Fprint(c.Stdout, "--default-signal")
	case path.Base(args[0]) == "bwrap", args[0] == "/usr/bin/env":
		m.ran = append(m.ran, slices.Concat([]string{"env", "-i"}, m.exports(c.Env), args))
	case args[0] == "find" && args[1] == "-L": // nobody else can write to bwrap's directory
	case args[0] == "touch", args[0] == "mv" && path.Base(last) == "lacks": // what bwrap lacks is kept
	case args[0] == "resolve", args[0] == "readlink":
		fmt.Fprintln(c.Stdout, m.files.real(c.Dir, last))
	case args[0] == "indirect":
		fmt.Fprint(c.Stdout, indirect(c.Env.Get(args[1]), args[2], args[3]))
	case args[0] == "stat":
		fmt.Fprintln(c.Stdout, "600") // a credential's mode
	case args[0] == "bwrapgen-hold":
		m.files.hold(args[1], strings.Join(args[2:], ""))
	case args[0] == "mkdir":
		for _, name := range args[1+slices.Index(args, "--"):] {
			m.files.mkdir(name)
		}
		if !strings.HasPrefix(path.Base(last), "bwrapgen-") { // where bwrap's abilities are remembered
			m.ran = append(m.ran, args)
		}
	case slices.Contains(gen.Rules().Programs, args[0]):
		m.ran = append(m.ran, args)
	default:
		return fmt.Errorf("a launcher does not run %q", args)
	}
	return nil
}

// exports are the variables that a program gets, as NAME=VALUE, by name.
func (m *machine) exports(all expand.Environ) []string {
	var entries []string
	for name, value := range all.Each {
		if value.Exported && value.IsSet() && !slices.Contains(m.own, name) {
			entries = append(entries, name+"="+value.String())
		}
	}
	slices.Sort(entries)
	return entries
}

// indirect is the value of ${!name+word} or ${!name-word}.
func indirect(v expand.Variable, operator, word string) string {
	if v.IsSet() == (operator == "+") {
		return word
	}
	return v.String()
}
