package lint

import (
	"fmt"
	"strings"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/lint/trace"
)

// ofBwrapgen judges a launcher of bwrapgen's. Its engine is known by its
// checksum and not followed. What the policy lists is judged, unless the whole
// file is as this bwrapgen wrote it: then its profile was judged.
func ofBwrapgen(name string, src []byte, e gen.Engine, tools catalogue.Catalogue) Result {
	policy, before, err := gen.Policy(src)
	switch {
	case !e.Intact:
		result := changed(name, src, "the engine is not the text that its checksum was made of")
		if line, text := gen.FirstChange(src); line > 0 {
			result.Findings[0].Line = uint(line)
			result.Findings[0].What = fmt.Sprintf("this line is not the engine's: %s", strings.TrimSpace(text))
		}
		return result
	case err != nil:
		return changed(name, src, fmt.Sprintf("the policy holds more than settings: %v", err))
	case e.Known && checksum.Verify(src) == checksum.Intact:
		return Result{Engine: fmt.Sprintf("engine %d is known, and the policy is as bwrapgen wrote it", e.Version)}
	}
	says := "engine %d is known, and the policy was changed"
	if !e.Known {
		says = "engine %d is unknown: another bwrapgen's, or not one at all"
	}
	return Result{Engine: fmt.Sprintf(says, e.Version), Findings: policyFindings(name, policy, before, tools)}
}

// changed is the finding that a launcher is not what bwrapgen wrote.
func changed(name string, src []byte, what string) Result {
	line := 1 + strings.Count(string(src[:strings.Index(string(src), "\n# --- Engine")+1]), "\n")
	all := findings{file: name}
	all.rule, _ = RuleOf("engine-changed")
	all.report(trace.Position{Line: uint(line), Column: 1}, "%s", what)
	return Result{Engine: "the engine or the policy holds what bwrapgen did not write", Findings: all.found}
}

// called is what a launcher makes of its policy, as far as it is judged here:
// what the profile lists is mounted, and below it what is hidden.
const called = `
mounts=()
for path in "${caches_write[@]}"; do mounts+=(--bind "$path" "$path"); done
for path in "${hidden[@]}"; do mounts+=(--tmpfs "$path" --remount-ro "$path"); done
for name in $hidden_at_home; do mounts+=(--tmpfs "$home/$name" --remount-ro "$home/$name"); done
for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3)) || exec {fd}>&-; done
exec env -i bwrap --unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts \
  --unshare-cgroup --unshare-net --die-with-parent --new-session --ro-bind /usr /usr --proc /proc --dev /dev \
  --tmpfs /tmp --tmpfs "$home" "${entries[@]}" "${late_entries[@]}" "${inside[@]}" "${mounts[@]}" \
  --remount-ro / -- "$@"
`

// policyFindings judges what a policy lists.
func policyFindings(name, policy string, before int, tools catalogue.Catalogue) []Finding {
	prelude := "#!/bin/bash -p\nset -euo pipefail; home=$HOME; project=$PWD\n"
	text := prelude + strings.Repeat("\n", before-2) + policy + called
	r, err := trace.Read([]byte(text))
	if err != nil {
		return nil
	}
	last := uint(before + strings.Count(policy, "\n"))
	var found []Finding
	for _, f := range newScript(name, r, text, tools).judge() {
		if f.Line > uint(before) && f.Line <= last {
			found = append(found, f)
		}
	}
	return found
}
