package golden_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"

	"bwrapgen/gen/host"
)

// machine is the host that a launcher is interpreted on: the files that
// host.json lists in a small usual tree, and the caller's variables.
type machine struct {
	facts     host.Facts
	files     tree
	variables variables
	cwd       string
	before    [][]string
	call      []string
}

// newMachine has the files of the facts. Its user has the number 1000, and
// stands in the project, which is work in the home directory.
func newMachine(f host.Facts) *machine {
	m := &machine{facts: f, files: usual(f), variables: variables{}, cwd: f.Home + "/work"}
	m.set("HOME", f.Home)
	m.set("PATH", "/usr/local/bin:/usr/bin:/bin:"+f.Home+"/bin")
	m.set("TERM", "xterm")
	m.set("LANG", "C.UTF-8")
	for name, value := range f.Variables {
		m.set(name, value)
	}
	// What bash knows by itself.
	m.set("EUID", "1000")
	m.set("BASH", "/usr/bin/bash")
	m.set("HOSTTYPE", f.Arch)
	m.set("next_descriptor", "10")
	m.set("account", path.Base(f.Home))
	m.variables["GROUPS"] = expand.Variable{Set: true, Kind: expand.Indexed, List: []string{"1000"}}
	return m
}

func (m *machine) set(name, value string) {
	m.variables[name] = expand.Variable{Set: true, Kind: expand.String, Exported: true, Str: value}
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
	return []interp.RunnerOption{
		interp.Env(m.variables),
		interp.Dir("/"),
		interp.CallHandler(m.rewrite),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return m.exec }),
		interp.StatHandler(m.stat),
		interp.AccessHandler(m.access),
		interp.OpenHandler(m.open),
		interp.ReadDirHandler2(m.readDir),
	}
}

// rewrite stands in for options of builtins that the interpreter lacks.
func (m *machine) rewrite(ctx context.Context, args []string) ([]string, error) {
	switch {
	case args[0] == "trap", args[0] == "read" && slices.Contains(args, "-u"):
		return []string{"true"}, nil
	case args[0] == "cd" && len(args) > 2:
		directory := args[len(args)-1]
		if slices.Contains(args, "-P") {
			directory = m.files.real(path.Join(interp.HandlerCtx(ctx).Dir, "."), directory)
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
	case args[0] == "env" && m.call == nil:
		m.call = args
	case path.Base(args[0]) == "bwrap" && last == "--help":
		fmt.Fprintf(c.Stdout, "usage: bwrap [OPTIONS...] [--] COMMAND [ARGS...]\n\n    %s\n", strings.Join(m.facts.Bwrap.Options, "\n    "))
	case args[0] == "resolve", args[0] == "readlink":
		fmt.Fprintln(c.Stdout, m.files.real(c.Dir, last))
	case args[0] == "indirect":
		fmt.Fprint(c.Stdout, indirect(c.Env.Get(args[1]), args[2], args[3]))
	case args[0] == "mkdir":
		m.files.add(last, node{kind: host.Dir, mine: true})
		if !strings.HasPrefix(path.Base(last), "bwrapgen-") { // where bwrap's abilities are remembered
			m.before = append(m.before, args)
		}
	default:
		return fmt.Errorf("a launcher does not run %q", args)
	}
	return nil
}

// indirect is the value of ${!name+word} or ${!name-word}.
func indirect(v expand.Variable, operator, word string) string {
	if v.IsSet() == (operator == "+") {
		return word
	}
	return v.String()
}

func (m *machine) stat(_ context.Context, name string, follow bool) (fs.FileInfo, error) {
	return m.files.stat(name, follow)
}

func (m *machine) access(_ context.Context, name string, mode interp.AccessMode) error {
	info, err := m.files.stat(name, true)
	if err != nil {
		return err
	}
	if mode&interp.AccessWrite != 0 && !info.mine || mode&interp.AccessExec != 0 && info.Mode()&0o100 == 0 {
		return fs.ErrPermission
	}
	return nil
}

func (m *machine) open(_ context.Context, name string, flag int, _ fs.FileMode) (io.ReadWriteCloser, error) {
	if flag != os.O_RDONLY {
		return file{Writer: io.Discard}, nil
	}
	info, err := m.files.stat(name, true)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file{Reader: strings.NewReader(info.text)}, nil
}

// file is one that was opened for one of both.
type file struct {
	io.Reader
	io.Writer
}

func (file) Close() error { return nil }

func (m *machine) readDir(_ context.Context, name string) ([]fs.DirEntry, error) {
	return m.files.list(name), nil
}
