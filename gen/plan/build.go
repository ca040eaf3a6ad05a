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

	Inputs Inputs // files that the launcher protects, since launchers are made from them

	// Session is where variables of SessionVariables lead to on this host, without
	// links; empty if the launcher is for another one.
	Session map[string]string
}

// Build decides what the launcher for a profile contains on hosts with these
// facts. The error is problem.List: entries that no sandbox should have.
//
// Each phase takes what it needs of the phases before it, and gives its own part.
func Build(p profile.Profile, c catalogue.Catalogue, f host.Facts, o Options) (Plan, error) {
	b := newBuilder(p, c, f, o)
	used := tools(b.profile, c, f)

	entries := b.entries()
	shown := belowView(slices.Concat(entries, b.ofTools(used, entries)))
	masks := b.masks(shown)
	credentials := b.credentials()
	all := slices.Concat(pin(shown, masks), b.protected(), masks, credentials)
	environ, sockets := b.sockets(b.environment(used, all))
	b.refusals(all, sockets)

	built := b.plan
	built.System = systemOf(entries, f)
	built.Mounts = slices.Concat(all, b.symlinked())
	slices.SortStableFunc(built.Mounts, byMount)
	built.Inputs = b.inputs.elsewhere()
	built.Environ, built.Sockets = environ, sockets
	built.Project.Watched = b.watched()
	built.Project.Unknown = b.unknownMarkers(used)
	built.Revealed = b.reveal(shown, masks)
	built.Relocations = relocations(built.Mounts)
	built.Open = b.open(used, slices.Concat(shown, credentials))
	built.Places = b.places()
	built.notes = b.notesOnGit(built.Mounts)
	if len(b.problems) > 0 {
		slices.SortStableFunc(b.problems, byLine)
		return Plan{}, b.problems
	}
	return built, nil
}

// builder is what all phases of Build know. None changes it, but for the problems that it
// finds.
type builder struct {
	plan      Plan // what the profile says of the sandbox as a whole
	profile   profile.Profile
	catalogue catalogue.Catalogue
	facts     host.Facts
	inputs    Inputs
	session   map[string]string

	env       expr.Env            // this host's
	judging   expr.Env            // with a place for what is unset
	sensitive catalogue.Sensitive // by that
	known     []catalogue.Secret  // what is to be hidden on any: secrets and sockets
	secretAt  map[string]bool     // what b.secret has found

	problems problem.List
}

// onHost reports whether the sandbox starts from the host's own files.
func (b *builder) onHost() bool { return b.plan.Base == profile.BaseHost }

// ownHome reports whether home is the sandbox's own.
func (b *builder) ownHome() bool { return b.plan.Home != profile.HomeHost }

// secretsOf are the secrets and sockets of some kinds.
func (b *builder) secretsOf(kinds ...catalogue.Kind) []catalogue.Secret {
	other := func(s catalogue.Secret) bool { return !slices.Contains(kinds, s.Kind) }
	return slices.DeleteFunc(slices.Clone(b.known), other)
}

func newBuilder(p profile.Profile, c catalogue.Catalogue, f host.Facts, o Options) *builder {
	b := &builder{
		profile: withRepositories(p, f), catalogue: c, facts: f, inputs: o.Inputs, session: o.Session,
		env: f.Environment(""), judging: assumed(p, f), known: c.Hidden(), secretAt: map[string]bool{},
	}
	b.plan = Plan{
		Name: cmp.Or(o.Name, p.Name), About: p.About, Source: o.Source, Command: p.Command,
		OldBwrap: !slices.Contains(f.Bwrap.Options, "--overlay-src"),
		Base:     p.Filesystem.Base, Arches: f.Architectures(),
		Reach: reachOf(p.Network), Terminal: p.Terminal.Mode, Kernel: p.Kernel, Home: p.Home.Mode, Tmp: p.Tmp.Mode,
		Limits: p.Limits, Confirm: p.Confirm,
		Project: Project{Root: p.Project.Root, Access: p.Project.Access},
	}
	b.sensitive = c.Sensitive(b.judging, b.real)
	return b
}
