package profile

import (
	"slices"
	"strings"

	"bwrapgen/gen/problem"
)

// field ties a key of the schema to the place of its value. The type that to
// points at decides how the value is read, merged and printed.
type field struct {
	key     string
	to      any
	check   func(text string) problem.Problem // of a text, or of each text in a list
	kind    Kind                              // of the entries in a list of them
	least   int64                             // of a duration in seconds, a size in bytes
	none    bool                              // "" stands for no limit
	numbers bool                              // of a list of texts: a number stands for its digits
}

// fields is the schema but for extends, drop and [caches.NAME]: every key in
// the order in which profiles are printed.
func fields(p *Profile) []field {
	return slices.Concat(
		[]field{
			{key: "about", to: &p.About, check: checkLine},
			{key: "command", to: &p.Command, check: checkArgument},
			{key: "expect", to: &p.Expect},
		},
		placeFields(p),
		toolFields(p),
		accessFields(p),
		runFields(p),
	)
}

func placeFields(p *Profile) []field {
	return []field{
		{key: "project.root", to: &p.Project.Root},
		{key: "project.access", to: &p.Project.Access},
		{key: "project.protect", to: &p.Rules, kind: KindProtect},
		{key: "project.hide", to: &p.Rules, kind: KindHide},
		{key: "project.at", to: &p.Project.At},
		{key: "project.report", to: &p.Project.Report},
		{key: "filesystem.base", to: &p.Filesystem.Base},
		{key: "filesystem.read", to: &p.Rules, kind: KindRead},
		{key: "filesystem.write", to: &p.Rules, kind: KindWrite},
		{key: "filesystem.overlay", to: &p.Rules, kind: KindOverlay},
		{key: "filesystem.empty", to: &p.Rules, kind: KindEmpty},
		{key: "filesystem.hide", to: &p.Rules, kind: KindHide},
		{key: "filesystem.credential", to: &p.Rules, kind: KindCredential},
		{key: "filesystem.link", to: &p.Filesystem.Link},
	}
}

func toolFields(p *Profile) []field {
	return []field{
		{key: "toolchains.use", to: &p.Toolchains.Use, check: checkTool},
		{key: "toolchains.skip", to: &p.Toolchains.Skip, check: checkTool},
		{key: "toolchains.mode", to: &p.Toolchains.Mode},
		{key: "toolchains.files", to: &p.Toolchains.Files, check: checkToolFile},
		cacheField("caches", &p.Caches.Mode),
		{key: "home.mode", to: &p.Home.Mode},
		{key: "home.at", to: &p.Home.At},
		{key: "tmp.mode", to: &p.Tmp.Mode},
	}
}

// cacheField is the key of [caches] and of each [caches.NAME].
func cacheField(table string, mode *CacheMode) field {
	return field{key: table + ".mode", to: mode}
}

func accessFields(p *Profile) []field {
	return []field{
		{key: "environment.pass", to: &p.Environment.Pass, check: checkPattern},
		{key: "environment.require", to: &p.Environment.Require, check: checkVariable},
		{key: "environment.set", to: &p.Environment.Set},
		{key: "network.mode", to: &p.Network.Mode},
		{key: "network.allow", to: &p.Network.Allow, check: checkHost},
		{key: "network.publish", to: &p.Network.Publish, check: checkPublished, numbers: true},
		{key: "network.reach", to: &p.Network.Reach, check: checkReached},
		{key: "network.proxy", to: &p.Network.Proxy, check: checkProxy},
		{key: "sockets.pass", to: &p.Sockets.Pass, check: checkSocket},
		{key: "sockets.talk", to: &p.Sockets.Talk, check: checkBusName},
		{key: "sockets.own", to: &p.Sockets.Own, check: checkBusName},
	}
}

func runFields(p *Profile) []field {
	return []field{
		{key: "terminal.mode", to: &p.Terminal.Mode},
		{key: "kernel.nested-userns", to: &p.Kernel.NestedUserns},
		{key: "kernel.foreign-arch", to: &p.Kernel.ForeignArch},
		{key: "kernel.seccomp", to: &p.Kernel.Seccomp},
		{key: "kernel.require", to: &p.Kernel.Require},
		{key: "limits.timeout", to: &p.Limits.Timeout, least: 1, none: true},
		{key: "limits.kill-after", to: &p.Limits.KillAfter, least: 1},
		{key: "limits.max-timeout", to: &p.Limits.MaxTimeout, least: 1},
		{key: "limits.output", to: &p.Limits.Output, least: 1 << 10, none: true},
		{key: "limits.memory", to: &p.Limits.Memory, least: 1 << 20, none: true},
		{key: "limits.processes", to: &p.Limits.Processes},
		{key: "limits.open-files", to: &p.Limits.OpenFiles},
		{key: "limits.cpu-time", to: &p.Limits.CPUTime, least: 1, none: true},
		{key: "confirm.mode", to: &p.Confirm.Mode},
		{key: "confirm.allow-yes", to: &p.Confirm.AllowYes},
	}
}

// Keys lists every key of the schema, for completion and documentation, but
// for extends, drop.TABLE.KEY and caches.NAME.KEY.
func Keys() []string {
	var keys []string
	for _, f := range fields(&Profile{}) {
		keys = append(keys, f.key)
	}
	return keys
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

// isList reports whether the values of a field are merged rather than replaced.
func (f field) isList() bool {
	switch f.to.(type) {
	case *[]Item, *Rules, *[]Link, *[]Variable, *Use:
		return true
	}
	return false
}
