package main

import (
	"fmt"
	"io/fs"
	"strings"

	"bwrapgen/profiles"
)

// How often something is started that takes long, or very long.
const (
	few  = 11
	rare = 3
)

// files compares projects of different sizes.
func (s scene) files(e engine, rounds int) section {
	part := section{title: sectionTitles[2]}
	var h heat
	small := h.add(s.launch(e, "10 files", "default", "small"))
	big := h.add(s.launch(e, fmt.Sprintf("%d files", s.count), "default", "big"))
	interleave(h, rounds)
	part.add(small.name, small.value(), "")
	part.beside(big, small, "%.2f times that")
	return part
}

// beside adds a row that says how many times another one it takes.
func (p *section) beside(one, other *start, format string) {
	if failed := firstError(one, other); failed != nil {
		p.add(one.name, one.value(), "%s", failed.why())
		return
	}
	p.add(one.name, one.value(), format, one.against(other, quotient))
}

// mounts starts launchers with more and more mounts.
func (s scene) mounts(newest, oldest engine) section {
	part := section{title: sectionTitles[3]}
	for _, e := range distinct(newest, oldest) {
		for _, n := range []int{10, 100, 1000} {
			text := fmt.Sprintf("extends = [\"look\"]\n[filesystem]\nread = [%s]\n", s.directories(n))
			rounds := few
			if n == 1000 {
				rounds = rare // old ones need seconds
			}
			part.pair(s, e, rounds, fmt.Sprintf("%d mounts, bwrap %s", n, e.version), s.profile(fmt.Sprintf("mounts-%d", n), text))
		}
	}
	return part
}

// profiles starts every built-in profile, and shows the slowest of each bwrap;
// one that needs what the scene lacks is named.
func (s scene) profiles(newest, oldest engine) section {
	part := section{title: sectionTitles[4]}
	for _, e := range distinct(newest, oldest) {
		var h heat
		least := h.add(s.program(e, "bwrap "+e.version+", --dev-bind / / and nothing else", "small", e.path, "--dev-bind", "/", "/", "true"))
		for _, name := range builtin() {
			text := fmt.Sprintf("extends = [%q]\ncommand = []\n", name)
			h.add(s.launch(e, name, s.profile("builtin-"+name, text), "small"))
		}
		interleave(h, few)
		part.add(least.name, least.value(), "")
		part.slowest(h[1:], least, "slowest built-in profile, bwrap "+e.version)
	}
	return part
}

// slowest adds the one that takes longest, beside another thing.
func (p *section) slowest(all []*start, other *start, name string) {
	one, failed := all[0], ""
	for _, s := range all {
		if s.err != nil {
			failed += "; " + s.name + " does not run here"
		} else if s.median() > one.median() {
			one = s
		}
	}
	p.add(name, one.value(), "%s; %.1f times that%s", one.name, one.against(other, quotient), failed)
}

// builtin names the built-in profiles.
func builtin() []string {
	files, err := fs.Glob(profiles.FS, "*.toml")
	if err != nil {
		return nil // the pattern is no pattern
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".toml")
	}
	return files
}

// kinds are the ways in which the writes to a cache can go.
var kinds = []struct{ name, mode, store string }{
	{"in memory", "ephemeral", "memory"}, {"on disk", "ephemeral", "disk"}, {"on disk, kept", "keep", "disk"},
}

// overlays starts launchers with more and more caches that are overlays.
func (s scene) overlays(newest, oldest engine) section {
	part := section{title: sectionTitles[5]}
	native := map[string]float64{}
	for _, e := range distinct(newest, oldest) {
		for _, k := range kinds {
			for _, n := range []int{1, 10, 40} {
				text := fmt.Sprintf("extends = [\"look\"]\n[toolchains]\nuse = [%q]\n[caches]\nmode = %q\nstore = %q\n", s.cached(n), k.mode, k.store)
				name := fmt.Sprintf("%d %s", n, k.name)
				took := part.pair(s, e, few, name+", bwrap "+e.version, s.profile(fmt.Sprintf("overlays-%s-%s-%d", k.mode, k.store, n), text))
				if last := &part.rows[len(part.rows)-1]; native[name] > 0 && took > 0 {
					last.note += fmt.Sprintf("; %.2f times that of bwrap %s", took/native[name], newest.version)
				}
				native[name] = took
			}
		}
	}
	return part
}

// cached makes a tool that has the first n of the scene's directories for
// caches, and gives its name. A tool that could not be written is missed by
// generate, which says so.
func (s scene) cached(n int) string {
	name := fmt.Sprintf("many-%d", n)
	if s.folder("home/.config/bwrapgen/tools") == nil {
		_ = s.file("home/.config/bwrapgen/tools/"+name+".toml", fmt.Sprintf("about = \"A tool with caches.\"\nmarkers = [\"many\"]\ncaches = [%s]\n", s.directories(n)))
	}
	return name
}

// pair adds a launcher beside its bwrap alone, and gives the launcher's median.
func (p *section) pair(s scene, e engine, rounds int, name, profile string) float64 {
	var h heat
	raw, launcher := h.both(s, e, name, profile)
	least := h.add(s.least(raw))
	interleave(h, rounds)
	launcher.name = name
	if failed := firstError(raw, launcher, least); failed != nil {
		p.add(name, launcher.value(), "%s", failed.why())
	} else {
		p.add(name, launcher.value(), "%s", between(launcher, least, raw))
	}
	return launcher.median()
}

// directories lists the first n of the scene's directories, for a profile.
func (s scene) directories(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("\"~/many/%d\"", i))
	}
	return strings.Join(all, ", ")
}

func distinct(newest, oldest engine) []engine {
	if newest == oldest {
		return []engine{newest}
	}
	return []engine{newest, oldest}
}
