package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// recording is what a printed command gives to bwrap: its words, its
// environment, and files with what can be read from its descriptors.
type recording struct {
	words, environment []string
	descriptors        map[int]string
}

// recorder stands in for env(1): it notes the words and the descriptors.
const recorder = `
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
env() {
  printf '%s\0' "$@" >"$directory/words"
  for number in {3..40}; do # behind these bash has its own
    if [[ /proc/self/fd/$number -ef /dev/null ]]; then
      ln -s /dev/null "$directory/$number"
    elif [[ -e /proc/self/fd/$number ]]; then
      cat <&"$number" >"$directory/$number"
    fi
  done
}
`

// replay reads a printed command as bash reads it, with env replaced.
func replay(printed, dir string) (recording, error) {
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte(recorder+printed), 0o600); err != nil {
		return recording{}, err
	}
	c := exec.Command("bash", script)
	c.Env = append(os.Environ(), "directory="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		return recording{}, fmt.Errorf("bash cannot read what --sandbox-print printed: %v: %s", err, out)
	}
	words, err := os.ReadFile(filepath.Join(dir, "words"))
	if err != nil {
		return recording{}, fmt.Errorf("--sandbox-print printed no call of env: %v", err)
	}
	r := split(strings.Split(strings.TrimSuffix(string(words), "\x00"), "\x00"))
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	for _, file := range files {
		number, _ := strconv.Atoi(filepath.Base(file))
		r.descriptors[number] = file
	}
	return r, err
}

// split takes the words of env(1) apart: "-i", variables, and a command.
func split(words []string) recording {
	r := recording{descriptors: map[int]string{}}
	for i, word := range words {
		switch {
		case word == "-i":
		case strings.Contains(word, "="):
			r.environment = append(r.environment, word)
		default:
			r.words = words[i:]
			return r
		}
	}
	return r
}
