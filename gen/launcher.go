// Package gen writes a plan as a launcher: a header for people, the policy
// (quoted data, and nothing else) and the parts of the engine that it needs.
//
// It is pure: it returns bytes, and touches neither the host nor any file.
//
// # The way of the data
//
// Each step takes values and gives values; only package probe reads the host,
// and only cmd/bwrapgen writes. (Package verify, which tries what was made, has
// directories of its own for that.) Here it is with a profile of four lines:
//
//		extends = ["base"]
//		toolchains.use = ["go"]
//		caches.mode = "keep"
//		filesystem.read = [{ path = "~/notes", why = "the plan of the week" }]
//
//	 1. profile.Loader.Load reads it and what it extends. Of each list in TOML
//	    comes a part of one list, Profile.Rules: ~/notes is a Rule of the kind
//	    that is read, with its reason and with the file and line as its origin.
//	 2. catalogue.Tool, from profiles/tools/go.toml, says that the cache of
//	    compiled packages is at ${GOCACHE:-${XDG_CACHE_HOME:-~/.cache}/go-build}.
//	 3. plan.Questions says what there is to ask of a host for both, and
//	    probe.Host.Facts answers: which of these paths exist, and where they
//	    lead. A host.Facts can come from a file, too.
//	 4. plan.Build decides. Plan.Mounts is one list in the order of mounting:
//	    ~/notes is a Mount that reads, of ScopeOutside (plan/entries.go); the cache is
//	    a View of ScopeCache (plan/tools.go), whose layer is kept: the table of modes
//	    is in plan/layer.go. What must not be shown is refused (plan/problems.go), by
//	    ranging over that list.
//	 5. Of the plan, package access says what the command finds at each place, for
//	    explain, the header, compare and verify.
//	 6. Launcher writes the policy (policy.go): "$home/notes" in the array
//	    entries, the cache in kept_views. It puts the parts of the engine
//	    below it that these need (engine.go), here entries.sh and overlay.sh,
//	    and has package bash lay out and check the whole. A cache of another mode
//	    stands in brief_views (ephemeral: overlay.sh), session_views (views.sh),
//	    caches_read or caches_write (caches.sh).
//	 7. The launcher judges at each start what may have moved, and its parts turn
//	    the arrays into words of bwrap: mount_entries and overlay.
package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"text/template"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// launcher is what the frame, launcher.sh.tmpl, sees.
type launcher struct {
	Regenerate string
	Help       string
	Prelude    string
	Policy     string
	Marker     string
	Engine     string
}

// Launcher renders a plan as a bash script that has been checked. The same
// plan gives the same bytes. An error other than one about a text that bash
// cannot hold is a bug; it names the line.
func Launcher(p plan.Plan) ([]byte, error) {
	lines, err := help(p)
	if err != nil {
		return nil, err
	}
	text, err := bash.Prose(lines...)
	if err != nil {
		return nil, err
	}
	policy, err := writePolicy(p)
	if err != nil {
		return nil, err
	}
	parts := partsOf(p)
	script := launcher{
		Regenerate: printable(cmp.Or(p.Source, "bwrapgen generate")),
		Help:       text,
		Prelude:    templates.Part("prelude"),
		Policy:     policy,
		Marker:     marker(parts),
		Engine:     engine(parts),
	}
	frame := template.Must(template.ParseFS(templates.FS, "launcher.sh.tmpl"))
	var b bytes.Buffer
	if err := frame.Execute(&b, script); err != nil {
		return nil, fmt.Errorf("the frame failed: %v", err)
	}
	if err := bash.CheckPolicy([]byte(policy)); err != nil {
		return nil, fmt.Errorf("the policy holds what no policy may, which is a bug: %v", err)
	}
	return b.Bytes(), nil
}
