package main

import (
	"bwrapgen/gen"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/seccomp"
)

// seccompTable lists what the filter of a launcher refuses.
func (u ui) seccompTable(p plan.Plan) ([]byte, error) {
	level, err := seccomp.ParseLevel(p.Kernel.Seccomp.String())
	if err != nil {
		return nil, err
	}
	rules := seccomp.Rules(level, gen.FilterOptions(p))
	if len(rules) == 0 {
		return []byte("No system call is refused.\n"), nil
	}
	rows := [][]string{{"CALL AND ERROR", "WHEN: BECAUSE IT"}}
	for _, r := range rules {
		when := r.When
		if when == "" {
			when = "always"
		}
		rows = append(rows, []string{r.Syscall + " " + r.Errno, when + ": " + r.Why})
	}
	return u.list(rows), nil
}
