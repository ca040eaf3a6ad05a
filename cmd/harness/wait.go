package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Patience is how long tests wait for what has to come. The machine may be
// busy, and nothing is said about how fast it is: what must not come has to
// take longer than this.
const Patience = time.Minute

// Eventually waits for something to hold.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("waited in vain: %s", what)
			return
		}
	}
}

// Running are the processes of the host whose arguments hold a word.
func Running(t *testing.T, word string) []string {
	t.Helper()
	return processes(t, func(arguments []byte) bool { return bytes.Contains(arguments, []byte(word)) })
}

// Complete waits until the sandbox whose processes have this word among their
// arguments is complete: its first process has its filter. README says what a
// kill before that can do; a test that kills a launcher waits past it.
func Complete(t *testing.T, word string) {
	t.Helper()
	first := regexp.MustCompile(`(?s)\nNSpid:[\t0-9]*\t1\n.*\nSeccomp:\t2\n`)
	Eventually(t, "the sandbox is complete", func() bool {
		return slices.ContainsFunc(Running(t, word), func(pid string) bool {
			status, _ := os.ReadFile("/proc/" + pid + "/status")
			return first.Match(status)
		})
	})
}

// Stopped says whether a command with just these words is there, and stopped.
func Stopped(t *testing.T, words ...string) bool {
	t.Helper()
	line := []byte(strings.Join(words, "\x00") + "\x00")
	for _, pid := range processes(t, func(arguments []byte) bool { return bytes.Equal(arguments, line) }) {
		status, _ := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		return bytes.Contains(status, []byte(") T "))
	}
	return false
}

func processes(t *testing.T, fit func(arguments []byte) bool) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && fit(data) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}
