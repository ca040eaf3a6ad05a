package main

import (
	"errors"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
	"bwrapgen/gen/verify"
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
		var errs []error
		for _, l := range all {
			errs = append(errs, a.compare(l))
		}
		return a.summed(errs)
	}
	var written []verify.Sandbox
	for _, l := range all {
		if err := a.save(l); err != nil {
			return err
		}
		l.File = absolute(l.Output)
		written = append(written, l.Sandbox)
	}
	if c.Test {
		return a.test(written, testCmd{})
	}
	return nil
}

func (a app) makeAll(m manifest, c generateCmd) ([]launcher, error) {
	var (
		all  []launcher
		errs []error
		seen = map[string]bool{}
	)
	for i, r := range m.launchers {
		done := a.progress("making %d of %d: %s", i+1, len(m.launchers), r.Output)
		l, err := a.launcher(r, c)
		done()
		if err == nil && l.path != "" && seen[l.path] {
			err = cannot("give each launcher its own", "another launcher has this output: %q", r.Output)
		}
		seen[l.path] = true
		all, errs = append(all, l), append(errs, m.located(i, err))
	}
	return all, a.summed(errs)
}

// located says where the launcher stands that an error is about. What is wrong in a
// file that the launcher is made of has its own place.
func (m manifest) located(i int, err error) error {
	var (
		own   failure
		wrong problem.List
	)
	where := "launcher" + source.Index(i)
	switch {
	case errors.As(err, &own):
		own.Problem = own.At(m.file, m.source.Line(where), where)
		return own
	case errors.As(err, &wrong) && len(wrong) == 1 && wrong[0].Line == 0:
		return problem.New(wrong[0].Error(), wrong[0].Hint).At(m.file, m.source.Line(where), where)
	}
	return err
}

// summed reports all errors, and gives one that sums them up.
func (a app) summed(errs []error) error {
	wrong, status := a.reportAll(errs)
	if wrong == 0 {
		return nil
	}
	what := "could not be made, so none was written"
	if status == statusDrift {
		what = "differ from what their profiles say"
	}
	return failing(status, "", "%d of %d launchers "+what, []any{wrong, len(errs)})
}
