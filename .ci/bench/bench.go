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

// page measures all parts.
func (b bench) page() (page, error) {
	s, newest, oldest := b.scenes[len(b.scenes)-1], b.engines[len(b.engines)-1], b.engines[0]
	var p page
	add := func(part section) error {
		p = append(p, part)
		return part.print(os.Stdout)
	}
	fmt.Printf("\nAs %s, with bwrap %s.\n", s.user.name, newest.version)
	for _, part := range []func() section{
		func() section { return s.starts(newest, b.rounds, b.others(s, newest)) },
		func() section { return s.added(newest, b.rounds) },
		func() section { return s.files(newest, b.rounds) },
		func() section { return s.mounts(newest, oldest) },
		func() section { return s.profiles(newest, oldest) },
		func() section { return s.overlays(newest, oldest) },
		func() section { return s.work(newest, b.writes, b.scenes[0]) },
		func() section { return s.rest(newest, b.rounds) },
	} {
		if err := add(part()); err != nil {
			return nil, err
		}
	}
	if !b.everyone {
		return p, nil
	}
	for _, s := range b.scenes {
		for _, e := range b.engines {
			fmt.Printf("\nAs %s, with bwrap %s.\n", s.user.name, e.version)
			if err := s.starts(e, b.rounds, []*start{b.firejail(s, e)}).print(os.Stdout); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}
