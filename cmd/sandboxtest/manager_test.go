package sandboxtest

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// manager is a version manager, with the layout that it has, and what it does
// to PATH. Programs say which they are.
type manager struct {
	program string
	marker  string            // of the project
	files   map[string]string // below home, or absolute; a text that begins with #! is a program
	links   map[string]string
	path    []string // below home, or absolute; a login shell has them in this order
	vars    []string
	denied  string // below home, or absolute: of secrets there, none can be read inside
	kept    string // a link below home that is one inside, too
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
				".volta/layout.v4":                        "",
				".volta/bin/volta-shim":                   "#!/bin/sh\n[ -e \"$HOME/.volta/layout.v4\" ] && : >>\"${VOLTA_HOME:-$HOME/.volta}/volta.lock\" && exec \"$HOME/.volta/tools/image/node/22.1.0/bin/node\"\n",
				".volta/tools/image/node/22.1.0/bin/node": says("volta"),
			},
			links: map[string]string{".volta/bin/node": "volta-shim"}, path: []string{".volta/bin"}},
		"n": {program: "npm", marker: "package.json",
			files: map[string]string{"n/n/versions/node/22.1.0/bin/node": says("n"), "n/bin/node": says("n"), "n/lib/node_modules/npm/bin/npm-cli.js": "#!/usr/bin/env node\n"},
			links: map[string]string{"n/bin/npm": "../lib/node_modules/npm/bin/npm-cli.js"}, path: []string{"n/bin"}, vars: []string{"N_PREFIX=$H/n"}},
		"mise": {program: "python3", marker: "mise.toml",
			files: map[string]string{
				".local/share/mise/installs/python/3.13.1/bin/python3": says("mise"),
				".local/bin/mise": "#!/bin/sh\nexec \"$HOME/.local/share/mise/installs/python/3.13.1/bin/${0##*/}\"\n",
			},
			links: map[string]string{".local/share/mise/shims/python3": "$H/.local/bin/mise"}, path: []string{".local/share/mise/shims"}},
		"mise, with versions for all projects": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{
				".local/share/mise/installs/python/3.13.1/bin/python3": says("mise"),
				".local/bin/mise":                  "#!/bin/sh\nread -r _ _ v <\"$HOME/.config/mise/config.toml\" && read -r _ _ d <\"$HOME/.config/mise/conf.d/more.toml\" && exec \"$HOME/.local/share/mise/$d/python/$v/bin/${0##*/}\"\n",
				".config/mise/config.toml":         "python = 3.13.1\n",
				".config/mise/conf.d/more.toml":    "uv_venv_auto = installs\n",
				".config/mise/conf.d/secret.toml":  "[env]\nTOKEN = '" + secret + "'\n",
				".config/mise/conf.d/sub/env.toml": secret,
				".config/mise/conf.d/.hidden.toml": secret,
				".config/mise/github_tokens.toml":  secret,
				".config/mise/conf.d/plugins.toml": "x = 'https://" + secret + "@example.org'\n",
			},
			links: map[string]string{".local/share/mise/shims/python3": "$H/.local/bin/mise"}, path: []string{".local/share/mise/shims"},
			denied: ".config/mise"},
		"asdf": {program: "java", marker: ".tool-versions",
			files: map[string]string{
				".asdf/shims/java":                   "#!/bin/sh\nexec \"$HOME/.asdf/installs/java/21/bin/java\"\n",
				".asdf/installs/java/21/bin/java":    says("asdf"),
				".asdf/plugins/java/bin/list-legacy": says("x"),
			},
			path: []string{".asdf/shims"}},
		"asdf 0.16": {program: "java", marker: ".tool-versions",
			files: map[string]string{
				".local/bin/asdf":                 "#!/bin/sh\nshift && exec \"$HOME/.asdf/installs/java/21/bin/$1\"\n",
				".asdf/shims/java":                "#!/usr/bin/env bash\n# asdf-plugin: java 21\nexec asdf exec \"java\" \"$@\"",
				".asdf/installs/java/21/bin/java": says("asdf"),
			},
			path: []string{".asdf/shims", ".local/bin"}},
		"asdf without a version in the project": {program: "node", marker: "package.json",
			files: map[string]string{
				".asdf/shims/node":                  "#!/bin/sh\nwhile read -r _ v; do exec \"$HOME/.asdf/installs/nodejs/$v/bin/node\"; done <\"$HOME/.tool-versions\"\n",
				".asdf/installs/nodejs/22/bin/node": says("asdf"),
				".tool-versions":                    "nodejs 22\n",
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
		"pyenv shell": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{
				".pyenv/shims/python3":               "#!/bin/sh\nexec \"$HOME/.pyenv/versions/${PYENV_VERSION:-3.12.1}/bin/python3\"\n",
				".pyenv/versions/3.12.1/bin/python3": says("the usual"),
				".pyenv/versions/3.13.2/bin/python3": says("of this shell"),
			},
			path: []string{".pyenv/shims"}, vars: []string{"PYENV_VERSION=3.13.2"}},
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
		"nix": {program: "node", marker: "package.json", // of one user
			files: map[string]string{"/nix/store/trial-node-22/bin/node": says("nix")},
			links: map[string]string{
				"/nix/store/trial-user-environment/bin": "/nix/store/trial-node-22/bin",
				"/nix/var/nix/profiles/trial-1-link":    "/nix/store/trial-user-environment",
				"/nix/var/nix/profiles/trial":           "trial-1-link",
				".nix-profile":                          "/nix/var/nix/profiles/trial",
			},
			path: []string{".nix-profile/bin"}, kept: ".nix-profile"},
		"nix of many users": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{"/nix/store/trial-python/bin/python3": says("nix daemon")},
			links: map[string]string{
				"/nix/store/trial-profile/bin":             "/nix/store/trial-python/bin",
				".local/state/nix/profiles/profile-1-link": "/nix/store/trial-profile",
				".local/state/nix/profiles/profile":        "profile-1-link",
				".nix-profile":                             "$H/.local/state/nix/profiles/profile",
			},
			path: []string{".nix-profile/bin"}},
		"nix by XDG": {program: "cargo", marker: "Cargo.toml",
			files: map[string]string{"/nix/store/trial-rust/bin/cargo": says("nix profile")},
			links: map[string]string{
				".local/state/nix/profiles/profile-2-link": "/nix/store/trial-rust",
				".local/state/nix/profiles/profile":        "profile-2-link",
				".local/state/nix/profile":                 "profiles/profile",
			},
			path: []string{".local/state/nix/profile/bin"}},
		"nix develop": {program: "java", marker: "pom.xml",
			files: map[string]string{"/nix/store/trial-jdk/bin/java": says("nix develop")}, path: []string{"/nix/store/trial-jdk/bin"}},
		"guix": {program: "cargo", marker: "Cargo.toml",
			files: map[string]string{"/gnu/store/trial-rust/bin/cargo": says("guix")},
			links: map[string]string{
				"/gnu/store/trial-profile/bin/cargo":                    "/gnu/store/trial-rust/bin/cargo",
				"/var/guix/profiles/per-user/trial/guix-profile-1-link": "/gnu/store/trial-profile",
				"/var/guix/profiles/per-user/trial/guix-profile":        "guix-profile-1-link",
				".guix-profile": "/var/guix/profiles/per-user/trial/guix-profile",
			},
			path: []string{".config/guix/current/bin", ".guix-profile/bin"}, vars: []string{"GUIX_PROFILE=$H/.guix-profile"}},
		"guix home": {program: "node", marker: "package.json",
			files: map[string]string{"/gnu/store/trial-home/bin/node": says("guix home")},
			links: map[string]string{
				"/var/guix/profiles/per-user/trial/guix-home-1-link": "/gnu/store/trial-home",
				".guix-home/profile": "/var/guix/profiles/per-user/trial/guix-home-1-link",
			},
			path: []string{".guix-home/profile/bin"}, kept: ".guix-home/profile"},
		"linuxbrew": {program: "java", marker: "pom.xml",
			files: map[string]string{
				"/home/linuxbrew/.linuxbrew/Cellar/openjdk/21/bin/java":   "#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../../../../opt/openjdk/lib/name\"\n",
				"/home/linuxbrew/.linuxbrew/Cellar/openjdk/21/lib/name":   "linuxbrew\n",
				"/home/linuxbrew/.linuxbrew/var/postgresql@17/PG_VERSION": secret,
			},
			links: map[string]string{
				"/home/linuxbrew/.linuxbrew/opt/openjdk": "../Cellar/openjdk/21",
				"/home/linuxbrew/.linuxbrew/bin/java":    "../Cellar/openjdk/21/bin/java",
			},
			path: []string{"/home/linuxbrew/.linuxbrew/bin"}, denied: "/home/linuxbrew/.linuxbrew/var/postgresql@17/PG_VERSION"},
		"linuxbrew in home": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{"brew/Cellar/python/3.13/bin/python3": says("brew")},
			links: map[string]string{"brew/bin/python3": "../Cellar/python/3.13/bin/python3"},
			path:  []string{"brew/bin"}, vars: []string{"HOMEBREW_PREFIX=$H/brew"}},
		"R of Debian": {program: "R", marker: "renv.lock",
			files: map[string]string{"/usr/lib/trial-R/R": "#!/bin/sh\n. /usr/lib/trial-R/ldpaths\n", "/etc/R/trial-ldpaths": "echo R\n"},
			links: map[string]string{"/usr/lib/trial-R/ldpaths": "/etc/R/trial-ldpaths"}, path: []string{"/usr/lib/trial-R"}},
		"conda, wherever it lies": {program: "python3", marker: "pyproject.toml",
			files: map[string]string{"forge/envs/a/bin/python3": says("conda")}, path: []string{"forge/envs/a/bin"}, vars: []string{"CONDA_PREFIX=$H/forge/envs/a"}},
		"rvm": {program: "ruby", marker: "Gemfile",
			files: map[string]string{
				".rvm/rubies/ruby-3.4.1/bin/ruby": "#!/bin/sh\nread -r what <\"$GEM_HOME/gems/what\" && echo \"$what\"\n",
				".rvm/gems/ruby-3.4.1/gems/what":  "rvm\n",
			},
			path: []string{".rvm/rubies/ruby-3.4.1/bin"}, vars: []string{"GEM_HOME=$H/.rvm/gems/ruby-3.4.1"}},
		"gems beside their login": {program: "rake", marker: "Rakefile",
			files: map[string]string{".gem/bin/rake": says("rake"), ".gem/gems/rake/rake": "gem\n", ".gem/credentials": secret},
			path:  []string{".gem/bin"}, vars: []string{"GEM_HOME=$H/.gem"}, denied: ".gem"},
		"cargo install": {program: "just", marker: "Cargo.toml",
			files: map[string]string{"tools/bin/just": says("just")}, path: []string{"tools/bin"}, vars: []string{"CARGO_INSTALL_ROOT=$H/tools"}},
		"moved": {program: "cargo", marker: "Cargo.toml",
			files: map[string]string{"data/c/bin/cargo": says("moved")}, path: []string{"data/c/bin"}, vars: []string{"CARGO_HOME=$H/data/c"}},
	}
}

// TestManagers: a program that a version manager provides is the same inside as outside.
func TestManagers(t *testing.T) {
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		all := managers()
		for i, name := range slices.Sorted(maps.Keys(all)) {
			if !s.HasTurn(i) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				m := all[name]
				if m.root() && os.Getuid() != 0 {
					t.Skip("its files lie where only root can make them")
				}
				if m.root() {
					harness.ChangesSystem(t)
				} else {
					harness.NeedsSystem(t)
				}
				w := newWorld(t, s)
				m.judge(t, m.install(t, &w))
			})
		}
	})
}

func (m manager) judge(t *testing.T, l launcher) {
	t.Helper()
	outside := l
	outside.Program = "/usr/bin/env"
	want, got := outside.Run(t, m.program), l.Run(t, m.program)
	if want.Status != 0 || got.Status != 0 || got.Stdout != want.Stdout {
		t.Errorf("%s: inside %d %q, outside %d %q: %s", m.program, got.Status, got.Stdout, want.Status, want.Stdout, got.Stderr)
	}
	if strings.Contains(got.Stderr, "does not show") {
		t.Errorf("%s: it says %s", m.program, got.Stderr)
	}
	at := l.Run(t, "bash", "-c", `type -P "$0"`, m.program).Stdout
	if got := l.Run(t, "--sandbox-explain", strings.TrimSuffix(at, "\n")); !strings.HasSuffix(got.Stdout, ": read-only\n") {
		t.Errorf("explained: %s%s", got.Stdout, got.Stderr)
	}
	if m.kept != "" {
		l.Run(t, "readlink", "-f", filepath.Join(l.Home, m.kept)).Expect(t, "the same", 0, outside.Run(t, "readlink", "-f", filepath.Join(l.Home, m.kept)).Stdout)
	}
	if m.denied != "" {
		look := []string{"grep", "-rl", secret, filepath.Join(l.Home, m.denied)}
		if filepath.IsAbs(m.denied) {
			look[3] = m.denied
		}
		if got := outside.Run(t, look...); got.Stdout == "" {
			t.Errorf("no secret outside: %s", got.Stderr)
		}
		if got := l.Run(t, look...); got.Stdout != "" {
			t.Errorf("can be read inside: %s", got.Stdout)
		}
	}
}

// root reports whether some file lies outside home.
func (m manager) root() bool {
	for name := range m.files {
		if filepath.IsAbs(name) {
			return true
		}
	}
	return false
}

// make makes a file, or a link, and gives the topmost that it has made for it
// outside of home.
func (w world) make(t *testing.T, file string, write func(string) error) []string {
	t.Helper()
	made := file
	for dir := filepath.Dir(file); !harness.Exists(dir); dir = filepath.Dir(dir) {
		made = dir
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), write(file)); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(file, w.Home+"/") {
		return nil
	}
	return []string{made}
}

// vanish removes each at once, so that no launcher of another test finds a part.
func vanish(t *testing.T, tops []string) {
	t.Helper()
	for _, top := range tops {
		aside := top + ".removed"
		if harness.Exists(top) {
			if err := errors.Join(os.Rename(top, aside), os.RemoveAll(aside)); err != nil {
				t.Error(err)
			}
		}
	}
}

// install builds the layout, and gives a launcher that is started as a login
// shell of that manager would start it.
func (m manager) install(t *testing.T, w *world) launcher {
	t.Helper()
	at := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(w.Home, name)
	}
	var tops []string
	t.Cleanup(func() { vanish(t, tops) })
	for name, text := range m.files {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		tops = append(tops, w.make(t, at(name), func(file string) error { return os.WriteFile(file, []byte(text), mode) })...)
	}
	w.Write(t, map[string]string{strings.TrimPrefix(w.Project, w.Top+"/") + "/" + m.marker: ""})
	for name, target := range m.links {
		tops = append(tops, w.make(t, at(name), func(file string) error { return os.Symlink(strings.ReplaceAll(target, "$H", w.Home), file) })...)
	}
	w.Give(t, w.Home)
	var path []string
	for _, dir := range m.path {
		path = append(path, at(dir))
	}
	for _, v := range m.vars {
		w.variables = append(w.variables, strings.ReplaceAll(v, "$H", w.Home))
	}
	l := w.launch(t, `extends = ["default"]`)
	l.Environment = harness.With(l.Environment, append(w.variables, "PATH="+strings.Join(append(path, w.path()), ":"))...)
	return l
}
