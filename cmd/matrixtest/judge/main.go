// Command judge looks at launchers on a machine, from outside and from inside.
//
// It is one static file, and asks nothing of the machine but a kernel: where
// coreutils are missing or strange, that is what is to be tested.
//
//	judge world HOME PROJECT UID GID   makes what launchers are judged by
//	judge check PROJECT [WORD...]      judges them, and prints a report; an empty
//	                                   PROJECT is code/p in the home directory;
//	                                   launchers are started by the words
//	judge inside ...                   what it has launchers run
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"bwrapgen/cmd/matrixtest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(words []string) error {
	switch {
	case len(words) == 5 && words[0] == "world":
		uid, err := strconv.Atoi(words[3])
		if err != nil {
			return err
		}
		gid, err := strconv.Atoi(words[4])
		if err != nil {
			return err
		}
		return makeWorld(words[1], words[2], uid, gid)
	case len(words) > 1 && words[0] == "check":
		return check(words[1], words[2:])
	case len(words) > 0 && words[0] == "inside":
		return json.NewEncoder(os.Stdout).Encode(observe(words[1:]))
	}
	return fmt.Errorf("usage: judge world|check|inside")
}

// check judges every launcher that lies beside this program.
func check(project string, starter []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	m, err := newMachine(program, project, starter)
	if err != nil {
		return err
	}
	report := matrixtest.Report{Launchers: map[string]matrixtest.Result{}}
	report.Bash, report.Bwrap, report.Env = version("bash"), version("bwrap"), version("env")
	for _, name := range matrixtest.Launchers() {
		l := launcher{machine: m, name: name, file: filepath.Join(filepath.Dir(program), name), expectation: expectations[name]}
		report.Launchers[name] = l.judge()
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}
