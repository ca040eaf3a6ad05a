package main

import (
	"errors"
	"fmt"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// generateAll makes every launcher of a manifest, and writes them only if all
// could be made.
func (a app) generateAll(c generateCmd) error {
	m, err := a.readManifest(c.All)
	if err != nil {
		return err
	}
	all, err := a.makeAll(m, c)
	if err != nil {
		return err
	}
	if c.Check {
		return a.compareAll(all)
	}
	for _, l := range all {
		if err := l.save(); err != nil {
			return err
		}
		a.reportNotes(l.notes)
	}
	return nil
}

func (a app) makeAll(m manifest, c generateCmd) ([]launcher, error) {
	var (
		all  []launcher
		errs []error
		seen = map[string]bool{}
	)
	for i, e := range m.entries {
		done := a.progress("making %d of %d: %s", i+1, len(m.entries), e.output)
		l, err := a.make(m, e, c)
		done()
		if err == nil && l.path != "" && seen[l.path] {
			err = cannot("give each launcher its own", "another launcher has this output: %q", l.name)
		}
		seen[l.path] = true
		all, errs = append(all, l), append(errs, m.located(i, err))
	}
	return all, a.reportAll(errs)
}

// located says where the launcher stands that an error is about. What is wrong in a
// file that the launcher is made of has its own place.
func (m manifest) located(i int, err error) error {
	var (
		own   failure
		wrong problem.List
	)
	where := "launcher" + source.Index(i)
	at := func(what, hint string) problem.Problem {
		return problem.New(what, hint).At(m.file, m.source.Line(where), where)
	}
	switch {
	case errors.As(err, &own):
		own.what = at(own.what, "").Error()
		return own
	case errors.As(err, &wrong) && len(wrong) == 1 && wrong[0].Line == 0:
		return at(wrong[0].Error(), wrong[0].Hint)
	}
	return err
}

// make makes one launcher of a manifest.
func (a app) make(m manifest, e entry, c generateCmd) (launcher, error) {
	at := placeFor(a.home, e.output, []string{m.file})
	r := request{
		profile: e.profile, name: e.name,
		subject: subject{Host: e.host, Project: e.project},
		source:  "bwrapgen generate --all " + at.show(m.file),
		beside:  a.filesBeside(m, e),
	}
	l, err := a.launcher(r, e.output, c.Check)
	if err != nil {
		return l, err
	}
	if err := l.refuseInput([]string{a.expand(m.file)}); err != nil || c.Check {
		return l, err
	}
	return l, l.refuse(c.Force)
}

// filesBeside are the files of a manifest that a launcher's command could change others
// by: the manifest, the other launchers, and what these are made of. What is wrong with
// one of the profiles is said when its launcher is made.
func (a app) filesBeside(m manifest, e entry) []string {
	files := []string{m.file}
	for _, other := range m.entries {
		if other.output != e.output {
			files = append(files, other.output)
		}
		files = append(files, other.host...)
		p, sources, err := a.profile(other.profile)
		if err == nil {
			files = append(files, sources...)
			for _, tool := range p.Toolchains.Files {
				files = append(files, tool.Text)
			}
		}
	}
	return files
}

func (a app) compareAll(all []launcher) error {
	var errs []error
	for _, l := range all {
		text, drift := l.drift()
		if err := a.difference(text); err != nil {
			return err
		}
		errs = append(errs, drift)
	}
	return a.reportAll(errs)
}

// reportAll reports all errors, and gives one that sums them up. It has the
// status of the worst: what could not be done is worse than drift.
func (a app) reportAll(errs []error) error {
	wrong, status := 0, statusDrift
	for _, err := range errs {
		if err == nil {
			continue
		}
		wrong++
		a.report(err)
		var f failure
		if !errors.As(err, &f) || f.status != statusDrift {
			status = statusFailed
		}
	}
	if wrong == 0 {
		return nil
	}
	what := "could not be made, so none was written"
	if status == statusDrift {
		what = "differ from what their profiles say"
	}
	return failure{status, fmt.Sprintf("%d of %d launchers %s", wrong, len(errs), what), ""}
}
