package golden_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/adopt"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/profiles"

	"bwrapgen/gen/profile"
)

// scripts are calls of bwrap by hand, which import has to understand.
var scripts = map[string]string{
	"selected": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc/hosts /etc/hosts \
  --proc /proc --dev /dev --tmpfs /tmp --tmpfs "$HOME" --bind "$PWD" "$PWD" --ro-bind "$PWD/Makefile" "$PWD/Makefile" \
  --unshare-all --die-with-parent --chdir "$PWD" -- "$@"
`,
	"arrays": `#!/bin/bash
set -eu
args=(--ro-bind /usr /usr --dev /dev --proc /proc)
read_only=("$HOME/docs" "$HOME/.vimrc")
writable=("$HOME/notes")
for at in "${read_only[@]}"; do args+=(--ro-bind "$at" "$at"); done
for at in "${writable[@]}"; do args+=(--bind "$at" "$at"); done
project=$(pwd)
args+=(--bind "$project" "$project")
exec bwrap "${args[@]}" --unshare-net -- make "$@"
`,
	"root": `#!/bin/sh
bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs "$HOME" --bind "$HOME/notes" "$HOME/notes" --bind "$PWD" "$PWD" --unshare-all --share-net "$@"
`,
	"elsewhere": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --ro-bind "$HOME/docs" /docs --bind "$PWD" /work --chdir /work --tmpfs /scratch --unshare-all --new-session -- "$@"
`,
	"covered": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --ro-bind "$HOME/docs" "$HOME/docs" --tmpfs "$HOME" --bind "$HOME/notes" "$HOME/notes" --ro-bind "$PWD" "$PWD" --unshare-all -- ls
`,
	"string": `#!/bin/sh
set -e
options="--ro-bind /usr /usr --ro-bind $HOME/docs $HOME/docs"
if [ -d "$HOME/notes" ]; then options="$options --bind $HOME/notes $HOME/notes"; fi
exec bwrap $options --bind "$PWD" "$PWD" --unshare-all -- "$@"
`,
	"pinned": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --bind "$PWD" "$PWD" --ro-bind "$PWD/.git" "$PWD/.git" --bind "$PWD" "$PWD" --ro-bind "$PWD/.git/hooks" "$PWD/.git/hooks" --ro-bind "$PWD/.git/config" "$PWD/.git/config" --unshare-all -- "$@"
`,
	"read-only": `#!/bin/bash
exec bwrap --ro-bind / / --tmpfs /tmp --proc /proc --dev /dev --tmpfs /run --tmpfs "$HOME" --ro-bind "$PWD" "$PWD" --unshare-all -- "$@"
`,
	"masked": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --bind "$HOME/notes" "$HOME/notes" --tmpfs "$HOME/notes/private" --remount-ro "$HOME/notes/private" --ro-bind "$PWD" "$PWD" --unshare-all -- ls
`,
}

// TestImport: of what import makes of a script, generate makes a launcher that shows
// what the script shows, and nothing else of the host.
func TestImport(t *testing.T) {
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := adopt.Import("script", []byte(script), tools(t), profile.Loader{Builtin: profiles.FS})
			if err != nil {
				t.Fatal(err)
			}
			facts := host.Facts{Arch: "x86_64", Home: "/home/alice"}
			made, err := launcher(t, inline(string(result.Profile)), facts, plan.Options{Name: "box"})
			if err != nil {
				t.Fatalf("%v\n%s", err, result.Profile)
			}
			s := newStage(t, facts)
			for _, at := range []string{"docs", "notes", "notes/private"} {
				s.add(t, s.home+"/"+at, host.PathFact{Kind: host.Dir})
			}
			s.write(t, s.home+"/.vimrc", "", 0o644)
			s.write(t, s.project+"/Makefile", "", 0o644)
			s.launcher(t, "box", made, "x86_64")
			wanted := s.run(t, []byte(script))
			printed := s.run(t, nil, "--sandbox-print", "ls")
			got := s.run(t, []byte(printed.stdout))
			if wanted.words == nil || got.words == nil {
				t.Fatalf("bwrap was not started: %s%s", wanted.stderr, printed.stderr)
			}
			s.sameView(t, wanted.words, got.words)
			if t.Failed() {
				t.Logf("%s", result.Profile)
			}
		})
	}
}

// view is what stands at a path: a path of the host, or something of the sandbox's own.
type view struct {
	source   string
	writable bool
}

// seen finds what stands at a path, by the last mount at or above it.
func seen(words []string, at string) view {
	var v view
	for i, word := range words {
		one, destination := view{}, ""
		switch strings.TrimSuffix(word, "-try") {
		case "--bind", "--dev-bind", "--ro-bind":
			destination = words[i+2]
			one = view{words[i+1], !strings.HasPrefix(word, "--ro")}
		case "--tmpfs":
			destination = words[i+1]
		case "--ro-bind-data", "--file":
			destination = words[i+2]
		}
		rest, ok := strings.CutPrefix(at, strings.TrimSuffix(destination, "/"))
		if destination == "" || !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if v = one; one.source != "" {
			v.source = path.Join(one.source, rest)
		}
	}
	return v
}

// destinations are the places of all mounts.
func destinations(words []string) []string {
	var all []string
	for i, word := range words {
		switch strings.TrimSuffix(word, "-try") {
		case "--bind", "--dev-bind", "--ro-bind":
			all = append(all, words[i+2])
		case "--tmpfs":
			all = append(all, words[i+1])
		}
	}
	return all
}

// sameView compares what two calls of bwrap show of the host.
func (s *stage) sameView(t *testing.T, wanted, got []string) {
	t.Helper()
	places := slices.Concat(destinations(wanted), []string{s.home, s.home + "/.ssh", s.project, s.project + "/main.go", "/usr/bin", "/srv"})
	for _, at := range places {
		if want, is := seen(wanted, at), seen(got, at); want != is {
			t.Errorf("%s: the script has %+v, the launcher %+v", at, want, is)
		}
	}
	for _, at := range destinations(got) {
		want, is := seen(wanted, at), seen(got, at)
		own := strings.HasPrefix(at, "/proc") || strings.HasPrefix(at, "/run") || strings.Contains(at, "/.git")
		if !own && is.source != "" && is.source != want.source {
			t.Errorf("%s: the launcher shows %s, the script %q", at, is.source, want.source)
		}
	}
}
