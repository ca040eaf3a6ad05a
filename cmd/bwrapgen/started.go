package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/verify"
)

// started makes the launcher of a profile, or reads one and the profile that its header
// names.
func (a app) started(name string, s subject) (verify.Sandbox, error) {
	r := request{wanted: wanted{Profile: name, subject: s}, apart: true}
	script, isScript := a.script(name)
	if isScript {
		var err error
		if r, err = a.madeBy(a.expand(name), script); err != nil {
			return verify.Sandbox{}, err
		}
	}
	built, err := a.sandbox(r)
	if err != nil {
		return verify.Sandbox{}, err
	}
	if isScript {
		built.Name, built.File, built.Script = filepath.Base(name), absolute(a.expand(name)), script
		return built.Sandbox, nil
	}
	built.Script, err = finished(built.Plan)
	return built.Sandbox, err
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
		w.Output = file
		return request{wanted: w, source: command}, nil
	}
	all := there(c.Generate.All)
	m, err := a.readManifest(all)
	if err != nil {
		return request{}, err
	}
	for _, r := range m.launchers {
		if absolute(r.Output) == absolute(file) {
			r.source = command
			return r, nil
		}
	}
	return request{}, cannot("name its profile", "the manifest %q does not list %q", all, file)
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
