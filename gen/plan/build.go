package plan

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// Options are what the caller of the generator decides.
type Options struct {
	Name   string // of the launcher; empty: the profile's
	Source string // the command that writes the launcher again

	// Inputs are the files that the launcher is made of and that lie in the
	// project, by their names there: who could change them could change the next
	// launcher.
	Inputs []string
}

// Build decides what the launcher for a profile contains on hosts with these
// facts. The error is Problems: entries that no sandbox should have.
func Build(p profile.Profile, c catalogue.Catalogue, f host.Facts, o Options) (Plan, error) {
	b := builder{profile: p, catalogue: c, facts: f, inputs: o.Inputs, judged: map[string]bool{}}
	b.plan = Plan{
		Name: cmp.Or(o.Name, p.Name), About: p.About, Source: o.Source, Command: p.Command,
		Base: p.Filesystem.Base, Arches: f.Architectures(),
		Network: p.Network.Mode, Terminal: p.Terminal.Mode, Kernel: p.Kernel, Home: p.Home.Mode, Tmp: p.Tmp.Mode,
		Limits: p.Limits, Confirm: p.Confirm,
		Project: Project{Root: p.Project.Root, Access: p.Project.Access},
	}
	b.sensitive = c.Sensitive(f.Environment(""), b.real)
	b.entries()
	b.tools()
	b.overlays()
	b.project()
	b.secrets()
	b.collapse()
	b.led()
	b.pin()
	b.environment()
	b.sockets()
	b.watched()
	b.relocations()
	b.hidden()
	b.refusals()
	b.limits()
	b.places()
	b.credentials()
	if len(b.problems) > 0 {
		slices.SortStableFunc(b.problems, byLine)
		return Plan{}, b.problems
	}
	return b.plan, nil
}

// builder is one run of Build.
type builder struct {
	profile   profile.Profile
	catalogue catalogue.Catalogue
	sensitive catalogue.Sensitive // on this host
	private   []expr.Path         // credentials below home
	judged    map[string]bool     // places, by whether they are secret
	facts     host.Facts
	plan      Plan
	used      []catalogue.Tool
	inputs    []string // files of the launcher in the project
	problems  Problems
}

// entries sorts what the profile itself lists into its place.
func (b *builder) entries() {
	fs := b.profile.Filesystem
	var own, inside []Mount
	for _, list := range [][]profile.Entry{fs.Read, fs.Write, fs.Empty} {
		for _, e := range list {
			m := mount(e)
			b.coverSystem(m)
			switch {
			case m.Target.Base == expr.Project:
				inside = append(inside, m)
			case e.Kind == profile.KindRead && b.system(m):
			default:
				own = append(own, m)
			}
		}
	}
	hold(own)
	b.guard(own)
	b.accounts(own)
	for _, l := range fs.Link {
		own = append(own, Mount{Op: Symlink, Target: l.Path, Text: l.Target, Origin: l.Origin})
	}
	for _, e := range fs.Hide {
		b.plan.Masks = append(b.plan.Masks, mount(e))
	}
	b.plan.Groups = append(b.plan.Groups, group("What the profile lists besides.", own)...)
	b.plan.Inside = append(b.plan.Inside, group("Inside the project, what the profile lists.", inside)...)
}

// accounts refuses to cover what the launcher writes itself: no mount can stand
// on it.
func (b *builder) accounts(own []Mount) {
	for _, m := range own {
		name := m.Target.Rest
		if b.plan.System.Accounts && !m.Source.Equal(m.Target) && (name == "/etc/passwd" || name == "/etc/group") {
			b.refuse(m.Origin, `write drop.filesystem.read = ["/etc/passwd", "/etc/group"], and show both`, "the launcher makes a %s of its own", name)
		}
	}
}

func group(about string, mounts []Mount) []Group {
	if len(mounts) == 0 {
		return nil
	}
	slices.SortStableFunc(mounts, func(a, b Mount) int {
		return cmp.Compare(a.Target.String(), b.Target.String())
	})
	return []Group{{about, mounts}}
}

func mount(e profile.Entry) Mount {
	kinds := map[profile.Kind]Op{
		profile.KindRead: ROBind, profile.KindProtect: ROBind, profile.KindWrite: Bind,
		profile.KindEmpty: Tmpfs, profile.KindHide: Mask,
	}
	return Mount{
		Op: kinds[e.Kind], Source: e.Path, Target: e.Place(),
		Text: e.Content, Optional: e.Optional, Create: e.Create, Why: e.Why, Origin: e.Origin,
	}
}

// system takes the entries of the operating system, which the launcher shows
// in a shorter way than one by one. In the host base all of it is there.
func (b *builder) system(m Mount) bool {
	if b.plan.Base == profile.BaseHost {
		return b.visibleAnyway(m)
	}
	if m.Source.Base != expr.Root || !m.Source.Equal(m.Target) || !profile.SystemDirectory(m.Source.Rest) {
		return false
	}
	s := &b.plan.System
	directory, name := path.Split(m.Source.Rest)
	switch {
	case m.Source.Rest == "/etc/passwd" || m.Source.Rest == "/etc/group":
		s.Accounts = true
	case m.Source.Rest == "/etc/localtime":
		s.Time = true
		s.Zone = strings.TrimPrefix(b.facts.Timezone, "/usr/share/zoneinfo/")
	case directory == "/" && (name == "bin" || name == "sbin" || strings.HasPrefix(name, "lib")):
		s.Roots = append(s.Roots, m)
	case m.Optional && !b.here(m):
	case directory == "/etc/" && m.Optional:
		s.Etc = append(s.Etc, m)
	default:
		s.Mounts = append(s.Mounts, m)
	}
	return true
}

// coverSystem hides the secrets in an entry of the system's baseline.
func (b *builder) coverSystem(m Mount) {
	t, _ := b.catalogue.Tool(baseline)
	for _, e := range t.Read {
		if e.Path.Equal(m.Source) && m.Source.Equal(m.Target) {
			b.covers(t, e)
		}
	}
}

// visibleAnyway reports whether the host base shows a path by itself. To bind
// it once more would fail where it is a symbolic link.
func (b *builder) visibleAnyway(m Mount) bool {
	if !m.Source.Equal(m.Target) {
		return false
	}
	for _, own := range []string{"/tmp/", "/var/tmp/", "/run/", "/dev/", "/proc/"} {
		if strings.HasPrefix(m.Source.Rest, own) {
			return false
		}
	}
	if b.replaced(m.Source) {
		return false
	}
	return m.Source.Base == expr.Root || m.Source.Base == expr.Home && b.plan.Home == profile.HomeHost
}

// guard marks the entries of which only the launch can say where they lead: what
// is writable, what a variable moves, and directories, which may be links.
func (b *builder) guard(mounts []Mount) {
	for i, m := range mounts {
		fact, known := b.facts.Has(m.Source)
		shows := m.Op == Bind || m.Op == ROBind && m.Source.Base != expr.Root && !m.Held
		mounts[i].Guarded = shows && (m.Op == Bind || len(m.Source.Variables()) > 0 || known && fact.Kind == host.Dir || !known && !m.Optional)
	}
}

// here reports whether some host has the source of a mount.
func (b *builder) here(m Mount) bool {
	_, ok := b.facts.Has(m.Source)
	return ok
}

// tools adds the toolchains that the host has and the caches of their tools.
func (b *builder) tools() {
	b.used = tools(b.profile, b.catalogue, b.facts)
	seen := map[string]bool{}
	for _, t := range b.used {
		var mounts []Mount
		for _, e := range slices.Concat(t.Toolchain, t.Read, t.Versions()) {
			if m, ok := b.toolchain(t, e, seen); ok && (m.IfNoEnv || !b.writable(m)) {
				mounts = append(mounts, m)
			}
		}
		b.plan.Toolchains = append(b.plan.Toolchains, group(t.About, mounts)...)
		for _, e := range t.Caches {
			b.cache(t, e, seen)
		}
	}
	slices.SortStableFunc(b.plan.Caches, func(a, c Cache) int {
		return cmp.Compare(a.Path.Usual().String(), c.Path.Usual().String())
	})
}

// toolchain leaves out what no host has and what the base shows anyway.
func (b *builder) toolchain(t catalogue.Tool, e catalogue.Entry, seen map[string]bool) (Mount, bool) {
	key := e.Path.String()
	_, own := e.Eval(b.facts.Environment(""))
	if _, ok := b.facts.Has(e.Path); !ok || !own || seen[key] || b.covered(e.Path) {
		return Mount{}, false
	}
	seen[key] = true
	b.covers(t, e)
	return Mount{
		Op: ROBind, Source: e.Path, Target: e.Path, Optional: true, IfNoEnv: e.IfNoEnv, Why: e.Why, Tool: t.Name,
		Origin: profile.Origin{File: t.Origin, Key: "toolchain"},
	}, true
}

// covered reports whether a path lies below an entry that is read-only anyway.
// A variable with a default counts where both ends are.
func (b *builder) covered(p expr.Path) bool {
	if b.plan.Base == profile.BaseHost && p.Base == expr.Root {
		return true
	}
	for _, m := range slices.Concat(b.plan.System.Mounts, b.plan.System.Etc, b.plan.System.Roots) {
		if p.Base == expr.Root && (p.Rest == m.Target.Rest || strings.HasPrefix(p.Rest, m.Target.Rest+"/")) {
			return true
		}
	}
	return false
}

func (b *builder) cache(t catalogue.Tool, e catalogue.Entry, seen map[string]bool) {
	rule := b.profile.Caches.For(t.Name)
	key := e.Path.String()
	_, here := b.facts.Has(e.Path)
	if rule.Mode == profile.CacheNone || e.File || seen[key] || e.IfPresent && !here || b.idle(t, e) {
		return
	}
	seen[key] = true
	b.covers(t, e)
	b.plan.Caches = append(b.plan.Caches, Cache{
		Path: e.Path, Mode: rule.Mode, Store: rule.Store, Fallback: rule.Fallback, Tool: t.Name, Why: e.Why,
		Origin: profile.Origin{File: t.Origin, Key: "caches"},
	})
}

// idle reports whether a cache is of use only to install something, and its
// manager is there to provide what it has: nobody has named it.
func (b *builder) idle(t catalogue.Tool, e catalogue.Entry) bool {
	return t.General && e.NeedsWrite == catalogue.NeedOnMiss && b.profile.Toolchains.Mode == profile.ToolchainRead &&
		b.profile.Toolchains.Use.Kind != profile.UseHost && !slices.Contains(asked(b.profile, b.catalogue, b.facts), t.Name)
}

// covers hides the secrets in an entry that has to stay whole, and what belongs
// to other projects where the tool writes, too.
func (b *builder) covers(t catalogue.Tool, e catalogue.Entry) {
	cover := func(op Op, key string, paths []expr.Path) {
		for _, p := range paths {
			b.plan.Masks = append(b.plan.Masks, Mount{
				Op: op, Source: p, Target: p, Optional: true, Tool: t.Name,
				Origin: profile.Origin{File: t.Origin, Key: key},
			})
		}
	}
	cover(Mask, "mask", e.Masked())
	cover(Tmpfs, "empty", e.Emptied())
}

func (b *builder) project() {
	for _, e := range b.profile.Project.Protect {
		b.plan.Project.Protect = append(b.plan.Project.Protect, mount(e))
		if b.own(e) {
			b.plan.Project.Own = append(b.plan.Project.Own, mount(e))
		}
	}
	for _, name := range b.inputs {
		at := expr.Path{Base: expr.Project, Rest: "/" + name}
		b.plan.Project.Protect = append(b.plan.Project.Protect, Mount{
			Op: ROBind, Source: at, Target: at, Optional: true, Why: "the launcher is made of it",
			Origin: profile.Origin{File: name},
		})
	}
	for _, e := range b.profile.Project.Hide {
		b.plan.Masks = append(b.plan.Masks, mount(e))
	}
	for _, m := range slices.Concat(b.plan.mounts(), b.plan.Masks) {
		if m.Target.Base == expr.Project {
			b.plan.Project.Pinned = append(b.plan.Project.Pinned, m)
		}
	}
}

// own reports whether a protected name is the user's own: neither a built-in
// profile nor the catalogue has it, or something above it. A directory in the
// place of such a name would be in the way of the program that looks for it.
func (b *builder) own(e profile.Entry) bool {
	return !e.Origin.Builtin() && !slices.ContainsFunc(b.catalogue.Project(), func(k catalogue.Entry) bool {
		return e.Path.Equal(k.Path) || e.Path.Below(k.Path)
	})
}

// secrets hides those of the catalogue where the host's files are in sight.
func (b *builder) secrets() {
	if b.plan.Base != profile.BaseHost {
		return
	}
	seen := map[string]bool{}
	for _, m := range b.plan.Masks {
		seen[m.Target.String()] = true
	}
	for _, s := range append(b.catalogue.Secrets(), b.catalogue.Sockets()...) {
		key := s.Path.String()
		inHome := s.Path.Base != expr.Root
		if seen[key] || private(s.Path) || s.Path.Base == expr.Project || inHome && b.plan.Home != profile.HomeHost {
			continue
		}
		seen[key] = true
		b.plan.Masks = append(b.plan.Masks, Mount{
			Op: Mask, Source: s.Path, Target: s.Path, Optional: true, Why: s.Why, Tool: s.Tool,
			Origin: profile.Origin{File: s.Tool, Key: s.Kind.String()},
		})
	}
}

// collapse leaves out what lies below something that is hidden as a whole.
func (b *builder) collapse() {
	hidden := map[string]bool{}
	for _, m := range b.plan.Masks {
		hidden[m.Target.String()] = true
	}
	b.plan.Masks = slices.DeleteFunc(slices.Clone(b.plan.Masks), func(m Mount) bool {
		return m.Tool != "" && slices.ContainsFunc(m.Target.Above(), func(up expr.Path) bool { return hidden[up.String()] })
	})
}

func (b *builder) environment() {
	e := &b.plan.Environ
	e.Require = b.profile.Environment.Require
	e.Set = slices.Clone(b.profile.Environment.Set)
	set := map[string]bool{"HOME": true, "USER": true, "LOGNAME": true}
	for _, v := range e.Set {
		set[v.Name] = true
	}
	e.TakePath = !set["PATH"]
	e.Pass = texts(b.profile.Environment.Pass)
	for _, r := range e.Require {
		e.Pass = append(e.Pass, r.Text)
	}
	for _, m := range b.plan.mounts() {
		if m.Tool == "" && m.Source.Equal(m.Target) {
			e.Pass = append(e.Pass, m.Source.Variables()...)
		}
	}
	for _, t := range b.used {
		e.Pass = append(e.Pass, b.relocating(t)...)
		for _, s := range t.Set {
			if !set[s.Name] {
				set[s.Name] = true
				e.Set = append(e.Set, profile.Variable{Name: s.Name, Text: s.Value, Path: s.Path})
				if s.Why != "" {
					e.Reasons = append(e.Reasons, Line{s.Name, s.Why})
				}
			}
		}
	}
	e.Pass = slices.DeleteFunc(e.Pass, func(name string) bool { return set[name] || name == "PATH" })
	slices.Sort(e.Pass)
	e.Pass = slices.Compact(e.Pass)
	e.Visible, e.Denied = b.visible(), b.denied()
}

// relocating are the variables of a tool that are worth passing: those of what
// the sandbox shows, and those that the tool needs besides.
func (b *builder) relocating(t catalogue.Tool) []string {
	names := slices.Clone(t.Pass)
	for _, e := range slices.Concat(t.Toolchain, t.Path, t.Read, t.Versions()) {
		if _, ok := b.facts.Has(e.Path); ok {
			names = append(names, e.Path.Variables()...)
		}
	}
	for _, e := range t.Caches {
		names = append(names, e.Path.Variables()...)
	}
	return names
}

// visible are the directories below which programs can be found.
func (b *builder) visible() []expr.Path {
	if b.plan.Base == profile.BaseHost {
		return []expr.Path{expr.MustParse("/")}
	}
	var all []expr.Path
	for _, m := range slices.Concat(b.plan.System.Mounts, b.plan.System.Roots) {
		if !strings.HasPrefix(m.Target.Rest, "/etc/") && !strings.HasPrefix(m.Target.Rest, "/var/") {
			all = append(all, m.Target)
		}
	}
	for _, g := range b.plan.Groups {
		for _, m := range g.Mounts {
			if m.Held {
				continue
			}
			if fact, ok := b.facts.Has(m.Source); ok && fact.Kind == host.Dir && (m.Op == ROBind || m.Op == Bind) {
				all = append(all, m.Target)
			}
		}
	}
	for _, o := range b.plan.Overlays {
		if !o.Cache || o.Tool != "" {
			all = append(all, o.Target)
		}
	}
	return all
}

// relocations lists the variables whose empty or relative value is ignored.
func (b *builder) relocations() {
	seen := map[string]bool{"HOME": true}
	var paths []expr.Path
	for _, m := range slices.Concat(b.plan.mounts(), b.plan.Masks) {
		paths = append(paths, m.Source, m.Target)
	}
	for _, c := range b.plan.Caches {
		paths = append(paths, c.Path)
	}
	for _, o := range b.plan.Overlays {
		paths = append(paths, o.Path, o.Target)
	}
	b.plan.Relocations = variables(seen, paths...)
	slices.Sort(b.plan.Relocations)
}

// mounts are all of the groups, in order.
func (p Plan) mounts() []Mount {
	var all []Mount
	for _, g := range slices.Concat(p.Toolchains, p.Groups, p.Inside) {
		all = append(all, g.Mounts...)
	}
	return all
}
