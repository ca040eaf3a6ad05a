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
// that a launcher gives to it in the small project.
func (s scene) raw(e engine, name, launcher string) *start {
	// Once as it is meant: the launcher makes what is missing. If it cannot, its
	// own start will say so.
	_ = s.command(e, "small", launcher, "true").Run()
	printed, err := s.command(e, "small", launcher, "--sandbox-print", "true").Output()
	if err != nil {
		return &start{name: name, err: fmt.Errorf("--sandbox-print: %v", err)}
	}
	one := &start{name: name, files: map[int]string{}}
	one.err = s.record(e, one, string(printed))
	return one
}

// record has bash run a printed command with the recorder in bwrap's place.
func (s scene) record(e engine, one *start, printed string) error {
	dir, err := os.MkdirTemp(s.dir, "raw-")
	if err != nil {
		return err
	}
	fake := filepath.Join(dir, "bwrap")
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(fake, []byte(recorder), 0o755)); err != nil {
		return err
	}
	c := s.command(engine{path: fake}, "small", "bash", "-c", strings.ReplaceAll(printed, e.path, fake))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("bash cannot run what --sandbox-print printed: %v: %s", err, out)
	}
	words, err := readList(filepath.Join(dir, "words"))
	if err != nil {
		return fmt.Errorf("what --sandbox-print printed does not start %s", e.path)
	}
	for i, word := range words {
		words[i] = strings.ReplaceAll(word, fake, e.path) // bwrap that starts another one
	}
	environment, err := readList(filepath.Join(dir, "environment"))
	if err != nil {
		return err
	}
	descriptors, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	if err != nil {
		return err
	}
	for _, file := range descriptors {
		number, err := strconv.Atoi(filepath.Base(file))
		if err != nil {
			return err
		}
		one.files[number] = file
	}
	one.make = func() *exec.Cmd {
		c := s.command(e, "small", append([]string{e.path}, words...)...)
		c.Env = environment
		return c
	}
	return nil
}

// readList reads texts that each end with a NUL.
func readList(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), nil
}
