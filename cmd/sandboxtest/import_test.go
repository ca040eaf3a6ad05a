package sandboxtest

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/adopt"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// imports are calls of bwrap by hand, which import has to understand.
var imports = map[string]string{
	"selected": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind /etc/hosts /etc/hosts \
  --proc /proc --dev /dev --tmpfs /tmp --tmpfs "$HOME" --bind "$PWD" "$PWD" --ro-bind "$PWD/Makefile" "$PWD/Makefile" \
  --unshare-all --die-with-parent --chdir "$PWD" -- "$@"
`,
	"arrays": `#!/bin/bash
set -eu
args=(--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --dev /dev --proc /proc)
read_only=("$HOME/docs" "$HOME/.toolrc")
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
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$HOME/docs" /docs --bind "$PWD" /code --chdir /code --tmpfs /scratch --unshare-all --new-session -- "$@"
`,
	"covered": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$HOME/docs" "$HOME/docs" --tmpfs "$HOME" --bind "$HOME/notes" "$HOME/notes" --ro-bind "$PWD" "$PWD" --unshare-all -- ls
`,
	"string": `#!/bin/sh
set -e
options="--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind $HOME/docs $HOME/docs"
if [ -d "$HOME/notes" ]; then options="$options --bind $HOME/notes $HOME/notes"; fi
exec bwrap $options --bind "$PWD" "$PWD" --unshare-all -- "$@"
`,
	"pinned": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --bind "$PWD" "$PWD" --ro-bind "$PWD/.git" "$PWD/.git" --bind "$PWD" "$PWD" --ro-bind "$PWD/.git/hooks" "$PWD/.git/hooks" --ro-bind "$PWD/.git/config" "$PWD/.git/config" --unshare-all -- "$@"
`,
	"read-only": `#!/bin/bash
exec bwrap --ro-bind / / --tmpfs /tmp --proc /proc --dev /dev --tmpfs /run --tmpfs "$HOME" --ro-bind "$PWD" "$PWD" --unshare-all -- "$@"
`,
	"function": `#!/bin/bash
sandbox() {
  bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --bind "$PWD" "$PWD" --ro-bind "$HOME/docs" "$HOME/docs" --unshare-all --share-net "$@"
}
sandbox "$@"
`,
	"environment": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --setenv CI yes --setenv HOME "$HOME" --unsetenv LESS --bind "$PWD" "$PWD" --unshare-all -- "$@"
`,
	"optional": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind-try "$HOME/docs" "$HOME/docs" --bind-try "$HOME/notes" "$HOME/notes" --bind "$PWD" "$PWD" --unshare-net --unshare-pid -- "$@"
`,
	"defaults": `#!/bin/bash
: "${DOCS:=$HOME/docs}"
project=${PROJECT:-$PWD}
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$DOCS" "$DOCS" --bind "$project" "$project" --chdir "$project" --unshare-all -- "$@"
`,
	"branches": `#!/bin/bash
share=()
case ${NETWORK:-no} in yes) share=(--share-net) ;; esac
for name in docs notes; do
  [[ -d $HOME/$name ]] && share+=(--ro-bind "$HOME/$name" "$HOME/$name")
done
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --bind "$PWD" "$PWD" --unshare-all "${share[@]}" -- "$@"
`,
	"directories": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --tmpfs "$HOME" --dir "$HOME/.cache" --tmpfs /run --ro-bind "$HOME/.toolrc" "$HOME/.toolrc" --bind "$PWD" "$PWD" --hostname box --unshare-all --die-with-parent --new-session -- "$@"
`,
	"masked": `#!/bin/bash
exec bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --tmpfs /tmp --bind "$HOME/notes" "$HOME/notes" --tmpfs "$HOME/notes/private" --remount-ro "$HOME/notes/private" --ro-bind "$PWD" "$PWD" --unshare-all -- ls
`,
}

// TestImport: of what import makes of a script, generate makes a launcher in which a
// command finds, reads and changes what it does in the script's own sandbox; and
// --sandbox-print shows the same mounts, and nothing else of the host.
func TestImport(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/docs/file": "docs\n", "home/notes/file": "notes\n", "home/notes/private/file": "private\n", "home/.toolrc": "x\n", "home/code/p/Makefile": "all:\n",
			"recorder/bwrap": "#!/bin/sh\nprintf '%s\\n' \"$@\"\n",
		})
		w.shell(t, `chmod +x "$H"/../recorder/bwrap`)
		w.Give(t, w.Top)
		for name, script := range imports {
			t.Run(name, func(t *testing.T) {
				result, err := adopt.Import("script", []byte(script), catalogue.BuiltIn(), profile.Loader{Builtin: profiles.FS})
				if err != nil {
					t.Fatal(err)
				}
				l := w.launch(t, string(result.Profile))
				by := filepath.Join(w.Top, "by-hand")
				w.Put(t, by, []byte(script))
				hand := l.Start
				hand.Program, hand.Words = by, nil
				if strings.HasSuffix(script, "$@\"\n") && !strings.Contains(script, " make ") { // else it runs a command of its own
					want, got := hand.Run(t, survey(w)...), l.Run(t, survey(w)...)
					if want.Status != 0 || want.Stdout != got.Stdout {
						t.Errorf("by hand (status %d):\n%s%s\nthe launcher (status %d):\n%s%s", want.Status, want.Stdout, want.Stderr, got.Status, got.Stdout, got.Stderr)
					}
				}
				recorded := hand
				recorded.Set("PATH=" + filepath.Join(w.Top, "recorder") + ":/usr/bin:/bin")
				text := l.Run(t, "--sandbox-print", "ls").Stdout
				printed := l.from(t, program.ReplaceAllString(text, "printf '%s\\n' \\\n"))
				w.sameView(t, strings.Split(recorded.Run(t, "ls").Stdout, "\n"), strings.Split(printed.Stdout, "\n"))
				if t.Failed() {
					t.Logf("%s", result.Profile)
				}
			})
		}
	})
}

// program is bwrap's path in what --sandbox-print prints.
var program = regexp.MustCompile(`\S+/bwrap \\\n`)

// survey has a shell say of some paths whether they are there, and whether they can be
// written to.
func survey(w world) []string {
	const ask = `for at; do
		says=absent
		if [ -d "$at" ]; then says=directory; if mkdir "$at/made" 2>/dev/null; then rmdir "$at/made"; says="$says, writable"; fi
		elif [ -f "$at" ]; then says=file; if (: >>"$at") 2>/dev/null; then says="$says, writable"; fi; fi
		echo "$at: $says"
	done`
	words := []string{"sh", "-c", ask, "survey"}
	for _, name := range []string{"docs", "docs/file", "notes", "notes/file", ".ssh", ".toolrc", "code/p", "code/p/file", "code/p/Makefile", "code/other"} {
		words = append(words, filepath.Join(w.Home, name))
	}
	return append(words, "/usr", "/etc/hosts", "/docs", "/docs/file", "/code/file", "/scratch", "/tmp")
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
func (w world) sameView(t *testing.T, wanted, got []string) {
	t.Helper()
	if len(wanted) < 5 || len(got) < 5 {
		t.Fatalf("bwrap was not started: %q, %q", wanted, got)
	}
	places := slices.Concat(destinations(wanted), []string{w.Home, w.Home + "/.ssh", w.Project, w.Project + "/file", "/usr/bin", "/srv"})
	for _, at := range places {
		if want, is := seen(wanted, at), seen(got, at); want != is {
			t.Errorf("%s: the script has %+v, the launcher %+v", at, want, is)
		}
	}
	for _, at := range destinations(got) {
		want, is := seen(wanted, at), seen(got, at)
		own := strings.HasPrefix(at, "/proc") || strings.HasPrefix(at, "/run") || strings.Contains(at, "/.git") || strings.HasPrefix(at, w.programs)
		if !own && is.source != "" && is.source != want.source {
			t.Errorf("%s: the launcher shows %s, the script %q", at, is.source, want.source)
		}
	}
}
