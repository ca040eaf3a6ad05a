package sandboxtest

import (
	"archive/zip"
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// TestGoProject: a module with a dependency builds, with the caches of the
// host, which stay as they were.
func TestGoProject(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go to build with")
	}
	all := accounts()
	settings := all[0].bwraps()
	if len(settings) == 0 {
		unable(t, "bwrap is not in PATH")
	}
	w := goWorld(t, settings[0])
	for _, a := range all {
		a.give(t, w.dir)
		before := w.state(t)
		for _, s := range a.bwraps() {
			t.Run(a.name+"/"+s.version, func(t *testing.T) {
				if why := s.works(); why != "" {
					unable(t, why)
				}
				w.setting = s
				l := w.launch(t, `extends = ["offline"]`)
				l.run(t, "sh", "-c", `go build -o made-program . && ./made-program 2>&1 && go vet . && go mod verify >/dev/null`).
					expect(t, "go build", 0, "42\n")
				remove(t, l.file)
				delete(before, w.dir) // the launcher was there
				after := w.state(t)
				delete(after, w.dir)
				before.same(t, after)
			})
		}
	}
}

// goWorld is a world with a module that needs another, and warm caches.
func goWorld(t *testing.T, s setting) world {
	t.Helper()
	w := newWorld(t, s)
	const proxy, module = "proxy/example.org/dep/@v/v1.0.0.", "module example.org/dep\n\ngo 1.22\n"
	w.write(t, map[string]string{
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
	if output, err := exec.Command("npm", "--version").CombinedOutput(); err != nil {
		t.Skipf("npm does not work here: %s", output)
	}
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		w.write(t, map[string]string{
			"home/code/p/package.json":            `{"name":"p","version":"1.0.0","dependencies":{"dep":"file:dep.tgz"}}`,
			"home/code/p/dep-source/package.json": `{"name":"dep","version":"1.0.0","main":"i.js"}`,
			"home/code/p/dep-source/i.js":         "module.exports = 42\n",
		})
		w.shell(t, `cd "$P" && mkdir package && cp dep-source/* package/ && tar czf dep.tgz package && rm -r package
			npm install --offline --no-audit --no-fund --cache "$H/.npm" >/dev/null && rm -r node_modules`)
		w.give(t, w.dir)
		l := w.launch(t, `extends = ["offline"]`)
		before := w.state(t)
		l.run(t, "sh", "-c", `npm ci --offline --no-audit --no-fund --loglevel=error >&2 && node -p 'require("dep")' && mv node_modules made-modules`).
			expect(t, "npm ci", 0, "42\n")
		before.unchanged(t, w)
	})
}

// TestPythonProject: a virtual environment is made, and works.
func TestPythonProject(t *testing.T) {
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("there is no Python of the system")
	}
	if err := exec.Command(python, "-c", "import venv").Run(); err != nil {
		t.Skip("Python cannot make virtual environments here")
	}
	newest(t, func(t *testing.T, s setting) {
		w := newWorld(t, s)
		w.write(t, map[string]string{"home/code/p/pyproject.toml": "[project]\nname = \"p\"\nversion = \"1\"\n"})
		l := w.launch(t, `extends = ["offline"]`)
		before := w.state(t)
		l.run(t, "sh", "-c", python+` -m venv --without-pip made-venv && made-venv/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'`).
			expect(t, "python3 -m venv", 0, "True\n")
		before.unchanged(t, w)
	})
}

// TestCompilers: what lies behind links of the system works.
func TestCompilers(t *testing.T) {
	newest(t, func(t *testing.T, s setting) {
		l := newWorld(t, s).launch(t, `extends = ["offline"]`)
		for program, do := range map[string]string{
			"cc":   `echo 'int main(void) { return 7; }' >made-c.c && cc -o made-c made-c.c && ./made-c; test $? = 7`,
			"perl": `perl -e 'exit 0'`, "awk": `awk 'BEGIN { exit 0 }'`, "vi": `command -v vi`, "python3": `command -v python3 || true`,
			"node": `node -e 0`, "make": `printf 'x:\n\t@true\n' | make -s -f - x`, "curl": `curl --version >/dev/null`,
		} {
			if _, err := exec.LookPath(program); err != nil {
				continue
			}
			l.run(t, "bash", "-c", do+"; exit").status0(t, program)
		}
	})
}

func (r result) status0(t *testing.T, what string) {
	t.Helper()
	if r.status != 0 {
		t.Errorf("%s: status %d: %s%s", what, r.status, r.stdout, r.stderr)
	}
}
