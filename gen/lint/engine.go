package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/lint/trace"
)

// ofBwrapgen judges a launcher that bwrapgen wrote. Its engine is known by its checksum, and not
// followed. What the policy lists is judged, unless the whole file is as this bwrapgen wrote it: then
// its profile was judged. Want is the launcher as bwrapgen would write it now, to name the lines that
// were edited; empty: it is not known.
func ofBwrapgen(name string, src, want []byte, e gen.Engine, tools catalogue.Catalogue) Result {
	const foreign = "the engine or the policy holds what bwrapgen did not write"
	all := findings{file: name}
	policy, before, err := gen.Policy(src)
	text, _, after := checksum.Parts(src)
	end := 1 + bytes.Count(src[:len(src)-len(after)], []byte("\n"))
	change, isHarmless := gen.EngineChange(src)
	isKnown := e.Known || isHarmless
	switch {
	case !e.Intact && !isHarmless:
		what := "the engine is not the text that its checksum was made of"
		if change.Number > 0 {
			what = "this line is not the engine's: " + strings.TrimSpace(change.Text)
		}
		all.edited("engine-changed", 0, cmp.Or(change.Number, lineOf(text, "# --- Engine")), what)
		return Result{Engine: foreign, Findings: all.found}
	case err != nil:
		all.edited("engine-changed", 0, lineOf(text, "# --- Policy"), fmt.Sprintf("the policy holds more than settings: %v", err))
		return Result{Engine: foreign, Findings: all.found}
	case slices.ContainsFunc(strings.Split(string(after), "\n"), isCode):
		all.edited("engine-changed", 0, end, "code stands below the checksum, where bwrapgen writes nothing")
		return Result{Engine: foreign, Findings: all.found}
	}
	state := checksum.Verify(src)
	filter := gen.ChangedLine{}
	if isKnown {
		filter = gen.FilterChange(src)
	}
	if isKnown && state == checksum.Intact && filter.Number == 0 {
		return Result{Engine: fmt.Sprintf("engine %d is known, and the policy is as bwrapgen wrote it", e.Version)}
	}
	all.found = policyFindings(name, policy, before, tools)
	says := "engine %d is known, and the launcher was edited by hand"
	switch {
	case !isKnown:
		says = "engine %d is unknown: it is another bwrapgen's, or not one at all"
	case filter.Number > 0:
		says = "engine %d is known, and the system call filter is not what its rules compile to"
		all.edited("filter-changed", 0, filter.Number, "the system call filter is not what its rules compile to")
	}
	if state == checksum.Edited {
		all.byHand(src, want, isKnown)
	}
	return Result{Engine: fmt.Sprintf(says, e.Version), Findings: all.found}
}

func isCode(line string) bool { return !gen.IsComment(line) }

// mostEdited is how many edited lines are named.
const mostEdited = 10

// byHand reports the lines of a launcher that were edited. Those of the engine and below it are
// comments.
func (all *findings) byHand(src, want []byte, isKnown bool) {
	text, _, after := checksum.Parts(src)
	var edited []gen.ChangedLine
	if len(want) > 0 && isKnown {
		edited = gen.Compare(src, want).Lines
	} else if len(after) > 0 {
		edited = []gen.ChangedLine{{Number: 1 + bytes.Count(src[:len(src)-len(after)], []byte("\n")), Text: strings.TrimSpace(string(after))}}
	}
	for _, line := range edited[:min(len(edited), mostEdited)] {
		switch {
		case line.Text == "":
			all.edited("launcher-edited", 0, line.Number, "above this line, something is missing that its profile asks for")
		case gen.IsComment(line.Text):
			all.edited("launcher-edited", Weak, line.Number, "this comment is not bwrapgen's: "+strings.TrimSpace(line.Text))
		default:
			all.edited("launcher-edited", 0, line.Number, "this line is not what its profile asks for: "+strings.TrimSpace(line.Text))
		}
	}
	if len(edited) == 0 {
		all.edited("launcher-edited", 0, lineOf(text, "# --- Policy"), "the launcher was edited by hand; which line cannot be told without its profile")
	}
}

// edited reports an edit under a rule, with a severity of its own unless that is 0.
func (all *findings) edited(rule string, severity Severity, line int, what string) {
	all.rule, _ = RuleOf(rule)
	f := told(trace.Position{Line: uint(line), Column: 1}, "%s", what)
	f.Severity = severity
	all.add(f)
}

// lineOf is the number of the line that begins with a text; the first, if none does.
func lineOf(src []byte, begin string) int {
	return 1 + bytes.Count(src[:bytes.Index(src, []byte("\n"+begin))+1], []byte("\n"))
}

// called stands for the mounts that a launcher derives from its policy, as far as the rules need them.
// Listed paths are mounted, and hidden ones covered. An overlay counts as read access to its lower
// layer. Settings that hold credentials are omitted, as at start-up.
const called = `
mounts=()
for path in $system $roots "${toolchains[@]}" "${reads[@]}" "${caches_read[@]}" \
  "${brief_views[@]}" "${session_views[@]}" "${kept_views[@]}" "${tool_views[@]}"; do
  mounts+=(--ro-bind-try "$path" "$path")
done
for path in "${caches_write[@]}" "${shared_directories[@]}"; do
  [[ $path == @(|[a-z]*|.*) ]] || mounts+=(--bind-try "$path" "$path")
done
for path in "${hidden[@]}"; do mounts+=(--tmpfs "$path" --remount-ro "$path"); done
for name in $hidden_at_home; do mounts+=(--tmpfs "$home/$name" --remount-ro "$home/$name"); done
for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3)) || exec {fd}>&-; done
exec env -i bwrap --unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts \
  --unshare-cgroup --unshare-net --die-with-parent --new-session --ro-bind /usr /usr --proc /proc --dev /dev \
  --tmpfs /tmp --tmpfs "$home" "${entries[@]}" "${inside[@]}" "${mounts[@]}" \
  --remount-ro / -- "$@"
`

// notBwraps are words of a policy that bwrap does not know, each with what stands for them here.
var notBwraps = []struct {
	word *regexp.Regexp
	is   string
}{
	{regexp.MustCompile(`--tmpfs(?:-try)? (\S+)\{,\}`), "--tmpfs $1"},
	{regexp.MustCompile(`([\s(])pin `), "${1}--ro-bind-try "},
	{regexp.MustCompile(`"\$\{\w+:\+[^/"}]*\}"`), "names"}, // in a shared directory
}

// policyFindings judges what a policy lists.
func policyFindings(name, policy string, before int, tools catalogue.Catalogue) []Finding {
	prelude := "#!/bin/bash -p\nset -euo pipefail; home=$HOME; project=$PWD\n"
	listed := policy
	for _, one := range notBwraps {
		listed = one.word.ReplaceAllString(listed, one.is)
	}
	text := prelude + strings.Repeat("\n", before-2) + listed + called
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
