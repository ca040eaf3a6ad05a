package main

import (
	"fmt"
	"os"
)

// bench is all that there is to measure with.
type bench struct {
	options
	base    string
	engines []engine // oldest first
	scenes  []scene  // the ordinary user's last
}

// page measures and prints all parts, and gives what the README.md beside it shows.
func (b bench) page() (page, error) {
	s, engines := b.scenes[len(b.scenes)-1], newAndOld(b.engines)
	newest := engines[0]
	fmt.Printf("\nAs %s, with bwrap %s.\n", s.user.name, newest.version)
	others := b.others(s, newest)
	first := s.launchers(newest, b.rounds, others)
	parts := []func() section{
		func() section { return first.section(others) },
		func() section { return first.files(s.count) },
	}
	if !b.brief {
		parts = append(parts,
			func() section { return s.mounts(engines) },
			func() section { return s.work(newest, b.writes, b.scenes[0]) },
			func() section { return s.rest(newest, first.byDefault().launcher, b.rounds) },
		)
	}
	var p page
	for _, part := range parts {
		made := part()
		p = append(p, made)
		if err := made.print(os.Stdout); err != nil {
			return nil, err
		}
	}
	all := []measured{first}
	for _, e := range engines[1:] {
		all = append(all, s.launchers(e, b.rounds, nil))
	}
	for _, m := range all {
		s.inspect(m)
	}
	if err := printBudgets(os.Stdout, all); err != nil {
		return nil, err
	}
	return p, b.asEveryone()
}

// asEveryone prints the starts as every user, with every bwrap, where that is
// asked for.
func (b bench) asEveryone() error {
	if !b.everyone {
		return nil
	}
	for _, s := range b.scenes {
		for _, e := range b.engines {
			fmt.Printf("\nAs %s, with bwrap %s.\n", s.user.name, e.version)
			if err := s.launchers(e, b.rounds, nil).section(nil).print(os.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}
