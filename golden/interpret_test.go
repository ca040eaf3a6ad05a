package golden_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// result is what a launcher did when it was interpreted.
type result struct {
	ran            [][]string // programs, in order; env is the call of bwrap
	stdout, stderr string
	status         int
}

// interpret runs a launcher, started by that path, on a machine.
func interpret(t testing.TB, script []byte, path string, m *machine, args ...string) result {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), path)
	if err != nil {
		t.Fatal(err)
	}
	m.replace(file)
	var out, diagnostics bytes.Buffer
	runner, err := interp.New(append(m.options(),
		interp.Params(append([]string{"--"}, args...)...),
		interp.StdIO(nil, &out, &diagnostics),
	)...)
	if err != nil {
		t.Fatal(err)
	}
	runner.Dir = m.cwd
	err = runner.Run(context.Background(), file)
	var status interp.ExitStatus
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return result{m.ran, out.String(), diagnostics.String(), int(status)}
}

// call is env -i, the variables, bwrap and its arguments.
func (r result) call() []string {
	for _, words := range r.ran {
		if words[0] == "env" {
			return words
		}
	}
	return nil
}
