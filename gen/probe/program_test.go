package probe_test

import (
	"os"
	"reflect"
	"testing"
	"time"

	"bwrapgen/gen/host"
)

// pretend is a program that says what bwrap would. It is run by the real
// system's shell, so only its own path lies below the root.
const pretend = `! = #!/bin/sh
case $1 in
--version) echo 'bubblewrap 0.12.0' ;;
--help) printf '%s\n' 'usage: bwrap [OPTIONS...] [--] COMMAND' '' '    --help    Print this' \
  '    --overlay-src SRC   Read files from SRC, see --overlay' '    --bind SRC DEST   Bind' '    --bind SRC DEST   again' ;;
esac
`

func TestPrograms(t *testing.T) {
	found := host.Program{Path: "/usr/bin/bwrap", Version: "0.12.0", Options: []string{"--bind", "--help", "--overlay-src"}}
	silent := host.Program{Path: "/usr/bin/bwrap"}
	for _, test := range []struct {
		name string
		tree []string
		path string
		want host.Program
	}{
		{"found", []string{"/usr/bin/bwrap" + pretend}, "/none:/usr/bin", found},
		{"first wins", []string{"/usr/bin/bwrap" + pretend, "/opt/bwrap! = #!/bin/sh\n"}, "/usr/bin:/opt", found},
		{"not there", []string{"/usr/bin/"}, "/usr/bin", host.Program{}},
		{"no PATH", []string{"/usr/bin/bwrap" + pretend}, "", host.Program{}},
		{"relative folder", []string{"/usr/bin/bwrap" + pretend}, "usr/bin:.::/usr/bin", found},
		{"not executable", []string{"/opt/bwrap = x", "/usr/bin/bwrap" + pretend}, "/opt:/usr/bin", found},
		{"a directory", []string{"/opt/bwrap/", "/usr/bin/bwrap" + pretend}, "/opt:/usr/bin", found},
		{"in the project", []string{"/p/bin/bwrap! = #!/bin/sh\n", "/usr/bin/bwrap" + pretend}, "/p/bin:/usr/bin", found},
		{"link into the project", []string{"/p/bwrap! = #!/bin/sh\n", "/opt/bwrap -> /p/bwrap", "/usr/bin/bwrap" + pretend}, "/opt:/usr/bin", found},
		{"link to the project", []string{"/q/bwrap! = #!/bin/sh\n", "/p -> q", "/usr/bin/bwrap" + pretend}, "/q:/usr/bin", found},
		{"says nothing", []string{"/usr/bin/bwrap! = #!/bin/sh\n"}, "/usr/bin", silent},
		{"cannot run", []string{"/usr/bin/bwrap! = #!/no/such/shell\n"}, "/usr/bin", silent},
		{"says it on standard error and fails", []string{"/usr/bin/bwrap! = #!/bin/sh\necho bubblewrap 0.3.1 >&2; exit 1\n"}, "/usr/bin",
			host.Program{Path: "/usr/bin/bwrap", Version: "0.3.1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, append(test.tree, "/p/bin/")...)
			got := ask(t, on(root, "PATH="+test.path), host.Question{Programs: true, Project: "/p"}).Bwrap
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// No program runs for somebody who has not asked for it.
func TestProgramsUnasked(t *testing.T) {
	h := on(tree(t, "/usr/bin/bwrap"+pretend), "PATH=/usr/bin")
	for _, asked := range []bool{false, true} {
		if f := ask(t, h, host.Question{Programs: asked}); f.Bwrap.Found() != asked {
			t.Errorf("asked: %v, and got %+v", asked, f.Bwrap)
		}
	}
}

// A program that hangs, even by a child that keeps its output open, is left.
func TestProgramHangs(t *testing.T) {
	root := tree(t, "/usr/bin/bwrap! = #!/bin/sh\nsleep 99 & sleep 99\n")
	start := time.Now()
	h := on(root, "PATH=/usr/bin")
	h.Patience = 200 * time.Millisecond
	ask(t, h, host.Question{Programs: true})
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// The programs of this system, where they are.
func TestProgramsHere(t *testing.T) {
	f := ask(t, on("", "PATH="+os.Getenv("PATH")), host.Question{Programs: true})
	for name, p := range map[string]host.Program{"bash": f.Bash, "env": f.Env, "bwrap": f.Bwrap} {
		if p.Found() && p.Version == "" {
			t.Errorf("%s has no version: %+v", name, p)
		}
	}
	if f.Bwrap.Found() && len(f.Bwrap.Options) < 20 {
		t.Errorf("got %q", f.Bwrap.Options)
	}
	if f.OS == "" || f.Arch == "" {
		t.Errorf("got system %q, machine %q", f.OS, f.Arch)
	}
}

// What launchers refuse is not run, and named.
func TestDoubt(t *testing.T) {
	for _, test := range []struct {
		name, path, open, at, why string
	}{
		{"fine", "/usr/bin:/opt", "/opt", "/usr/bin/bwrap", ""},
		{"in the project", "/p/bin:/usr/bin", "", "/p/bin/bwrap", "it lies in the project"},
		{"in a directory of everybody's", "/opt:/usr/bin", "/opt", "/opt/bwrap", "others can replace it"},
		{"a file of everybody's", "/opt:/usr/bin", "/opt/bwrap", "/opt/bwrap", "others can replace it"},
		{"a link to a safe one", "/tmp:/usr/bin", "/tmp", "/tmp/bwrap", ""},
		{"a link to one of everybody's", "/tmp:/usr/bin", "/usr/bin", "/tmp/bwrap", "others can replace it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, "/usr/bin/bwrap"+pretend, "/opt/bwrap"+pretend, "/p/bin/bwrap"+pretend, "/tmp/bwrap -> /usr/bin/bwrap")
			if test.open != "" {
				if err := os.Chmod(root+test.open, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			h := on(root, "PATH="+test.path)
			if at, why := h.Doubt("/p", "bwrap"); at != test.at || why != test.why {
				t.Errorf("got %q, %q", at, why)
			}
			if f := ask(t, h, host.Question{Programs: true, Project: "/p"}); test.why != "" && f.Bwrap.Path == test.at {
				t.Errorf("%s was run", test.at)
			}
		})
	}
}
