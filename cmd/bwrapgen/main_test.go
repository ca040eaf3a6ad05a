package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bwrapgen": main})
}

func TestScript(t *testing.T) {
	sandbox := sync.OnceValue(trySandbox)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("LC_ALL", "C.UTF-8")
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
		Condition: func(name string) (bool, error) {
			if name != "sandbox" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return condition(sandbox())
		},
	})
}

// exits is exec for a command that ends with a status: exits 3 bwrapgen diff.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits status command [argument ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("got the exit status %d, want %s", got, want)
	}
}

// trySandbox makes a sandbox that runs nothing.
func trySandbox() error {
	text, err := exec.Command("bwrap", "--unshare-user", "--ro-bind", "/", "/", "true").CombinedOutput()
	if err != nil {
		return fmt.Errorf("bubblewrap cannot make a sandbox here: %v: %s", err, text)
	}
	return nil
}

// condition says whether scripts that need a sandbox run. Where one is
// required, its absence is an error, so that no run passes because nothing ran.
func condition(err error) (bool, error) {
	if err != nil && os.Getenv("BWRAPGEN_REQUIRE_SANDBOX") != "" {
		return false, err
	}
	return err == nil, nil
}

func TestCondition(t *testing.T) {
	for _, test := range []struct {
		name, require string
		err           error
		want, fails   bool
	}{
		{"works", "", nil, true, false},
		{"works and is required", "1", nil, true, false},
		{"does not work", "", errors.New("no"), false, false},
		{"does not work and is required", "1", errors.New("no"), false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("BWRAPGEN_REQUIRE_SANDBOX", test.require)
			got, err := condition(test.err)
			if got != test.want || (err != nil) != test.fails {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
