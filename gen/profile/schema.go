package profile

import (
	"maps"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/source"
)

// fields is the schema but for extends and drop: every key in the order in which profiles
// are printed.
func fields(p *Profile) []field {
	return slices.Concat(
		[]field{
			text("about", &p.About, checkLine),
			words("command", &p.Command),
			expectations("expect", &p.Expect),
		},
		placeFields(p),
		toolFields(p),
		accessFields(p),
		runFields(p),
		cacheFields(p),
	)
}

// cacheFields are the keys of the tools that have a table [caches.NAME].
func cacheFields(p *Profile) []field {
	var all []field
	for _, name := range slices.Sorted(maps.Keys(p.Caches.Tools)) {
		all = append(all, cacheField(source.Join("caches", name), p.Caches.Tools[name]))
	}
	return all
}

func placeFields(p *Profile) []field {
	return []field{
		root("project.root", &p.Project.Root),
		choice("project.access", &p.Project.Access, AccessWrite, AccessRead, AccessOverlay),
		rules("project.protect", p, KindProtect),
		rules("project.hide", p, KindHide),
		inside("project.at", &p.Project.At),
		flag("project.report", &p.Project.Report),
		choice("filesystem.base", &p.Filesystem.Base, BaseSelect, BaseHost),
		rules("filesystem.read", p, KindRead),
		rules("filesystem.write", p, KindWrite),
		rules("filesystem.overlay", p, KindOverlay),
		rules("filesystem.empty", p, KindEmpty),
		rules("filesystem.hide", p, KindHide),
		rules("filesystem.credential", p, KindCredential),
		links("filesystem.link", p),
	}
}

func toolFields(p *Profile) []field {
	return []field{
		use("toolchains.use", &p.Toolchains.Use),
		list("toolchains.skip", &p.Toolchains.Skip, checkTool),
		choice("toolchains.mode", &p.Toolchains.Mode, ToolchainRead, ToolchainOverlay),
		files("toolchains.files", &p.Toolchains.Files),
		cacheField("caches", &p.Caches.Mode),
		choice("home.mode", &p.Home.Mode, HomeEmpty, HomeKeep, HomeHost),
		inside("home.at", &p.Home.At),
		choice("tmp.mode", &p.Tmp.Mode, TmpEmpty, TmpSession, TmpKeep),
	}
}

// cacheField is the key of [caches] and of each [caches.NAME].
func cacheField(table string, mode *CacheMode) field {
	return choice(table+".mode", mode, CacheEphemeral, CacheKeep, CacheSession, CacheRead, CacheWrite, CacheNone)
}

func accessFields(p *Profile) []field {
	sockets := list("sockets.pass", &p.Sockets.Pass, checkSocket)
	sockets.shape = listOf(map[string]any{"type": "string", "enum": catalogue.SocketNames()})
	return []field{
		list("environment.pass", &p.Environment.Pass, checkPattern),
		list("environment.require", &p.Environment.Require, checkVariable),
		variables("environment.set", &p.Environment.Set),
		choice("network.mode", &p.Network.Mode, NetworkHost, NetworkNone, NetworkPrivate, NetworkAllow),
		list("network.allow", &p.Network.Allow, checkHost),
		numbers(list("network.publish", &p.Network.Publish, checkPublished)),
		list("network.reach", &p.Network.Reach, checkReached),
		text("network.proxy", &p.Network.Proxy, checkProxy),
		sockets,
		list("sockets.talk", &p.Sockets.Talk, checkBusName),
		list("sockets.own", &p.Sockets.Own, checkBusName),
	}
}

func runFields(p *Profile) []field {
	return []field{
		choice("terminal.mode", &p.Terminal.Mode, TerminalJobControl, TerminalNewSession),
		flag("kernel.nested-userns", &p.Kernel.NestedUserns),
		flag("kernel.foreign-arch", &p.Kernel.ForeignArch),
		choice("kernel.seccomp", &p.Kernel.Seccomp, SeccompDefault, SeccompStrict, SeccompNone),
		duration("limits.timeout", &p.Limits.Timeout, true),
		duration("limits.kill-after", &p.Limits.KillAfter, false),
		duration("limits.max-timeout", &p.Limits.MaxTimeout, false),
		size("limits.output", &p.Limits.Output, 1<<10),
		size("limits.memory", &p.Limits.Memory, 1<<20),
		count("limits.processes", &p.Limits.Processes),
		count("limits.open-files", &p.Limits.OpenFiles),
		duration("limits.cpu-time", &p.Limits.CPUTime, true),
		choice("confirm.mode", &p.Confirm.Mode, ConfirmNever, ConfirmAlways),
		flag("confirm.allow-yes", &p.Confirm.AllowYes),
	}
}

// Keys lists every key of the schema, for completion and documentation, but
// for extends, drop.TABLE.KEY and caches.NAME.KEY.
func Keys() []string { return keys(fields(&Profile{})) }

func keys(fields []field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.key)
	}
	return all
}

// listed are the keys of which elements can be dropped.
func listed(fields []field) []string {
	return keys(slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f.drop == nil }))
}

// tables lists the tables of the schema.
func tables() []string {
	var known []string
	for _, key := range Keys() {
		table, _, nested := strings.Cut(key, ".")
		if nested && !slices.Contains(known, table) {
			known = append(known, table)
		}
	}
	return append(known, "drop")
}
