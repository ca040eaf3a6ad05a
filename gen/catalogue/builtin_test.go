package catalogue

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
)

// TestBuiltinCovers names the families that the catalogue promises.
func TestBuiltinCovers(t *testing.T) {
	c := builtin(t)
	families := map[string][]string{
		"package managers": {"cargo", "go", "npm", "pnpm", "yarn", "bun", "deno", "pip", "uv", "poetry", "pdm", "conda", "pixi",
			"bundler", "maven", "gradle", "sbt", "coursier", "nuget", "cabal", "stack", "opam", "hex", "dart", "swiftpm", "nimble",
			"shards", "julia", "renv", "cpanm", "luarocks", "composer", "conan", "vcpkg", "nix", "homebrew"},
		"version managers": {"rustup", "nvm", "fnm", "volta", "mise", "asdf", "proto", "pyenv", "rbenv", "rvm", "sdkman", "jenv",
			"goenv", "ghcup", "elan", "juliaup", "tfenv", "perlbrew", "phpenv"},
		"build systems": {"bazel", "buck2", "pants", "cmake", "meson", "ccache", "sccache", "turborepo", "mill"},
		"agents": {"claude-code", "codex", "gemini-cli", "opencode", "aider", "goose", "crush", "amp", "copilot-cli", "qwen-code",
			"cursor-agent"},
		"logins":     {"aws", "gcloud", "azure", "kubectl", "gh", "glab", "docker", "ssh", "git", "terraform"},
		"key stores": {"gnupg", "pass", "1password", "bitwarden", "keepassxc", "gnome-keyring", "kwallet", "kerberos"},
		"programs":   {"firefox", "chrome", "shell", "history", "vim", "neovim", "emacs", "vscode", "jetbrains"},
		"sockets": {"docker", "containerd", "podman", "crio", "k3s", "libvirt", "lxd", "incus", "lima", "systemd-user", "dbus-session",
			"ssh-agent", "x11", "wayland"},
		"system": {"system", "project"},
	}
	for family, names := range families {
		for _, name := range names {
			if _, ok := c.Tool(name); !ok {
				t.Errorf("%s: nothing about %s", family, name)
			}
		}
	}
}

// TestBuiltinRefuses looks for places whose secrecy everything rests on, with
// the folders around them.
func TestBuiltinRefuses(t *testing.T) {
	sensitive := builtin(t).Sensitive(expr.Env{Home: "/home/u", Lookup: map[string]string{
		"XDG_RUNTIME_DIR": "/run/user/1000", "CARGO_HOME": "/data/cargo", "KUBECONFIG": "/data/kube", "SSH_AUTH_SOCK": "/tmp/agent",
		"HISTFILE": "/dev/null", "DOCKER_CONFIG": "/home/u",
	}}, unlinked)
	for _, at := range []string{
		"/home/u/.ssh", "/home/u/.ssh/id_ed25519", "/home/u", "/home", "/", "/home/u/.config", "/home/u/.local/share",
		"/home/u/.cargo/credentials.toml", "/data/cargo/credentials.toml", "/data/cargo", "/data/kube", "/home/u/.kube",
		"/home/u/.aws", "/home/u/.gnupg", "/home/u/.netrc", "/home/u/.npmrc", "/home/u/.bashrc", "/home/u/.claude",
		"/run/docker.sock", "/var/run/docker.sock", "/run", "/var/run", "/run/user/1000/docker.sock", "/run/user/1001/podman/podman.sock",
		"/run/user/1000", "/run/containerd/containerd.sock", "/run/libvirt", "/tmp/agent", "/tmp", "/tmp/ssh-Xy/agent.1", "/etc",
		"/etc/shadow", "/etc/ssl/private", "/var/lib/incus/unix.socket", "/nix/var/nix", "/home/u/secrets.kdbx",
	} {
		if len(sensitive.Conflicts(at)) == 0 {
			t.Errorf("nothing sensitive at %s", at)
		}
	}
	for _, at := range []string{
		"/usr", "/usr/share", "/opt", "/dev/null", "/home/u/work", "/home/u/.cargo/registry", "/data/cargo/registry", "/home/u/go/pkg/mod",
		"/home/u/.cache/uv", "/etc/passwd", "/etc/hosts", "/srv",
	} {
		for _, s := range sensitive.Conflicts(at) {
			t.Errorf("%s: not expected: %s %q of %s", at, s.Kind, s.Path, s.Tool)
		}
	}
}

// TestBuiltinPath: what stands on PATH can be seen.
func TestBuiltinPath(t *testing.T) {
	for _, tool := range builtin(t).Tools {
		for _, p := range tool.Path {
			inside := func(e Entry) bool {
				for _, at := range Places(e.Path) {
					for _, dir := range Places(p.Path) {
						if at.Base == dir.Base && at.Name == dir.Name && (dir.Rest == at.Rest || strings.HasPrefix(dir.Rest, at.Rest+"/")) {
							return true
						}
					}
				}
				return false
			}
			if !slices.ContainsFunc(tool.Toolchain, inside) {
				t.Errorf("%s: %q lies in none of its toolchains", tool.Name, p.Path)
			}
		}
	}
}

// TestBuiltinSettings: a variable that a tool sets is not one that it passes,
// and no login is passed without being asked for.
func TestBuiltinSettings(t *testing.T) {
	for _, tool := range builtin(t).Tools {
		for _, name := range slices.Concat(tool.Keys, tool.Clear) {
			if slices.Contains(tool.Variables(), name) {
				t.Errorf("%s: %s is passed although it is a login or a way out", tool.Name, name)
			}
		}
		for _, s := range tool.Set {
			if slices.Contains(tool.Pass, s.Name) {
				t.Errorf("%s: %s is set and passed", tool.Name, s.Name)
			}
			if s.Why == "" {
				t.Errorf("%s: %s is set without a reason", tool.Name, s.Name)
			}
		}
	}
}

// TestBuiltinSystem: every entry of /etc has its reason.
func TestBuiltinSystem(t *testing.T) {
	system, ok := builtin(t).Tool("system")
	if !ok || len(system.Read) < 40 {
		t.Fatalf("the system's baseline has %d entries", len(system.Read))
	}
	for _, e := range system.Read {
		if e.Why == "" {
			t.Errorf("%s has no reason", e.Path)
		}
	}
}

// TestBuiltinProject: the catalogue knows what the host runs.
func TestBuiltinProject(t *testing.T) {
	var known []string
	for _, tool := range builtin(t).Tools {
		for _, e := range tool.Project {
			known = append(known, e.Path.String())
		}
	}
	for _, name := range []string{
		"./.git/hooks", "./.git/config", "./.envrc", "./.vscode", "./.cargo", "./.npmrc", "./.claude", "./.mcp.json",
		"./.augment", "./.github/agents", "./.github/mcp.json", "./.kilo", "./.kilocode", "./.pi", "./kilo.json", "./kilo.jsonc",
		"./.devin", "./.kimi-code", "./.letta", "./.omp", "./.openhands", "./.qoder",
	} {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not known", name)
		}
	}
}

// TestBuiltinMoved: what a variable moves is known where it leads, secrets and
// sockets most of all, of which nothing else would tell.
func TestBuiltinMoved(t *testing.T) {
	c := builtin(t)
	var hidden []string
	for _, s := range c.Hidden() {
		hidden = append(hidden, s.Path.String())
	}
	for _, place := range []string{
		"$ANDROID_SDK_HOME/.android", "$BOTO_CONFIG", "$CODEX_SQLITE_HOME", "$COPILOT_PROVIDERS_CONFIG", "$COURSIER_CREDENTIALS", "$GROK_HOME", "$INCUS_DIR", "$INCUS_SOCKET", "$LETTA_HOME", "$LETTA_LOCAL_BACKEND_DIR", "$LXD_DIR", "$LXD_SOCKET",
		"$NIX_CONFIG_HOME/nix.conf", "$NIX_DAEMON_SOCKET_PATH", "$NIX_USER_CONF_FILES", "$OPENCODE_DB", "$QWEN_RUNTIME_DIR", "$SBT_CREDENTIALS", "$SBT_GLOBAL_SERVER_DIR",
	} {
		if !slices.Contains(hidden, place) {
			t.Errorf("%s is not hidden", place)
		}
	}
	for tool, names := range map[string][]string{
		"asdf": {"ASDF_DIR"}, "bazel": {"BAZELISK_HOME_LINUX"}, "cargo": {"CARGO_INSTALL_ROOT"}, "conda": {"CONDA_ENVS_DIRS", "CONDA_ENVS_PATH", "CONDA_PREFIX"},
		"cpp": {"VCPKG_DOWNLOADS"}, "dart": {"ANALYZER_STATE_LOCATION_OVERRIDE"}, "kubernetes": {"HELM_REPOSITORY_CACHE"}, "pipx": {"PIPX_BIN_DIR"},
		"ruby": {"GEM_HOME", "GEM_PATH"}, "swift": {"SWIFTLY_TOOLCHAINS_DIR"}, "turborepo": {"TURBO_CACHE_DIR"},
	} {
		known, _ := c.Tool(tool)
		for _, name := range names {
			if !slices.Contains(known.Variables(), name) {
				t.Errorf("%s: %s moves nothing", tool, name)
			}
		}
	}
}
