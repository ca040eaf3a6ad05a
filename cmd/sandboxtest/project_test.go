package sandboxtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestGoProject: a module with a dependency builds, with the caches of the
// host, which stay as they were.
func TestGoProject(t *testing.T) {
	harness.Need(t, "go")
	all := harness.Accounts()
	w := goWorld(t, all[0].Settings(t)[0])
	for _, a := range all {
		a.Give(t, w.Top)
		before := w.state(t)
		for _, s := range a.Part(a.Settings(t), 0) {
			t.Run(a.Name+"/"+s.Version, func(t *testing.T) {
				s.Works(t)
				w.Setting = s
				l := w.launch(t, `extends = ["offline"]`)
				l.Run(t, "sh", "-c", `go build -o made-program . && ./made-program 2>&1 && go vet . && go mod verify >/dev/null`).
					Expect(t, "go build", 0, "42\n")
				harness.Remove(t, l.Program)
				delete(before, w.Top) // the launcher was there
				after := w.state(t)
				delete(after, w.Top)
				before.Same(t, after)
			})
		}
	}
}

// goWorld is a world with a module that needs another, and warm caches.
func goWorld(t *testing.T, s harness.Setting) world {
	t.Helper()
	w := newWorld(t, s)
	const proxy, module = "proxy/example.org/dep/@v/v1.0.0.", "module example.org/dep\n\ngo 1.22\n"
	w.Write(t, map[string]string{
		"home/code/p/main.go": "package main\n\nimport \"example.org/dep\"\n\nfunc main() { println(dep.Answer) }\n",
		"home/code/p/go.mod":  "module example.org/p\n\ngo 1.22\n\nrequire example.org/dep v1.0.0\n",
		proxy + "info":        `{"Version":"v1.0.0"}`,
		proxy + "mod":         module,
		proxy + "zip": zipped(t, map[string]string{
			"example.org/dep@v1.0.0/dep.go": "package dep\n\nconst Answer = 42\n",
			"example.org/dep@v1.0.0/go.mod": module,
		}),
	})
	w.shell(t, `export GOPROXY="file://$O/../proxy" GOFLAGS=-mod=mod GOSUMDB=off
		go mod tidy && go build -o /dev/null . && go vet . && go telemetry off`)
	return w
}

func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var buffer bytes.Buffer
	z := zip.NewWriter(&buffer)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.String()
}

// TestNpmProject: npm installs what the lock file says, from a file beside.
func TestNpmProject(t *testing.T) {
	t.Parallel()
	if output, err := exec.Command("npm", "--version").CombinedOutput(); err != nil {
		harness.Unable(t, "npm does not work: "+string(output))
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/code/p/package.json":            `{"name":"p","version":"1.0.0","dependencies":{"dep":"file:dep.tgz"}}`,
			"home/code/p/dep-source/package.json": `{"name":"dep","version":"1.0.0","main":"i.js"}`,
			"home/code/p/dep-source/i.js":         "module.exports = 42\n",
		})
		w.shell(t, `cd "$P" && mkdir package && cp dep-source/* package/ && tar czf dep.tgz package && rm -r package
			npm install --offline --no-audit --no-fund --cache "$H/.npm" >/dev/null && rm -r node_modules`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["offline"]`)
		before := w.state(t)
		l.Run(t, "sh", "-c", `npm ci --offline --no-audit --no-fund --loglevel=error >&2 && node -p 'require("dep")' && mv node_modules made-modules`).
			Expect(t, "npm ci", 0, "42\n")
		before.Same(t, w.state(t))
	})
}

// TestPythonProject: a virtual environment is made, and works.
func TestPythonProject(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	harness.Need(t, python)
	if output, err := exec.Command(python, "-c", "import venv").CombinedOutput(); err != nil {
		harness.Unable(t, "Python makes no virtual environments: "+string(output))
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/pyproject.toml": "[project]\nname = \"p\"\nversion = \"1\"\n"})
		l := w.launch(t, `extends = ["offline"]`)
		before := w.state(t)
		l.Run(t, "sh", "-c", python+` -m venv --without-pip made-venv && made-venv/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'`).
			Expect(t, "python3 -m venv", 0, "True\n")
		before.Same(t, w.state(t))
	})
}

// TestCompilers: what lies behind links of the system works.
func TestCompilers(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		l := newWorld(t, s).launch(t, `extends = ["offline"]`)
		for program, do := range map[string]string{
			"cc":   `echo 'int main(void) { return 7; }' >made-c.c && cc -o made-c made-c.c && ./made-c; test $? = 7`,
			"perl": `perl -e 'exit 0'`, "awk": `awk 'BEGIN { exit 0 }'`, "vi": `command -v vi`, "python3": `command -v python3 || true`,
			"node": `node -e 0`, "make": `printf 'x:\n\t@true\n' | make -s -f - x`, "curl": `curl --version >/dev/null`,
		} {
			if _, err := exec.LookPath(program); err != nil {
				continue
			}
			l.Run(t, "bash", "-c", do+"; exit").Succeeds(t, program)
		}
	})
}

// TestFakeroot: what builds packages gives files to users that do not exist
// inside. Without the variable that the catalogue sets it fails.
func TestFakeroot(t *testing.T) {
	t.Parallel()
	harness.Need(t, "fakeroot")
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/debian/control": "Source: p\n"})
		l := w.launch(t, `extends = ["offline"]`)
		const do = `fakeroot -- sh -c 'touch made && chown 12:13 made && stat -c %u:%g made'`
		l.Run(t, "sh", "-c", do).Expect(t, "fakeroot", 0, "12:13\n")
		l.Run(t, "sh", "-c", `unset FAKEROOTDONTTRYCHOWN; `+do).Expect(t, "the control", 1, "")
	})
}

// TestRootsFiles: inside, root has no power over what is another user's. In such a project that
// is said at the start, and in root's own it is not; what tar unpacks there is root's.
func TestRootsFiles(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		l.shell(t, `tar --owner=1234 --group=1234 -cf archive.tar file`)
		l.Give(t, w.Top)
		if r := l.Run(t, "sh", "-c", "mkdir u && tar -xf archive.tar -C u && stat -c %u u/file"); r.Status != 0 || r.Stdout != fmt.Sprintln(s.UID) || r.Stderr != "" {
			t.Errorf("unpacked: %+v", r)
		}
		if s.UID != 0 {
			return
		}
		l.shell(t, `chown 1234 "$P"`)
		l.Run(t, "true").Says(t, "inside, root may not be able to write to this project").Ends(t, 0)
	})
}
