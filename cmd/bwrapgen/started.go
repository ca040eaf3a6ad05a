package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen"
	"bwrapgen/gen/bash"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/verify"
)

// named is what a word of the command line names: a profile, or a launcher with the profile that it
// was made from. Its Script is the launcher's; of a profile, it is made when it is to be started.
type named struct {
	sandbox
	isLauncher bool
	made       request // the options of a launcher, without the files it was made from
	drift      drift   // how a launcher differs from the one that would be made now
}

// isStale reports whether a launcher is another than would be made now.
func (n named) isStale() bool { return n.isLauncher && !n.drift.Same() }

// named finds what a word of the command line names, by one rule for all verbs: a name with a slash or
// ending in .toml is a file; any other is a profile, if there is one of that name, or else a launcher
// in the working directory. No launcher comes of what stands apart, so it protects none of its files.
func (a app) named(name string, s subject, apart bool) (named, error) {
	r := request{wanted: wanted{Profile: name, subject: s}, apart: apart}
	script, isLauncher := a.launcherNamed(name)
	a.noteNamesake(name)
	if !isLauncher {
		built, err := a.sandbox(r)
		return named{sandbox: built}, err
	}
	if len(s.Host) > 0 || s.Project != "" {
		return named{}, misuse("leave it out, or name its profile", "%q is a launcher, whose second line says what it was made from: --host and --project have no use", name)
	}
	r, err := a.madeBy(a.expand(name), script)
	if err != nil {
		return named{}, err
	}
	built, now, err := a.remade(r, a.expand(name), script)
	r.apart = true
	built.Name, built.File, built.Script = filepath.Base(name), absolute(a.expand(name)), script
	return named{built, true, r, drift{gen.Compare(script, now)}}, err
}

// remade is a launcher as it would be made now. One that was moved or copied is made for the place that
// its second line names, if that makes the same of it: a launcher names its neighbours by their place.
func (a app) remade(r request, file string, script []byte) (sandbox, []byte, error) {
	make := func(output string) (sandbox, []byte, error) {
		r.Output = output
		built, err := a.sandbox(r)
		if err != nil {
			return sandbox{}, nil, err
		}
		now, err := finished(built)
		return built, now, err
	}
	built, now, err := make(r.Output)
	isSame := func(now []byte) bool { return gen.Fingerprint(now) == gen.Fingerprint(script) }
	if err != nil || r.manifest != "" || filepath.IsAbs(a.expand(r.said)) || isSame(now) {
		return built, now, err
	}
	const most = 4
	dirs := bases(file)
	for _, dir := range dirs[:min(len(dirs), most)] {
		other, text, err := make(filepath.Join(dir, r.said))
		if err == nil && isSame(text) {
			return other, text, nil
		}
	}
	return built, now, nil
}

// launcherNamed is the text of a launcher, if a word of the command line names one.
func (a app) launcherNamed(name string) ([]byte, bool) {
	if !profile.IsFile(name) && a.isProfile(name) {
		return nil, false
	}
	return a.script(name)
}

// isProfile reports whether a bare name is that of a profile, built-in or one's own.
func (a app) isProfile(name string) bool {
	return profile.IsFile(a.profileFile(name)) || slices.Contains(a.loader().Names(), name)
}

// noteNamesake says which is meant where a profile and a launcher have one name.
func (a app) noteNamesake(name string) {
	if _, isScript := a.script(name); isScript && !profile.IsFile(name) && a.isProfile(name) {
		a.line("", "", fmt.Sprintf("%q is a profile here; the launcher of that name is ./%s", name, name))
	}
}

// started is what is named, with a launcher to start on this host.
func (a app) started(name string, s subject) (named, error) {
	n, err := a.named(name, s, true)
	if err == nil && !n.isLauncher {
		n.Script, err = finished(n.sandbox)
	}
	n.Env.Home, n.Env.Lookup = a.home, variables()
	return n, err
}

// variables are the caller's.
func variables() map[string]string {
	all := map[string]string{}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		all[name] = value
	}
	return all
}

// aside writes a launcher into a temporary directory of its own, to be started there. The
// caller removes that.
func aside(name string, script []byte) (file string, err error) {
	dir, err := verify.Temporary()
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, script, 0o700); err != nil {
		_ = os.RemoveAll(dir)
		return "", failed(err, "cannot write the launcher aside")
	}
	return file, nil
}

// script reads what begins as a script does.
func (a app) script(name string) ([]byte, bool) {
	if info, err := os.Stat(a.expand(name)); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := a.readFile(name)
	return data, err == nil && bytes.HasPrefix(data, []byte("#!"))
}

// madeBy is what a launcher was made from, as its second line says.
func (a app) madeBy(file string, script []byte) (request, error) {
	lines := strings.SplitN(string(script), "\n", 3)
	_, command, ok := strings.Cut(lines[min(1, len(lines)-1)], "DO NOT EDIT. Instead: ")
	if !ok || checksum.Verify(script) == checksum.Foreign {
		return request{}, cannot("name a launcher that bwrapgen has made, or a profile", "%q was not written by bwrapgen", file)
	}
	words, err := bash.Words(command, a.home)
	if err != nil || len(words) < 2 {
		return request{}, cannot("make the launcher again, or name its profile", "%q does not say how it was made", file)
	}
	var c commands
	parser, err := parserOf(&c, a)
	if err != nil {
		return request{}, err
	}
	if _, err := parser.Parse(words[1:]); err != nil {
		return request{}, cannot("make the launcher again, or name its profile", "%q says that it was made by %q, which this bwrapgen does not know", file, command)
	}
	there := func(name string) string { return a.there(name, bases(file)) }
	if c.Generate.All == "" {
		w := c.Generate.moved(there)
		if w.Output != "" {
			w.Name = cmp.Or(w.Name, filepath.Base(w.Output)) // the file may have another name by now
			w.Output = file
		}
		r := request{wanted: w, source: command, said: c.Generate.Output}
		return r.inTree(filepath.Dir(file)), nil
	}
	all := there(c.Generate.All)
	m, err := a.readManifest(all)
	if err != nil {
		return request{}, err
	}
	for _, r := range m.launchers {
		if absolute(r.Output) == absolute(file) {
			r.source = command
			return r.inTree(filepath.Dir(all)), nil
		}
	}
	return request{}, cannot("name its profile", "the manifest %q does not list %q", all, file)
}

// inTree is the request of a launcher that was made in the work tree around a directory, if there is
// one: tools are looked for there, wherever somebody asks about the launcher.
func (r request) inTree(dir string) request {
	if tree, ok := workTree(absolute(dir)); ok && r.Project == "" && r.looks() {
		r.Project = tree
	}
	return r
}

// bases are the directories that the paths in a launcher's header may be relative to: the
// work tree around it, or else where somebody was who made it.
func bases(file string) []string {
	dir := filepath.Dir(absolute(file))
	all := upward(dir)
	if root, ok := workTree(dir); ok {
		return append([]string{root}, all...)
	}
	return all
}

// there is a path of a launcher's header: a relative one is below the first of the
// directories where it leads to something.
func (a app) there(name string, dirs []string) string {
	if filepath.IsAbs(a.expand(name)) {
		return name
	}
	for _, dir := range dirs {
		at := filepath.Join(dir, name)
		if _, err := os.Stat(at); err == nil {
			return at
		}
	}
	return name
}
