package golden_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// result is what a launcher did when it was interpreted.
type result struct {
	before         [][]string // programs that it ran before bwrap
	call           []string   // env -i, variables, bwrap and its arguments
	stdout, stderr string
	status         int
}

// interpret runs a launcher of that name on a machine.
func interpret(t testing.TB, script []byte, name string, m *machine, args ...string) result {
	t.Helper()
	file, err := syntax.NewParser().Parse(bytes.NewReader(script), filepath.Join(m.facts.Home, "bin", name))
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
	return result{m.before, m.call, out.String(), diagnostics.String(), int(status)}
}
