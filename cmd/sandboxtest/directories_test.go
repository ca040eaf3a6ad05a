package sandboxtest

import (
	"fmt"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestDirectories: the variables that name directories are right inside, whatever
// the caller has in them: the temporary ones are there, and writable; of the
// others, what is set is absolute, and can be made. None leads to the host. Where
// XDG_CACHE_HOME lies outside home, only the caches of tools can be written there.
func TestDirectories(t *testing.T) {
	t.Parallel()
	const look = `for name in TMPDIR TMPPREFIX TMP TEMP XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME; do
		[[ -n ${!name+set} ]] || continue
		[[ $name != @(TMP*|TEMP|XDG_RUNTIME_DIR) || -d ${!name} ]] || echo "$name is not there: ${!name}"
		[[ $name != XDG_CACHE_HOME || ${!name} == @("$HOME"|"$PWD"|/tmp)/* ]] || continue
		[[ ${!name} == /?* ]] && mkdir -p "${!name}" && echo x >"${!name}/made-x" || echo "$name is no place to write: ${!name}"
	done; echo "$TMPDIR $XDG_RUNTIME_DIR $(stat -c %a "$XDG_RUNTIME_DIR")"`
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, thrown+"\n[toolchains]\nuse = [\"go\", \"python\"]") // a store cannot lie in the project
		before := w.state(t)
		for _, place := range []string{"$H/x", "$O/directory", "relative", "./here", "", "/", "/nonexistent/x", "/tmp", "$P/made-d"} {
			for _, name := range []string{"TMPPREFIX", "TMP", "TEMP", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
				l.Set(name + "=" + w.expand(place))
			}
			r := l.Run(t, "bash", "-c", look)
			want := fmt.Sprintf("/tmp /run/user/%d 700\n", s.UID)
			if place == "" {
				want = "/tmp  \n"
			}
			if r.Stdout != want {
				t.Errorf("%q: got %q, want %q; it said %q", place, r.Stdout, want, r.Stderr)
			}
		}
		l.Set("XDG_CACHE_HOME=" + w.Home + "/.x")
		l.Run(t, "true").Refused(t, "a cache in a hidden directory of home", "refusing "+w.Home+"/.x/go-build")
		before.Same(t, w.state(t))
	})
}

// TestRelocation: a variable that moves a tool's directories counts with an absolute
// path alone, and not with that of the root, however it is written.
func TestRelocation(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[toolchains]\nuse = [\"go\"]")
		const look = `"$L" sh -c 'echo "${GOPATH-none}"'`
		l.from(t, look, "GOPATH="+w.Home+"/elsewhere").Expect(t, "a path", 0, w.Home+"/elsewhere\n")
		for _, value := range []string{"", "relative", "/", "//", "/./", "/../."} {
			l.from(t, look, "GOPATH="+value).Expect(t, "no place: "+value, 0, "none\n")
		}
	})
}
