package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bwrapgen/cmd/matrixtest"
)

// launcher is one of them on the machine.
type launcher struct {
	machine
	expectation
	name, file string
	result     matrixtest.Result
}

// ending is how a launcher ended.
type ending struct {
	status         int // 128+n for signal n
	stdout, stderr string
}

const (
	deadline = time.Minute     // for one launch
	patience = 5 * time.Second // for what a launcher does besides its command
)

// run starts the launcher in the project.
func (l *launcher) run(words ...string) ending { return l.start(nil, words...) }

// start starts it as the leader of a process group, as a shell would, and calls
// ready, if there is one, as soon as the command has printed something.
func (l *launcher) start(ready func(pid int), words ...string) ending {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	var stdout, stderr bytes.Buffer
	words = slices.Concat(l.starter, []string{l.file}, words)
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Env, c.Stderr, c.WaitDelay = l.project, l.environment, &stderr, time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return ending{status: -1, stderr: err.Error()}
	}
	if ready != nil {
		first := make([]byte, 1)
		_, _ = pipe.Read(first)
		ready(c.Process.Pid)
	}
	_, _ = io.Copy(&stdout, pipe)
	err = c.Wait()
	if ctx.Err() != nil {
		why := fmt.Sprintf("it does not end: %s%s%s", stdout.String(), stderr.String(), waiting())
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		return ending{status: -1, stderr: why}
	}
	return ending{status(err), stdout.String(), stderr.String()}
}

// complete waits until the first process of the sandbox that a launcher has made
// waits for the command, which can run a moment earlier: from then on the sandbox
// ends with the launcher. One that makes no sandbox is not waited for long.
func complete(launcher int) {
	for end := time.Now().Add(patience); !waits(launcher) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

var firstWaits = regexp.MustCompile(`(?s)\nState:\tS.*\nNSpid:[\t0-9]*\t1\n`)

// waits says whether a process, or one below it, is the first of a namespace, and
// sleeps.
func waits(pid int) bool {
	at := fmt.Sprintf("/proc/%d/", pid)
	if status, _ := os.ReadFile(at + "status"); firstWaits.Match(status) {
		return true
	}
	children, _ := os.ReadFile(fmt.Sprintf("%stask/%d/children", at, pid))
	return slices.ContainsFunc(strings.Fields(string(children)), func(child string) bool {
		number, _ := strconv.Atoi(child)
		return waits(number)
	})
}

// status is what a shell would call the exit status.
func status(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		return -1
	case exit.ExitCode() >= 0:
		return exit.ExitCode()
	}
	return 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
}

// wrong notes what is wrong.
func (l *launcher) wrong(check, problem string) {
	if l.result.Problems == nil {
		l.result.Problems = map[string]string{}
	}
	if _, ok := l.result.Problems[check]; !ok {
		l.result.Problems[check] = problem
	}
}

// refusal takes the launcher's two sentences apart: what is wrong, and a hint.
// They are the last it says; bwrap's own words may stand before them.
func (l *launcher) refusal(e ending) (words string, ok bool) {
	lines := strings.Split(strings.TrimSpace(e.stderr), "\n")
	if e.status != 125 || len(lines) < 2 {
		return "", false
	}
	words, said := strings.CutPrefix(lines[len(lines)-2], l.name+": ")
	return words, said && strings.HasPrefix(lines[len(lines)-1], l.name+": hint: ")
}

// judge runs all checks.
func (l *launcher) judge() matrixtest.Result {
	before := l.traces()
	if e := l.run("touch", "inside"); e.status == 125 {
		l.refuses(e)
	} else {
		_ = os.Remove(l.project + "/inside")
		l.works()
	}
	if err := l.reset(); err != nil {
		l.wrong("reset", err.Error())
	}
	l.compare(before)
	return l.result
}

// refuses looks at a launcher that does not run: it must say why, and must not
// have run the command.
func (l *launcher) refuses(e ending) {
	words, ok := l.refusal(e)
	if !ok {
		l.wrong("refusal", "status 125 without its two sentences: "+e.stderr)
		return
	}
	l.result.Refusal = words
	if _, err := os.Lstat(l.project + "/inside"); err == nil || e.stdout != "" {
		l.wrong("refusal", "the command has run")
	}
	if e := l.run("--sandbox-help"); e.status != 0 || e.stdout == "" {
		l.wrong("--sandbox-help", e.stderr)
	}
	if e := l.run("--sandbox-doctor"); e.status == 0 {
		l.wrong("--sandbox-doctor", "it says that all is well: "+e.stdout)
	}
}
