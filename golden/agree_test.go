package golden_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/interp"
)

// TestAgree runs launchers in real bash and in the interpreter, both on the
// files of this host. Both must make the same call of bwrap: so argv.txt says
// what real bash would do, too.
func TestAgree(t *testing.T) {
	for name, source := range sources() {
		for _, version := range versions() {
			t.Run(name+"/"+version, func(t *testing.T) { agree(t, name, source, version) })
		}
	}
}

func agree(t *testing.T, name, source, version string) {
	s := newStage(t, version)
	s.launcher(t, name, source)
	interpreted := interpret(t, read(t, s.script), s.script, s.machine(t), hostile...)
	if interpreted.status != 0 {
		t.Fatalf("interpreted: exit %d: %s", interpreted.status, interpreted.stderr)
	}
	got, want := masked(recorded(interpreted.call(), s.path+"/bwrap")), masked(s.run(t, nil, hostile...))
	for i, word := range got {
		if i >= len(want) || word != want[i] {
			t.Fatalf("word %d: the interpreter gives %q, bash %q", i, word, want[min(i, len(want)-1)])
		}
	}
}

// recorded writes a call as the recorder would, but for what descriptors hold.
func recorded(call []string, program string) []string {
	i := slices.Index(call, program)
	var words []string
	for _, entry := range call[2:i] { // after env -i
		words = append(words, "env "+entry)
	}
	return append(words, call[i+1:]...)
}

// masked leaves out the numbers of descriptors that bash chooses: which one is
// free is between it and who started it.
func masked(words []string) []string {
	words = slices.Clone(words)
	for i, word := range words[1:] {
		if slices.Contains([]string{"--ro-bind-data", "--args"}, words[i]) && len(word) > 1 {
			words[i+1] = "N"
		}
	}
	return words
}

// machine is this host, with the variables of the stage.
func (s *stage) machine(t *testing.T) *machine {
	t.Helper()
	account, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{home: s.home, files: disk{}, variables: variables{}, cwd: s.project, help: string(read(t, s.path+"/help.txt"))}
	for _, entry := range s.environment() {
		name, value, _ := strings.Cut(entry, "=")
		m.set(name, value)
	}
	arches := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	m.known(account.Username, account.Uid, account.Gid, arches[runtime.GOARCH])
	return m
}

// disk is the file system of this host, where nothing is written.
type disk struct{}

func (disk) real(from, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(from, name)
	}
	if at, err := filepath.EvalSymlinks(name); err == nil {
		return at
	}
	return name
}

func (disk) mkdir(string) {}

func (disk) hold(string, string) {}

func (disk) handlers() []interp.RunnerOption {
	return []interp.RunnerOption{interp.OpenHandler(openDisk)}
}

func openDisk(c context.Context, name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error) {
	if flag != os.O_RDONLY {
		return opened{Reader: bytes.NewReader(nil), Writer: io.Discard}, nil
	}
	return interp.DefaultOpenHandler()(c, name, flag, perm)
}
