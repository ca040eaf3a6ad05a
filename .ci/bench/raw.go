package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// recorder stands in for bwrap while bash runs what --sandbox-print printed. It
// writes its words and its environment beside itself, and for each descriptor a
// file with what can be read from it, or a link to the file that it is.
const recorder = `#!/bin/bash
PATH=/usr/bin:/bin
directory=${0%/*}
cat /proc/$$/environ >"$directory/environment"
printf '%s\0' "$@" >"$directory/words"
for path in /proc/self/fd/*; do
  number=${path##*/}
  [[ $number != @(0|1|2|255) && -e $path ]] || continue
  file=$(readlink "$path")
  if [[ -e $file ]]; then
    ln -s "$file" "$directory/$number"
  else
    cat <&"$number" >"$directory/$number" 2>/dev/null
  fi
done
exit 0
`

// raw starts bwrap alone, with the words, the environment and the descriptors
// that a launcher gives to it.
func (s scene) raw(e engine, name, profile, project string) *start {
	path, err := s.launcher(e, profile, project)
	if err != nil {
		return &start{name: name, err: err}
	}
	// Once as it is meant: the launcher makes what is missing. If it cannot, its
	// own start will say so.
	_ = s.command(e, project, path, "true").Run()
	printed, err := s.command(e, project, path, "--sandbox-print", "true").Output()
	if err != nil {
		return &start{name: name, err: fmt.Errorf("--sandbox-print: %v", err)}
	}
	one, err := s.record(e, project, string(printed))
	if err != nil {
		return &start{name: name, err: err}
	}
	one.name = name
	return one
}

// record has bash run a printed command with the recorder in bwrap's place.
func (s scene) record(e engine, project, printed string) (*start, error) {
	dir, err := os.MkdirTemp(s.dir, "raw-")
	if err != nil {
		return nil, err
	}
	fake := filepath.Join(dir, "bwrap")
	if err := errors.Join(s.user.own(dir), os.WriteFile(fake, []byte(recorder), 0o755)); err != nil {
		return nil, err
	}
	c := s.command(engine{path: fake}, project, "bash", "-c", strings.ReplaceAll(printed, e.path, fake))
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bash cannot run what --sandbox-print printed: %v: %s", err, out)
	}
	words, err := readList(filepath.Join(dir, "words"))
	if err != nil {
		return nil, fmt.Errorf("what --sandbox-print printed does not start %s", e.path)
	}
	for i, word := range words {
		words[i] = strings.ReplaceAll(word, fake, e.path) // bwrap that starts another one
	}
	environment, err := readList(filepath.Join(dir, "environment"))
	if err != nil {
		return nil, err
	}
	descriptors, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	if err != nil {
		return nil, err
	}
	files := map[int]string{}
	for _, file := range descriptors {
		number, err := strconv.Atoi(filepath.Base(file))
		if err != nil {
			return nil, err
		}
		files[number] = file
	}
	return &start{files: files, make: func() *exec.Cmd {
		c := s.command(e, project, append([]string{e.path}, words...)...)
		c.Env = environment
		return c
	}}, nil
}

// readList reads texts that each end with a NUL.
func readList(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), nil
}

// least is a bash script that does nothing but put bwrap in its place, with the
// words of one that is started alone: no launcher in bash can take less.
func (s scene) least(raw *start) *start {
	one := &start{name: raw.name + " by a script", files: raw.files, err: raw.err}
	if raw.err != nil {
		return one
	}
	script := "#!/bin/bash\nexec"
	for _, word := range raw.make().Args {
		script += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	dir, err := os.MkdirTemp(s.dir, "least-")
	if err != nil {
		one.err = err
		return one
	}
	path := filepath.Join(dir, "script")
	one.err = errors.Join(s.user.own(dir), os.WriteFile(path, []byte(script+"\n"), 0o755))
	one.make = func() *exec.Cmd {
		c := raw.make()
		c.Path, c.Args, c.Err = path, []string{path}, nil
		return c
	}
	return one
}
