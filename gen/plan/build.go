package plan

import (
	"cmp"
	"slices"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// Options are what the caller of the generator decides.
type Options struct {
	Name   string // of the launcher; empty: the profile's
	Source string // the command that writes the launcher again

	// Inputs are the files that the launcher is made of, and others of its manifest,
	// where they lie in a project: who could change them could change the next launcher.
	Inputs []expr.Path

	// Session is where variables of SessionVariables lead to on this host, without
	// links; empty if the launcher is for another one.
	Session map[string]string
}

// Build decides what the launcher for a profile contains on hosts with these
// facts. The error is problem.List: entries that no sandbox should have.
func Build(p profile.Profile, c catalogue.Catalogue, f host.Facts, o Options) (Plan, error) {
	b := builder{profile: p, catalogue: c, facts: f, inputs: o.Inputs, session: o.Session, judged: map[string]bool{}}
	b.plan = Plan{
		Name: cmp.Or(o.Name, p.Name), About: p.About, Source: o.Source, Command: p.Command,
		Base: p.Filesystem.Base, Arches: f.Architectures(),
		Network: p.Network.Mode, Terminal: p.Terminal.Mode, Kernel: p.Kernel, Home: p.Home.Mode, Tmp: p.Tmp.Mode,
		Limits: p.Limits, Confirm: p.Confirm,
		Project: Project{Root: p.Project.Root, Access: p.Project.Access},
	}
	b.network()
	b.judging = b.assumed()
	b.sensitive, b.known = c.Sensitive(b.judging, b.real), c.Hidden()
	b.repositories()
	b.entries()
	b.tools()
	b.overlays()
	b.late()
	b.linked()
	b.project()
	b.startups()
	b.secrets()
	b.collapse()
	b.reveal()
	b.led()
	b.pin()
	b.environment()
	b.sockets()
	b.watched()
	b.relocations()
	b.hidden()
	b.movable()
	b.refusals()
	b.stowed()
	b.places()
	b.credentials()
	b.noteGit()
	if len(b.problems) > 0 {
		slices.SortStableFunc(b.problems, byLine)
		return Plan{}, b.problems
	}
	return b.plan, nil
}

// builder is one run of Build.
type builder struct {
	profile     profile.Profile
	catalogue   catalogue.Catalogue
	judging     expr.Env            // this host's, with a place for what is unset
	sensitive   catalogue.Sensitive // by that
	known       []catalogue.Secret  // what is to be hidden on any: secrets and sockets
	homeSecrets []expr.Path         // credentials
	judged      map[string]bool     // places, by whether they are secret
	facts       host.Facts
	plan        Plan
	used        []catalogue.Tool
	inputs      []expr.Path // files that the launcher is made of
	session     map[string]string
	problems    problem.List
}
