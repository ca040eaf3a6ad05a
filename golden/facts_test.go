package golden_test

import (
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// evaluate gives the place of a path of host.json on that machine.
func evaluate(f host.Facts, text string) (string, bool) {
	p, err := expr.Parse(text)
	if err != nil {
		return "", false
	}
	return p.Eval(f.Environment(f.Home + "/code"))
}
