package sandboxtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// manager is a version manager, with the layout that it has, and what it does
// to PATH. Programs say which they are.
type manager struct {
	program string
	marker  string            // of the project
	files   map[string]string // below home; a text that begins with #! is a program
	links   map[string]string
	path    []string // below home, or absolute; a login shell has them in this order
	vars    []string
}

func says(what string) string { return "#!/bin/sh\necho " + what + "\n" }

func managers() map[string]manager {
	return map[string]manager{
		"nvm": {program: "node", marker: ".nvmrc",
			files: map[string]string{".nvm/versions/node/v22.1.0/bin/node": says("nvm"), ".nvm/nvm.sh": "nvm\n"},
			path:  []string{".nvm/versions/node/v22.1.0/bin"}, vars: []string{"NVM_DIR=$H/.nvm"}},
		"fnm": {program: "node", marker: "package.json",
			files: map[string]string{".local/share/fnm/node-versions/v22.1.0/installation/bin/node": says("fnm")},
			links: map[string]string{".local/state/fnm_multishells/1_2": "$H/.local/share/fnm/node-versions/v22.1.0/installation"},
			path:  []string{".local/state/fnm_multishells/1_2/bin"}, vars: []string{"FNM_MULTISHELL_PATH=$H/.local/state/fnm_multishells/1_2"}},
		"volta": {program: "node", marker: "package.json",
			files: map[string]string{
				".volta/bin/volta-shim":                   "#!/bin/sh\n: >>\"${VOLTA_HOME:-$HOME/.volta}/volta.lock\" && exec \"$HOME/.volta/tools/image/node/22.1.0/bin/node\"\n",
				".volta/tools/image/node/22.1.0/bin/node": says("volta"),
			},
			links: map[string]string{".volta/bin/node": "volta-shim"}, path: []string{".volta/bin"}},
		"mise": {program: "python3", marker: "mise.toml",
			files: map[string]string{
				".local/share/mise/installs/python/3.13.1/bin/python3": says("mise"),
				".local/bin/mise": "#!/bin/sh\nexec \"$HOME/.local/share/mise/installs/python/3.13.1/bin/${0##*/}\"\n",
			},
			links: map[string]string{".local/share/mise/shims/python3": "$H/.local/bin/mise"}, path: []string{".local/share/mise/shims"}},
		"asdf": {program: "java", marker: ".tool-versions",
			files: map[string]string{
				".asdf/shims/java":                   "#!/bin/sh\nexec \"$HOME/.asdf/installs/java/21/bin/java\"\n",
				".asdf/installs/java/21/bin/java":    says("asdf"),
				".asdf/plugins/java/bin/list-legacy": says("x"),
			},
			path: []string{".asdf/shims"}},
		"pyenv": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{
				".pyenv/shims/python3":               "#!/usr/bin/env bash\nset -e\nexec \"$HOME/.pyenv/libexec/pyenv\" exec\n",
				".pyenv/libexec/pyenv":               "#!/bin/sh\nexec \"$HOME/.pyenv/versions/$(cat \"$HOME/.pyenv/version\")/bin/python3\"\n",
				".pyenv/version":                     "3.12.1\n",
				".pyenv/versions/3.12.1/bin/python3": says("pyenv"),
			},
			path: []string{".pyenv/shims", ".pyenv/bin"}},
		"rbenv": {program: "ruby", marker: "Gemfile",
			files: map[string]string{
				".rbenv/shims/ruby":              "#!/bin/sh\nexec \"$RBENV_ROOT/versions/3.4.1/bin/ruby\"\n",
				".rbenv/versions/3.4.1/bin/ruby": says("rbenv"),
			},
			path: []string{".rbenv/shims"}, vars: []string{"RBENV_ROOT=$H/.rbenv"}},
		"sdkman": {program: "java", marker: ".sdkmanrc",
			files: map[string]string{".sdkman/candidates/java/21-tem/bin/java": says("sdkman")},
			links: map[string]string{".sdkman/candidates/java/current": "21-tem"},
			path:  []string{".sdkman/candidates/java/current/bin"}, vars: []string{"JAVA_HOME=$H/.sdkman/candidates/java/current"}},
		"rustup": {program: "cargo", marker: "Cargo.toml",
			files: map[string]string{
				".cargo/bin/rustup":                          "#!/bin/sh\nread -r name <\"$HOME/.rustup/settings.toml\"; exec \"$HOME/.rustup/toolchains/$name/bin/${0##*/}\"\n",
				".rustup/toolchains/stable-x86_64/bin/cargo": says("rustup"),
				".rustup/settings.toml":                      "stable-x86_64\n",
			},
			links: map[string]string{".cargo/bin/cargo": "rustup"}, path: []string{".cargo/bin"}},
		"moved": {program: "cargo", marker: "Cargo.toml",
			files: map[string]string{"data/c/bin/cargo": says("moved")}, path: []string{"data/c/bin"}, vars: []string{"CARGO_HOME=$H/data/c"}},
	}
}

// TestManagers: a program that a version manager provides is inside the one
// that it is outside, and PATH names what can be seen, in the caller's order.
func TestManagers(t *testing.T) {
	trial.Newest(t, func(t *testing.T, s trial.Setting) {
		for name, m := range managers() {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, s)
				l := m.install(t, &w)
				outside := l
				outside.Program = "/usr/bin/env"
				want, got := outside.Run(t, m.program), l.Run(t, m.program)
				if want.Status != 0 || got.Status != 0 || got.Stdout != want.Stdout {
					t.Errorf("%s: inside %d %q, outside %d %q: %s", m.program, got.Status, got.Stdout, want.Status, want.Stdout, got.Stderr)
				}
				got = l.Run(t, "bash", "-c", `for d in ${PATH//:/ }; do [[ -d $d ]] || echo "$d"; done`)
				if got.Stdout != "" {
					t.Errorf("on PATH, and not there: %s", got.Stdout)
				}
			})
		}
	})
}

// install builds the layout, and gives a launcher that is started as a login
// shell of that manager would start it.
func (m manager) install(t *testing.T, w *world) launcher {
	t.Helper()
	for name, text := range m.files {
		w.Write(t, map[string]string{"home/" + name: text})
		if strings.HasPrefix(text, "#!") {
			if err := os.Chmod(filepath.Join(w.Home, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Write(t, map[string]string{strings.TrimPrefix(w.Project, w.Top+"/") + "/" + m.marker: ""})
	for name, target := range m.links {
		file := filepath.Join(w.Home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(strings.ReplaceAll(target, "$H", w.Home), file); err != nil {
			t.Fatal(err)
		}
	}
	w.Give(t, w.Home)
	var path []string
	for _, dir := range m.path {
		path = append(path, filepath.Join(w.Home, dir))
	}
	for _, v := range m.vars {
		w.variables = append(w.variables, strings.ReplaceAll(v, "$H", w.Home))
	}
	l := w.launch(t, `extends = ["default"]`)
	l.Environment = trial.With(l.Environment, append(w.variables, "PATH="+strings.Join(append(path, w.path()), ":"))...)
	return l
}
