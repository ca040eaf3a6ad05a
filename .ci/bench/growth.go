package main

import "fmt"

// How often something is started that takes long, or very long.
const (
	few  = 11
	rare = 3
)

// files compares projects of different sizes, by what was measured.
func (m measured) files(count int) section {
	part := section{title: "Files in the project"}
	small, big := m.byDefault().launcher, m.byDefault().big
	part.add("10 files", small.value(), "%s", orWhy(small, ""))
	part.than(fmt.Sprintf("%d files", count), big, small)
	return part
}

// than adds a row that says how many times another start one takes.
func (p *section) than(name string, one, other *start) {
	note := fmt.Sprintf("%.2f times that", one.against(other, quotient))
	if failed := firstError(one, other); failed != nil {
		note = failed.why()
	}
	p.add(name, one.value(), "%s", note)
}

// mounts starts launchers with more and more mounts.
func (s scene) mounts(engines []engine) section {
	part := section{title: "Mounts"}
	for _, e := range engines {
		for _, n := range []int{10, 100} {
			text := fmt.Sprintf("extends = [\"look\"]\n[filesystem]\nread = [%s]\n", s.directories(n))
			name := fmt.Sprintf("%d mounts, bwrap %s", n, e.version)
			b := s.beside(e, name, s.profile(fmt.Sprintf("mounts-%d", n), text))
			interleave([]*start{b.launcher, b.raw, b.least}, few)
			part.add(name, b.launcher.value(), "%s", b.compared())
		}
	}
	return part
}
