package lint_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/problem"
)

// sound is a script about which there is nothing to say.
const sound = `#!/bin/bash -p
set -euo pipefail
[[ $PWD != / && $PWD != "$HOME" ]] || exit 1
for fd in /proc/self/fd/*; do
  fd=${fd##*/}
  ((fd < 3)) || exec {fd}>&-
done
args=(
  --unshare-user
  --disable-userns
  --unshare-pid
  --unshare-ipc
  --unshare-uts
  --unshare-cgroup
  --unshare-net
  --die-with-parent
  --new-session
  --ro-bind /usr /usr
  --proc /proc
  --dev /dev
  --tmpfs /tmp
  --bind "$PWD" "$PWD"
  --ro-bind "$PWD/.git" "$PWD/.git"
  --remount-ro /
)
exec env -i "HOME=$HOME" /usr/bin/bwrap "${args[@]}" -- "$@"
`

// judge gives the findings about a script, without the hints.
func judge(t *testing.T, script string) []lint.Finding {
	t.Helper()
	result, err := lint.Script("x", []byte(script), catalogue.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range result.Notes {
		t.Logf("note: %s", n.What)
	}
	return result.Findings
}

func TestSound(t *testing.T) {
	for _, f := range judge(t, sound) {
		t.Error(f)
	}
}

// edit is a change of the sound script, a pair of texts at a time.
type edit []string

func (e edit) apply(t *testing.T) string {
	t.Helper()
	script := sound
	for i := 0; i < len(e); i += 2 {
		if !strings.Contains(script, e[i]) {
			t.Fatalf("there is no %q", e[i])
		}
		script = strings.Replace(script, e[i], e[i+1], 1)
	}
	return script
}

// behind adds options behind the bind of the project; over, before it.
func behind(options string) edit {
	return edit{"\n  --remount-ro /\n", "\n  " + options + "\n  --remount-ro /\n"}
}
func over(options string) edit { return edit{"--bind \"$PWD\"", options + "\n  --bind \"$PWD\""} }

const (
	tmpfsRoot = "\n  --remount-ro /\n"
	call      = `exec env -i "HOME=$HOME" /usr/bin/bwrap "${args[@]}" -- "$@"`
)

// wholeRoot puts the host's root, with options behind it, in the place of /usr.
func wholeRoot(options string) edit {
	return edit{"--ro-bind /usr /usr", "--ro-bind / / --tmpfs \"$HOME\" --tmpfs /run --tmpfs /var/tmp " + options}
}

// git has the project hold its settings in another way.
func git(options string) edit { return edit{`--ro-bind "$PWD/.git" "$PWD/.git"`, options} }

var cases = []struct {
	rule string
	hole edit // has one finding, of that rule
	fine edit // is like it, and has none
	says string
}{
	{"git-writable", git(""), git(`--ro-bind-try "$PWD/.git" "$PWD/.git"`), "can change .git/hooks and .git/config,"},
	{"git-writable", git(`--bind "$PWD/.git" "$PWD/.git"`), git(`--tmpfs "$PWD/.git"`), "can change .git/hooks and .git/config,"},
	{"git-writable", git(`--ro-bind .git .git --bind . . --ro-bind .git/hooks .git/hooks`), git(`--ro-bind .git .git --bind . . --ro-bind .git/hooks .git/hooks --ro-bind .git/config .git/config`), "can change .git/config,"},
	{"git-writable", edit{`--bind "$PWD" "$PWD"`, `--bind "$PWD" /inside`}, edit{`--bind "$PWD" "$PWD"`, `--bind "$PWD" /inside`, `"$PWD/.git" "$PWD/.git"`, `"$PWD/.git" /inside/.git`}, "can change .git/hooks and .git/config,"},
	{"git-writable", over(`--bind /srv/p/.git /srv/p/.git`), over(`--bind /srv/p /srv/p`), "can change .git/hooks and .git/config,"},
	{"git-writable", git(""), git("\n  \"$more\""), "can change .git/hooks and .git/config,"},
	{"pid-shared", edit{"  --unshare-pid\n", ""}, edit{"  --unshare-pid\n", "  --unshare-all\n"}, "no --unshare-pid"},
	{"namespaces-shared", edit{"  --unshare-ipc\n", ""}, edit{"  --unshare-ipc\n", "  --unshare-all\n"}, "no --unshare-ipc"},
	{"namespaces-shared", edit{"  --unshare-uts\n", ""}, edit{"  --unshare-uts\n", "  --unshare-all\n"}, "no --unshare-uts"},
	{"namespaces-shared", edit{"  --unshare-cgroup\n", ""}, edit{"args=(\n", "[[ -z ${A-} ]] || more=(--unshare-cgroup)\nargs=(\n", "  --unshare-cgroup\n", "  \"${more[@]}\"\n"}, "no --unshare-cgroup"},
	{"user-shared", edit{"  --unshare-user\n  --disable-userns\n", "  --seccomp 5\n"}, edit{"--disable-userns", "--seccomp 5"}, "no --unshare-user"},
	{"unshare-try", edit{"  --unshare-cgroup\n", "  --unshare-cgroup-try\n"}, edit{"  --unshare-ipc\n", "  --unshare-all\n"}, "--unshare-cgroup-try leaves out"},
	{"unshare-try", edit{"  --unshare-user\n  --disable-userns\n", "  --unshare-all\n  --seccomp 5\n"}, edit{"  --unshare-uts\n", "  --unshare-all\n"}, "--unshare-all leaves out"},
	{"nested-userns", edit{"  --disable-userns\n", ""}, edit{"--disable-userns", "--seccomp 5"}, "user namespaces"},
	{"disable-userns-alone", edit{"  --unshare-user\n", "  --unshare-all\n"}, edit{"  --unshare-user\n", "  --unshare-user\n  --unshare-all\n"}, "fails without"},
	{"capability-added", behind("--cap-add CAP_NET_RAW"), behind("--cap-drop ALL"), "CAP_NET_RAW"},
	{"capability-added", behind("--cap-add all"), behind("--cap-drop ALL"), "every capability"},
	{"device-bound", behind("--dev-bind /dev/kmsg /dev/kmsg"), behind("--ro-bind /dev/kmsg /dev/kmsg"), "the kernel's log"},
	{"device-bound", behind("--dev-bind /dev/vda1 /dev/vda1"), behind("--dev-bind /dev/urandom /dev/urandom"), "a disk of the host"},
	{"device-bound", behind("--dev-bind /dev/mine /dev/mine"), behind("--dev-bind /dev/nvidia0 /dev/nvidia0"), "use a device of the host"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `[[ $PWD == "$HOME"* ]] || exit 1`}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `[[ $PWD == "$HOME"/code/?* ]] || exit 1`}, "nothing refuses that"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `[[ $PWD == "$1" ]] || exit 1`}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `case $PWD in /srv/code/*) ;; *) exit 1 ;; esac`}, "nothing refuses that"},
	{"network-shared", behind("--unshare-all --share-net"), behind("--unshare-all --share-net --unshare-net"), "127.0.0.1"},
	{"network-shared", behind("--share-net"), behind("--unshare-net"), "127.0.0.1"},
	{"share-net-undone", behind("--share-net --unshare-all"), behind("--share-net"), "takes the network away again"},
	{"network-open", edit{"  --unshare-net\n", ""}, edit{"  --unshare-net\n", "  --unshare-all\n"}, "host's network"},
	{"network-open", edit{"  --unshare-net\n", ""}, edit{"  --unshare-net\n", "  --share-net\n"}, "host's network"},
	{"status-lost", edit{call, strings.TrimPrefix(call, "exec ") + " | cat", "set -euo pipefail", "set -eu"}, edit{call, strings.TrimPrefix(call, "exec ") + " | cat"}, "in the pipe"},
	{"status-lost", edit{call, strings.TrimPrefix(call, "exec ") + " || true"}, edit{call, strings.TrimPrefix(call, "exec ") + " || exit"}, "thrown away"},
	{"status-lost", edit{call, strings.TrimPrefix(call, "exec ") + "\necho done", "set -euo pipefail", "set -u"}, edit{call, strings.TrimPrefix(call, "exec ") + "\nexit $?", "set -euo pipefail", "set -u"}, "other commands follow"},
	{"exit-trap-lost", edit{call, call + "\nrm -rf \"$work\""}, edit{call, strings.TrimPrefix(call, "exec ") + "\nrm -rf \"$work\""}, "this never runs"},
	{"device-bound", behind("--dev-bind /dev/input /dev/input"), behind("--dev-bind /dev/dri /dev/dri"), "what is typed"},
	{"device-bound", behind("--dev-bind-try /dev/uinput /dev/uinput"), behind("--dev-bind /dev/kvm /dev/kvm"), "as a keyboard"},
	{"device-bound", behind("--dev-bind /dev/snd /dev/snd"), behind("--dev-bind /dev/snd /dev/snd --tmpfs /dev/snd"), "microphone"},
	{"agent-socket", behind(`--bind "$SSH_AUTH_SOCK" /agent`), behind("--unsetenv SSH_AUTH_SOCK"), "ssh-agent"},
	{"agent-socket", behind(`--ro-bind "$(dirname "$SSH_AUTH_SOCK")" /agent`), behind(`--ro-bind "$(dirname "$OTHER")" /agent`), "ssh-agent"},
	{"agent-socket", behind(`--bind "$XDG_RUNTIME_DIR/gnupg" /g`), behind(`--bind "$XDG_RUNTIME_DIR/mine" /g`), "gpg-agent"},
	{"control-socket", behind(`--bind "${DBUS_SESSION_BUS_ADDRESS#unix:path=}" /bus`), behind(`--bind "$PROXY/bus" /bus`), "session bus"},
	{"desktop-socket", behind(`--ro-bind "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" /w`), behind(`--ro-bind "$XDG_RUNTIME_DIR/$OTHER" /w`), "clipboard"},
	{"desktop-socket", behind(`--ro-bind /run/user/1000/pulse/native /p`), behind(`--ro-bind /run/user/1000/mine /p`), "microphone"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, ""}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `case $PWD in / | "$HOME") exit 1 ;; esac`}, "nothing refuses that"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "cd -P ."}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `here=$(pwd); [ "$here" = "$HOME" ] && exit 1`}, "nothing refuses that"},
	{"wrong-arity", behind("--tmpfs --proc /proc"), behind("--tmpfs /x --proc /proc"), "takes --proc for its operand"},
	{"wrong-arity", edit{call, `exec env -i bwrap "${args[@]}" /x --unshare-all make`}, edit{call, `exec env -i bwrap "${args[@]}" -- make --unshare-all`}, "/x begins the command"},
	{"unknown-option", behind("--unshare-everything"), behind("--unshare-all"), "no option --unshare-everything"},
	{"newer-option", edit{"args=(\n", "# Needs bubblewrap 0.5 or later.\nargs=(\n"}, edit{"args=(\n", "# Needs bubblewrap 0.8 or later.\nargs=(\n"}, "--disable-userns needs bwrap 0.8"},
	{"persistence-writable", behind(`--bind ~/bin ~/bin`), behind(`--ro-bind ~/bin ~/bin`), "~/bin"},
	{"persistence-writable", behind(`--bind ~/.claude ~/.claude`), behind(`--bind ~/work ~/work`), "~/.claude"},
	{"persistence-writable", behind(`--bind "$XDG_CONFIG_HOME/autostart" /a`), behind(`--bind "$XDG_CONFIG_HOME/mine" /a`), "autostart"},
	{"git-writable", edit{"args=(\n", "top=$(git rev-parse --show-toplevel)\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$top" "$top"`, `--ro-bind "$PWD/.git" "$PWD/.git"`, ""}, edit{"args=(\n", "top=$(git rev-parse --show-toplevel)\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$top" "$top"`, `"$PWD/.git" "$PWD/.git"`, `"$top/.git" "$top/.git"`}, "can change .git/hooks and .git/config,"},
	{"git-writable", git(`--bind "$more" "$more"`), git(`--ro-bind "$more" "$more"`), "can change .git/hooks and .git/config,"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "top=$(git rev-parse --show-toplevel || pwd)", `--bind "$PWD" "$PWD"`, `--bind "$top" "$top"`}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "top=$(git rev-parse --show-toplevel || pwd)\ncase \"$HOME/\" in \"${top%/}\"/*) exit 1 ;; esac", `--bind "$PWD" "$PWD"`, `--bind "$top" "$top"`}, "nothing refuses that"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "p=$(cd . && pwd)", `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, edit{`--bind "$PWD" "$PWD"`, `--bind "$(cd src && pwd)" /src`}, "all of ~ writable"},
	{"renamable", edit{"args=(\n", "d=$1\n[[ -n $d ]] || d=.\nd=$(realpath \"$d\")\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$d" "$d" --ro-bind "$d/.vscode/tasks.json" "$d/.vscode/tasks.json"`}, edit{"args=(\n", "d=$1\n[[ -n $d ]] || d=.\nd=$(realpath \"$d\")\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$d" "$d" --ro-bind "$d/.vscode" "$d/.vscode"`}, "$PWD/.vscode can be renamed"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `p=$(realpath "${1:-.}")`, `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `p=$(realpath "${1:-/srv}")`, `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, "all of ~ writable"},
	{"git-writable", edit{"args=(\n", "top=$(git rev-parse --show-toplevel)\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$top" /w`, `"$PWD/.git" "$PWD/.git"`, `"$X" "$X"`}, edit{"args=(\n", "top=$(git rev-parse --show-toplevel)\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$top" /w`, `"$PWD/.git" "$PWD/.git"`, `"$X" "$Y"`}, "can change .git/hooks and .git/config,"},
	{"outlives-parent", edit{"  --die-with-parent\n", "  `# it is a daemon`\n"}, edit{"  --die-with-parent\n", "  `# it is none` --die-with-parent\n"}, "no --die-with-parent"},
	{"control-socket", behind("--bind /nix/var/nix/daemon-socket /d"), behind("--ro-bind /nix/var/nix/profiles /d"), "build outside the sandbox"},
	{"system-writable", behind("--bind /nix /n"), behind("--bind /nix/var/nix/daemon-socket /d"), "can change /nix of"},
	{"persistence-writable", behind("--bind ~/.config/google-chrome /c"), behind("--ro-bind ~/.config/google-chrome /c"), "NativeMessagingHosts"},
	{"git-writable", behind(`--bind "$(dirname "$0")/.." /r`), behind(`--bind "$(dirname "$0")/.." /r --ro-bind "$(dirname "$0")/../.git" /r/.git`), "can change .git/hooks and .git/config,"},
	{"git-writable", git(`${X:+--bind "$PWD" /w}`), git(`--ro-bind "$PWD/.git" "$PWD/.git" ${X:+--bind "$PWD" /w --ro-bind "$PWD/.git" /w/.git}`), "can change .git/hooks and .git/config,"},
	{"desktop-socket", behind(`--bind "$XDG_RUNTIME_DIR"/pulse* /p`), behind(`--bind "$XDG_RUNTIME_DIR"/mine* /p`), "microphone"},
	{"secrets-readable", edit{"exec env", "for b in $BINDS; do args+=(--bind \"${b%%:*}\" \"${b#*:}\"); done\nexec env", "--ro-bind /usr /usr", "--ro-bind /home /home"}, edit{"exec env", "for b in $MASKS; do args+=(--tmpfs \"${b#*:}\"); done\nexec env", "--ro-bind /usr /usr", "--ro-bind /home /home"}, "~/.ssh, "},
	{"secrets-readable", behind(`--bind "$XDG_RUNTIME_DIR"/.mutter-X* /m`), behind(`--bind "$XDG_RUNTIME_DIR"/.mine-X* /m`), "the secrets in /run/user/UID/.mutter-X*"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `top() { git rev-parse --show-toplevel || echo "$PWD"; }; p=${ROOT:-}; p=$(realpath "${p:-$(top)}")`, `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `top() { git rev-parse --show-toplevel || echo "$PWD" >&2; }; p=${ROOT:-}; p=$(realpath "${p:-$(top)}")`, `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, "all of ~ writable"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "d=$PWD; while [[ $d != / ]]; do d=${d%/*}; done"}, edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, "d=$PWD; if [[ $d == / ]]; then exit 1; fi"}, "all of ~ writable"},
	{"link-destination", over("--ro-bind /lib /lib --symlink usr/lib /lib"), over("--ro-bind /lib /lib --symlink usr/lib64 /lib64"), "refuses to start"},
	{"secrets-readable", behind(`--ro-bind "$XAUTHORITY" /x`), behind(`--ro-bind "$OTHER" /x`), "~/.Xauthority"},
	{"persistence-writable", behind(`--bind ~/.docker/cli-plugins /d`), behind(`--ro-bind ~/.docker/contexts /d`), "cli-plugins"},
	{"persistence-writable", behind(`--bind ~/.ssh ~/.ssh`), behind(`--ro-bind ~/.ssh ~/.ssh`), "credentials in ~/.ssh"},
	{"outlives-parent", edit{"  --die-with-parent\n", "  $(for v in /dev/v*; do echo -n \"--dev-bind $v $v \"; done)\n"}, edit{"  --die-with-parent\n", "  $(cat options)\n"}, "no --die-with-parent"},
	{"outlives-parent", edit{"  --die-with-parent\n", "", "exec env", "if x; then p=/opt/a; else p=/opt/b; fi\nexec env", `-- "$@"`, `"$p" "$@"`}, edit{"exec env", "if x; then p=/opt/a; else p=/opt/b; fi\nexec env", `-- "$@"`, `"$p" "$@"`}, "no --die-with-parent"},
	{"secret-in-arguments", behind(`--setenv OPENCODE_CONFIG_CONTENT "$CONFIG"`), behind(`--setenv OPENCODE_CONFIG_CONTENT '{"permission": "allow"}'`), "OPENCODE_CONFIG_CONTENT"},
	{"agent-socket", behind(`--bind "$(gpgconf --list-dirs socketdir)" /g`), behind(`--bind "$(gpgconf --list-dirs sysconfdir)" /g`), "gpg-agent"},
	{"desktop-socket", behind(`--ro-bind "$XDG_RUNTIME_DIR/wayland-1" /w`), behind(`--ro-bind "$XDG_RUNTIME_DIR/wayland-1.lock" /w`), "clipboard"},
	{"persistence-writable", behind(`--bind ~/.local/share/uv/tools /t`), behind(`--ro-bind ~/.local/share/uv/tools /t`), "~/.local/share/uv/tools"},
	{"persistence-writable", behind(`--bind ~/.gnupg /g`), behind(`--ro-bind ~/.gnupg /g`), "~/.gnupg/gpg-agent.conf"},
	{"persistence-writable", edit{"args=(\n", "here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\nargs=(--bind \"$here\" /h\n"}, edit{"args=(\n", "here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\nargs=(--bind \"$here/work\" /h\n"}, "can change this script"},
	{"persistence-writable", behind(`--bind "${0%/*}" /h`), behind(`--bind "${0%/*}" /h --ro-bind "$0" /h/box`), "can change this script"},
	{"root-writable", edit{"--ro-bind /usr /usr", `--bind "$HOME/../.." / --tmpfs /home --tmpfs /root --tmpfs /run --tmpfs /var/tmp`}, behind(`--bind "$X/../.." /x`), "can change / of the host"},
	{"secrets-readable", behind("--ro-bind /run /run"), behind("--ro-bind /run /run --tmpfs /run/user"), "/run/user/UID/"},
	{"no-double-dash", edit{"exec env", "[ $# -gt 0 ] || set -- \"$SHELL\"\nexec env", `-- "$@"`, `"$@"`}, edit{"exec env", "[ $# -gt 0 ] || set -- \"$SHELL\"\nexec env"}, "options of bwrap"},
	{"pid-shared", edit{"  --unshare-pid\n", "", `-- "$@"`, `$(readlink $(which make)) "$@"`}, edit{`-- "$@"`, `$(readlink $(which make)) "$@"`}, "no --unshare-pid"},
	{"no-boundary", behind("--not-a-security-boundary"), behind("--level-prefix"), "made read-only"},
	{"outlives-parent", edit{"  --die-with-parent\n", ""}, edit{"  --die-with-parent\n", "", call, `exec env -i bwrap "${args[@]}" --die-with-parent -- "$@"`}, "no --die-with-parent"},
	{"exit-trap-lost", edit{"args=(\n", "trap 'rm -rf /tmp/x' EXIT\nargs=(\n"}, edit{"args=(\n", "trap 'rm -rf /tmp/x' EXIT\nargs=(\n", "exec env", "env"}, "EXIT trap never runs"},
	{"exit-trap-lost", edit{"args=(\n", "trap 'rm -rf /tmp/x' EXIT\nargs=(\n"}, edit{"args=(\n", "trap 'rm -rf /tmp/x' EXIT\nargs=(\n", call, "(" + call + ")"}, "EXIT trap never runs"},
	{"terminal-input", edit{"  --new-session\n", ""}, edit{"--new-session", "--add-seccomp-fd 5"}, "legacy_tiocsti"},
	{"environment-passed", edit{`env -i "HOME=$HOME" `, ""}, edit{`env -i "HOME=$HOME" `, "-c "}, "all of the caller's variables"},
	{"environment-passed", edit{`env -i "HOME=$HOME" `, "env -u TOKEN "}, edit{`exec env -i "HOME=$HOME" `, "export -n \"${names[@]}\"\nexec "}, "all of the caller's variables"},
	{"environment-readable", edit{`env -i "HOME=$HOME" `, "", "--die-with-parent", "--die-with-parent --clearenv"}, edit{"--die-with-parent", "--die-with-parent --clearenv"}, "in spite of --clearenv"},
	{"secret-in-arguments", behind(`--setenv GITHUB_TOKEN "$GITHUB_TOKEN"`), behind("--setenv TOKEN_FILE /etc/x"), "GITHUB_TOKEN"},
	{"descriptors-passed", edit{"exec {fd}>&-", "echo $fd"}, edit{"exec {fd}>&-", "exec {fd}<&-"}, "left open"},
	{"caller-functions", edit{"#!/bin/bash -p", "#!/usr/bin/env bash"}, edit{"#!/bin/bash -p", "#!/usr/bin/env -S bash -p"}, "BASH_ENV"},
	{"root-writable", edit{"--ro-bind /usr /usr", "--bind / / --tmpfs \"$HOME\" --tmpfs /run --tmpfs /var/tmp"}, wholeRoot(""), "can change / of the host"},
	{"root-writable", edit{"args=(\n", "args=()\nfor d in /*; do args+=(--dev-bind \"$d\" \"$d\"); done\nargs+=(\n"}, edit{"args=(\n", "args=()\nfor d in /srv/*; do args+=(--dev-bind \"$d\" \"$d\"); done\nargs+=(\n"}, "can change / of the host"},
	{"root-writable", edit{"args=(\n", "args=()\nfor d in /*; do args+=(--bind \"$d\" \"$d\"); done\nargs+=(\n"}, edit{"args=(\n", "args=()\nfor d in /*; do case $d in /usr | /etc) args+=(--bind \"$d\" \"$d\") ;; esac; done\nargs+=(\n"}, "can change / of the host"},
	{"device-bound", behind("--dev-bind /dev/shm /dev/shm"), behind("--tmpfs /dev/shm"), "shared memory"},
	{"control-socket", behind("--ro-bind /run/systemd/private /p"), behind("--ro-bind /run/systemd/userdb /run/systemd/userdb"), "/run/systemd/private"},
	{"project-unguarded", edit{`[[ $PWD != / && $PWD != "$HOME" ]] || exit 1`, `[[ $PWD == "$HOME"* ]] && echo home`}, edit{"args=(\n", "p=$PWD\n[[ -z ${1-} ]] || p=$1\n[[ $p != \"$HOME\" ]] || exit 1\nargs=(\n", `--bind "$PWD" "$PWD"`, `--bind "$p" "$p"`}, "nothing refuses that"},
	{"home-writable", over(`--bind "$HOME" "$HOME" --tmpfs "$HOME"/.ssh`), over(`--tmpfs "$HOME" --bind "$HOME/x" "$HOME/x"`), "can change ~ of"},
	{"home-writable", over(`--bind /home /home`), over("--bind /home /home --tmpfs /home"), "can change /home of"},
	{"system-writable", edit{"--ro-bind /usr", "--bind /usr"}, behind("--bind /usr/src/x /usr/src/x"), "can change /usr"},
	{"tmp-shared", edit{"--tmpfs /tmp", "--bind /tmp /tmp"}, edit{"--tmpfs /tmp", "--bind /tmp/x /tmp"}, "/tmp is visible"},
	{"tmp-shared", edit{"--ro-bind /usr /usr", "--ro-bind / / --tmpfs /home --tmpfs /root --tmpfs /run"}, wholeRoot(""), "/var/tmp is visible"},
	{"devices-shared", edit{"--dev /dev", "--dev-bind /dev /dev"}, edit{"--dev /dev", "--dev /dev --dev-bind /dev/kvm /dev/kvm"}, "all devices"},
	{"proc-shared", edit{"--proc /proc", "--ro-bind /proc /proc"}, edit{"--proc /proc", "--ro-bind /proc /proc --proc /proc"}, "/proc is visible"},
	{"root-left-writable", edit{tmpfsRoot, "\n"}, edit{tmpfsRoot, "\n", "--ro-bind /usr /usr", "--ro-bind / / --tmpfs \"$HOME\" --tmpfs /run --tmpfs /var/tmp"}, "no --remount-ro /"},
	{"link-destination", wholeRoot("--tmpfs /var/lock"), edit{"--ro-bind /usr /usr", "--ro-bind /bin /bin"}, "/var/lock is a symbolic link"},
	{"link-destination", over("--symlink usr/lib /lib --ro-bind /lib /lib"), over("--symlink usr/lib /lib --ro-bind /lib64 /lib64"), "/lib is a symbolic link"},
	{"descriptor-twice", behind("--ro-bind-data 4 /etc/passwd --ro-bind-data 4 /etc/group"), behind("--ro-bind-data 4 /etc/passwd --ro-bind-data 5 /etc/group"), "descriptor 4"},
	{"secrets-readable", behind(`--ro-bind "$HOME/.ssh" "$HOME/.ssh"`), behind(`--ro-bind "$HOME/.ssh/known_hosts" "$HOME/.ssh/known_hosts"`), "~/.ssh"},
	{"secrets-readable", behind("--bind ~/.aws ~/.aws"), behind("--bind ~/.aws ~/.aws --tmpfs ~/.aws --remount-ro ~/.aws"), "~/.aws"},
	{"secrets-readable", behind("--bind ~/.claude ~/.claude"), behind("--bind ~/.claude ~/.claude --ro-bind /dev/null ~/.claude/.credentials.json"), "~/.claude/.credentials.json"},
	{"secrets-readable", behind(`--ro-bind ~/.aws/credentials /aws`), behind(`--ro-bind ~/.vimrc /vimrc`), "~/.aws/credentials"},
	{"secrets-readable", behind(`--ro-bind /home/alice/.gnupg /g`), behind(`--ro-bind /home/alice/src /g`), "~/.gnupg"},
	{"secrets-readable", edit{"--ro-bind /usr /usr", "--ro-bind / / --tmpfs /run --tmpfs /var/tmp --bind \"$PWD/h\" /home/made-up"}, wholeRoot(""), "~/.ssh, "},
	{"secrets-readable", edit{"--ro-bind /usr /usr", "--ro-bind / / --tmpfs /run --tmpfs /var/tmp", "--bind \"$PWD\" \"$PWD\"", "--bind \"$1\" \"$1\""}, wholeRoot(`--tmpfs "$1"`), "~/.ssh, "},
	{"secrets-readable", behind("--ro-bind ~/.config/mise /m"), behind("--ro-bind /etc/ssl /etc/ssl"), "~/.config/mise"},
	{"persistence-writable", behind(`--bind "$HOME/.bashrc" "$HOME/.bashrc"`), behind(`--ro-bind "$HOME/.bashrc" "$HOME/.bashrc"`), "~/.bashrc"},
	{"control-socket", behind("--ro-bind /var/run/docker.sock /var/run/docker.sock"), behind("--ro-bind /run/app /run/app"), "/run/docker.sock"},
	{"control-socket", behind(`--bind "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR"`), behind(`--bind "$XDG_RUNTIME_DIR/x" "$XDG_RUNTIME_DIR"`), "/run/user/UID"},
	{"control-socket", edit{"--ro-bind /usr /usr", "--ro-bind / / --tmpfs \"$HOME\" --tmpfs /var/tmp"}, wholeRoot(""), "sockets in /"},
	{"control-socket", behind(`--ro-bind "$XDG_RUNTIME_DIR/bus" "$XDG_RUNTIME_DIR/bus"`), behind(`--ro-bind "$XDG_RUNTIME_DIR/pulse/native" "$XDG_RUNTIME_DIR/pulse/native"`), "/run/user/UID/bus"},
	{"unquoted", behind("--tmpfs /run/$(stat x)"), behind("--tmpfs /run/$(id -g)"), "split"},
	{"x11-socket", behind("--ro-bind /tmp/.X11-unix/X0 /tmp/.X11-unix/X0"), behind("--ro-bind /tmp/x /tmp/.X11-unix"), "X11"},
	{"mask-writable", edit{"--ro-bind /usr /usr", `--ro-bind /usr /usr --tmpfs "$HOME/.ssh"`}, edit{"--ro-bind /usr /usr", `--ro-bind /usr /usr --tmpfs "$HOME/.ssh" --remount-ro "$HOME/.ssh"`}, "~/.ssh"},
	{"renamable", behind(`--bind "$HOME/src" "$HOME/src" --ro-bind "$HOME/src/a/b" "$HOME/src/a/b"`), behind("--bind /home /home --tmpfs /home/alice/.ssh --tmpfs /home"), "can be renamed"},
	{"renamable", behind(`--bind ~/src ~/src --ro-bind ~/src/a/b ~/src/a/b`), edit{"--ro-bind /usr /usr", "--bind / / --tmpfs /home/alice/.ssh"}, "~/src/a can be renamed"},
	{"covered", over(`--ro-bind "$PWD/Makefile" "$PWD/Makefile"`), behind(`--ro-bind "$PWD/Makefile" "$PWD/Makefile"`), "has no effect"},
	{"renamable", behind(`--ro-bind "$PWD/.vscode/tasks.json" "$PWD/.vscode/tasks.json"`), edit{"--bind \"$PWD\" \"$PWD\"", `--bind "$PWD" "$PWD" --ro-bind "$PWD/.git" "$PWD/.git" --bind "$PWD" "$PWD" --ro-bind "$PWD/.git/hooks" "$PWD/.git/hooks"`}, "can be renamed"},
	{"renamable", git(`--ro-bind "$PWD/.git/hooks" "$PWD/.git/hooks" --ro-bind "$PWD/.git/config" "$PWD/.git/config"`), git(`--ro-bind "$PWD/.git" "$PWD/.git" --bind "$PWD" "$PWD" --ro-bind "$PWD/.git/hooks" "$PWD/.git/hooks" --ro-bind "$PWD/.git/config" "$PWD/.git/config"`), "can be renamed"},
	{"no-double-dash", edit{`-- "$@"`, `"$@"`}, edit{`-- "$@"`, `make "$@"`}, "options of bwrap"},
	{"no-double-dash", edit{`-- "$@"`, `"$1"`}, edit{`-- "$@"`, `"$SHELL" "$@"`}, `before "$1"`},
	{"no-double-dash", edit{"exec env", "for a in \"$@\"; do rest+=(\"$a\"); done\nexec env", `-- "$@"`, `"${rest[@]}"`}, edit{"exec env", "rest=(a)\nexec env", `-- "$@"`, `"${rest[@]}"`}, "options of bwrap"},
	{"call-evaluated", edit{call, "eval \"bwrap ${args[*]} -- $*\""}, edit{call, "eval 'x=1'\n" + call}, "evaluated"},
	{"call-evaluated", edit{call, "a='bwrap --bind / /'\nif x; then a=\"$a --dev /dev\"; fi\nbash -c \"$a $1\""}, edit{call, "bash -c 'bwrap --bind / /'\n" + call}, "evaluated"},
	{"directive", edit{"args=(", "# bwrapgen lint: allow pid-shared because so\nargs=("}, edit{"args=(", "# bwrapgen lint: allow capability-added because so\nargs=(--cap-add A"}, "nothing to allow"},
	{"directive", edit{"args=(", "# bwrapgen lint: allow nonsense because so\nargs=("}, edit{"args=(", "# bwrapgen linted this\nargs=("}, `"nonsense", and there is no such rule`},
	{"directive", edit{"args=(", "# bwrapgen lint: allow pid-shared\nargs=("}, edit{"args=(", "# bwrapgen lint finds nothing here\nargs=("}, "neither which rule to allow nor why"},
	{"arguments-split", edit{`"$@"`, `$@`}, edit{`"$@"`, `"${@}"`}, "split at blanks"},
	{"unquoted", over(`--bind $PWD/a /a`), over(`--bind "$PWD/a" /a --uid $UID`), "$PWD/a is split"},
	{"unquoted", edit{"exec env", "add() { args+=($@); }\nadd --tmpfs /a --tmpfs \"$1\"\nexec env"}, edit{"exec env", "add() { args+=($@); }\nadd --tmpfs /a --tmpfs /b\nexec env"}, "$1 is split"},
	{"bwrap-replaceable", edit{"/usr/bin/bwrap", "./bwrap"}, edit{"/usr/bin/bwrap", "bwrap"}, "working directory"},
	{"bwrap-replaceable", edit{"args=(\n", "PATH=.:$PATH\nargs=(\n", "/usr/bin/bwrap", "bwrap"}, edit{"args=(\n", "PATH=/usr/bin:$PATH\nargs=(\n", "/usr/bin/bwrap", "bwrap"}, "where PATH begins"},
	{"outside", edit{"args=(\n", "command -v bwrap >/dev/null || exec sh -c 'cd /; \"$@\"' sh \"$@\"\nargs=(\n"}, edit{"args=(\n", "x=$(sh -c 'printf %q \"$@\"' sh \"$@\")\nargs=(\n"}, "without bwrap"},
	{"outside", edit{call, "die() { exit 1; }\nif x; then\n" + call + "\nfi\n\"$@\""}, edit{call, "run() {\n" + call + "\n}\n\"$@\""}, "without bwrap"},
	{"bwrap-replaceable", edit{`"HOME=$HOME" /usr/bin/bwrap`, `PATH="$PWD/bin:$PATH" bwrap`}, edit{`"HOME=$HOME" /usr/bin/bwrap`, `PATH="$TOOLS:$PATH" bwrap`}, "where PATH begins"},
	{"outside", edit{"args=(\n", "command -v bwrap >/dev/null || exec \"$@\"\nargs=(\n"}, edit{"args=(\n", "command -v bwrap >/dev/null || exit 1\nargs=(\n"}, "without bwrap"},
	{"broken-call", edit{call, "bwrap --version\n" + call + "\n--proc /proc", "exec env", "env"}, edit{call, "bwrap --version\n" + call}, "--proc is run as a command"},
	{"share-net-undone", behind("--share-net --unshare-net"), behind("--unshare-net --share-net"), "a later --unshare-net"},
	{"share-net-undone", behind("--share-net --unshare-net"), edit{"\nexec env", "\nargs+=(--share-net)\n[[ -z ${OFFLINE-} ]] || args+=(--unshare-net)\nexec env"}, "a later --unshare-net"},
	{"environment-readable", edit{`env -i "HOME=$HOME" `, "", "--die-with-parent", "--die-with-parent --clearenv"},
		edit{`env -i "HOME=$HOME" `, "", "--die-with-parent", "--die-with-parent --clearenv", "--proc /proc", "--proc /proc --tmpfs /proc"}, "in spite of --clearenv"},
	{"strict-mode", edit{"set -euo pipefail", "set -e"}, edit{"set -euo pipefail", "set -eu"}, "no set -u"},
	{"strict-mode", edit{"set -euo pipefail", "set -eu", "args=(", "x | y\nargs=("}, edit{"#!/bin/bash -p", "#!/bin/sh", "set -euo pipefail", "set -eu", "args=(", "x | y\nargs=("}, "no set -o pipefail"},
	{"strict-mode", edit{"#!/bin/bash -p", "#!/bin/bash --noprofile -p", "set -euo pipefail\n", ""}, edit{"#!/bin/bash -p", "#!/bin/bash -peu", "set -euo pipefail\n", ""}, "no set -e -u"},
	{"strict-mode", edit{"set -euo pipefail\n", ""}, edit{"set -euo pipefail", "set -o errexit -o nounset"}, "no set -e -u"},
}

// TestRules holds each rule to its hole, and to what looks like it.
func TestRules(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range cases {
		tested[c.rule] = true
		t.Run(c.rule, func(t *testing.T) {
			found := judge(t, c.hole.apply(t))
			if !slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule == c.rule && strings.Contains(f.What, c.says) }) {
				t.Errorf("the hole is not found: %v", found)
			}
			for _, f := range judge(t, c.fine.apply(t)) {
				if f.Rule == c.rule {
					t.Errorf("a false alarm: %v", f)
				}
			}
		})
	}
	for _, r := range lint.Rules() {
		if !tested[r.Name] && !slices.Contains([]string{"engine-changed", "filter-changed", "launcher-edited"}, r.Name) { // TestLauncher does

			t.Errorf("nothing tests %s", r.Name)
		}
	}
}

// TestExamples: what each rule shows as bad has its finding, and what it shows as good
// has not.
func TestExamples(t *testing.T) {
	for _, r := range lint.Rules() {
		if r.Bad == "" {
			continue // TestLauncher has it
		}
		has := func(script string) bool {
			return slices.ContainsFunc(judge(t, script+"\n"), func(f lint.Finding) bool { return f.Rule == r.Name })
		}
		if !has(r.Bad) {
			t.Errorf("%s: the bad example has no finding: %v", r.Name, judge(t, r.Bad))
		}
		if has(r.Good) {
			t.Errorf("%s: the good example has the finding: %v", r.Name, judge(t, r.Good))
		}
	}
}

// TestFallbacks: however a script comes to run the command without bwrap, that is
// found, and it is the weightiest finding.
func TestFallbacks(t *testing.T) {
	const sandboxed = "bwrap --ro-bind / / -- make \"$@\"\n"
	for name, test := range map[string]struct{ hole, fine string }{
		"or":              {`bwrap --ro-bind / / -- make || make`, `bwrap --ro-bind / / -- make || exit 1`},
		"or, of the call": {`bwrap --ro-bind / / -- "$@" || "$@"`, `bwrap --ro-bind / / -- "$@" || echo failed`},
		"exec or exec":    {`exec bwrap --ro-bind / / -- make || exec make`, `exec bwrap --ro-bind / / -- make || exit 1`},
		"missing":         {"command -v bwrap >/dev/null || exec make \"$@\"\n" + sandboxed, "command -v bwrap >/dev/null || die\n" + sandboxed},
		"missing, group":  {"which bwrap >/dev/null || { echo none; make \"$@\"; exit; }\n" + sandboxed, "which bwrap >/dev/null || { echo none; exit 1; }\n" + sandboxed},
		"if not":          {"if ! command -v bwrap >/dev/null; then\n  exec make\nfi\n" + sandboxed, "if ! command -v bwrap >/dev/null; then\n  exit 1\nfi\n" + sandboxed},
		"if not, and":     {"! type -P bwrap && exec make\n" + sandboxed, "! type -P bwrap && exit 1\n" + sandboxed},
		"else":            {"if command -v bwrap; then\n  " + sandboxed + "else\n  make \"$@\"\nfi\n", "if command -v bwrap; then\n  " + sandboxed + "else\n  exit 1\nfi\n"},
		"executable":      {"if [ -x /usr/bin/bwrap ]; then\n  " + sandboxed + "else\n  make\nfi\n", "if [ -x /usr/bin/bwrap ]; then\n  " + sandboxed + "else\n  echo make\nfi\n"},
		"behind":          {"if command -v bwrap; then exec " + sandboxed + "fi\nexec make \"$@\"\n", "if command -v bwrap; then exec " + sandboxed + "fi\nexit 1\n"},
		"path":            {"b=$(command -v bwrap)\nif [ -z \"$b\" ]; then make \"$@\"; exit; fi\n" + sandboxed, "b=$(command -v bwrap)\nif [ -z \"$b\" ]; then exit 1; fi\n" + sandboxed},
		"function":        {"plain() { make \"$@\"; }\nboxed() { " + strings.TrimSpace(sandboxed) + "; }\nif command -v bwrap; then boxed \"$@\"; else plain \"$@\"; fi\n", "boxed() { " + strings.TrimSpace(sandboxed) + "; }\nif command -v bwrap; then boxed \"$@\"; else exit 1; fi\n"},
		"if it fails":     {"if ! bwrap --ro-bind / / -- make; then make; fi\n", "if ! bwrap --ro-bind / / -- make; then exit 1; fi\n"},
		"opted out":       {"if [[ -n ${NO_SANDBOX-} ]]; then exec make \"$@\"; fi\n" + sandboxed, "if [[ -n ${NO_SANDBOX-} ]]; then exec echo \"$@\"; fi\n" + sandboxed},
		"array":           {"w=()\nif command -v bwrap; then w=(bwrap --ro-bind / /); fi\n\"${w[@]}\" make\n", "w=(bwrap --ro-bind / /)\n\"${w[@]}\" make\n"},
		"prefix":          {"w=\nif command -v bwrap; then w='bwrap --ro-bind / /'; fi\n$w make\n", "w='bwrap --ro-bind / /'\n$w make\n"},
		"prefix by and":   {"command -v bwrap && w='bwrap --ro-bind / /'\n$w make\n", "command -v bwrap || exit 1\nw='bwrap --ro-bind / /'\n$w make\n"},
		"alternate":       {"b=$(command -v bwrap) || b=\n${b:+$b --ro-bind / /} make\n", "b=$(command -v bwrap) || exit\n$b --ro-bind / / make\n"},
		"and exec":        {"[ -x \"$(command -v bwrap)\" ] && exec bwrap --ro-bind / / -- make\nexec make\n", "[ -x \"$(command -v bwrap)\" ] && exec bwrap --ro-bind / / -- make\nexit 1\n"},
		"case":            {"case $(command -v bwrap) in '') make ;; *) bwrap --ro-bind / / -- make ;; esac\n", "case $(command -v bwrap) in '') exit 1 ;; *) bwrap --ro-bind / / -- make ;; esac\n"},
		"status":          {"bwrap --ro-bind / / -- make\nif [ $? -ne 0 ]; then make; fi\n", "bwrap --ro-bind / / -- make\nif [ $? -eq 0 ]; then make; fi\n"},
		"status counted":  {"bwrap --ro-bind / / -- make\n(($? == 0)) || make\n", "bwrap --ro-bind / / -- make\n(($? > 0)) || make\n"},
		"variable":        {"h=0\ncommand -v bwrap && h=1\nif [ $h = 1 ]; then bwrap --ro-bind / / -- make; else make; fi\n", "h=0\ncommand -v bwrap && h=1\nif [ $h = 1 ]; then bwrap --ro-bind / / -- git fetch; else git status; fi\n"},
		"asked in one":    {"has() { command -v bwrap >/dev/null; }\nif has; then exec " + sandboxed + "fi\nmake \"$@\"\n", "has() { command -v bwrap >/dev/null; }\nif has; then exec " + sandboxed + "fi\necho \"$@\"\n"},
		"whole command":   {"c=(make \"$@\")\nif command -v bwrap; then c=(bwrap --ro-bind / / -- \"${c[@]}\"); fi\nexec \"${c[@]}\"\n", "c=(make \"$@\")\nc=(bwrap --ro-bind / / -- \"${c[@]}\")\nexec \"${c[@]}\"\n"},
		"tried first":     {"if bwrap --ro-bind / / true; then bwrap --ro-bind / / -- make; else make; fi\n", "if bwrap --ro-bind / / true; then bwrap --ro-bind / / -- make; else exit 1; fi\n"},
		"through a shell": {"p=$1; shift\nif [ -d /x ]; then exec \"$p\" \"$@\"; fi\nexec bwrap --ro-bind / / -- sh -c 'exec \"$@\"' sh \"$p\" \"$@\"\n", "p=$1; shift\nif [ -d /x ]; then exec echo \"$@\"; fi\nexec bwrap --ro-bind / / -- sh -c 'exec \"$@\"' sh \"$p\" \"$@\"\n"},
		"itself":          {"if [ -n \"$X\" ]; then exec make \"$@\"; fi\n" + sandboxed, "if [ -n \"$INSIDE\" ]; then exec make \"$@\"; fi\nexec bwrap --ro-bind / / --setenv INSIDE 1 -- \"$0\" \"$@\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			found := judge(t, test.hole)
			if len(found) == 0 || !slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule == "outside" && f.Severity == lint.Escape }) {
				t.Errorf("the hole is not found: %v", found)
			}
			for _, f := range judge(t, test.fine) {
				if f.Rule == "outside" {
					t.Errorf("a false alarm: %v", f)
				}
			}
		})
	}
}

// TestSeverities: a finding is as severe as what the command can do.
func TestSeverities(t *testing.T) {
	for options, want := range map[string]string{
		"--cap-add ALL": "exposure", "--cap-add cap_sys_admin": "exposure", "--cap-add CAP_NET_RAW": "weak",
		"--dev-bind /dev/mem /dev/mem": "escape", "--dev-bind /dev/kmsg /dev/kmsg": "exposure", "--dev-bind /dev/mine /dev/mine": "weak",
		"--bind ~/.ssh ~/.ssh": "exposure",
	} {
		for _, f := range judge(t, behind(options).apply(t)) {
			if f.Severity.String() != want {
				t.Errorf("%s: %v", options, f)
			}
		}
	}
	rules := map[string]bool{}
	for _, f := range judge(t, behind("--bind ~/.ssh ~/.ssh").apply(t)) {
		rules[f.Rule] = true
	}
	if !rules["secrets-readable"] || !rules["persistence-writable"] {
		t.Errorf("a writable ~/.ssh can be read and changed: found %v", rules)
	}
}

// TestOrder: the call with the most severe finding comes first, and its most severe finding.
func TestOrder(t *testing.T) {
	found := judge(t, "#!/bin/bash\nbwrap --ro-bind /usr /usr -- a\nbwrap --unshare-pid --dev-bind /dev/mem /dev/mem -- b || b\n")
	if len(found) < 10 {
		t.Fatalf("too little is found: %v", found)
	}
	for i := 1; i < len(found); i++ {
		before, f := found[i-1], found[i]
		if f.Call == before.Call && f.Severity > before.Severity {
			t.Errorf("%v stands before %v", before, f)
		}
	}
	if first, last := found[0], found[len(found)-1]; first.Severity != lint.Escape || last.Call != 2 {
		t.Errorf("the more severe call does not come first: %v ... %v", first, last)
	}
}

// TestForms: however a script is written, the same hole is found. The control is
// the same form without it.
func TestForms(t *testing.T) {
	for name, form := range map[string]string{
		"line":          "bwrap --ro-bind / / %s -- \"$@\"\n",
		"backslashes":   "exec bwrap \\\n  --ro-bind / / \\\n  %s \\\n  -- \"$@\"\n",
		"path":          "/usr/bin/bwrap --ro-bind / / %s -- \"$@\"\n",
		"variable":      "bwrap=$(command -v bwrap)\n\"$bwrap\" --ro-bind / / %s -- \"$@\"\n",
		"default":       "exec \"${BWRAP:-bwrap}\" --ro-bind / / %s -- \"$@\"\n",
		"env":           "env -u A B=c bwrap --ro-bind / / %s -- \"$@\"\n",
		"exec":          "exec -a x bwrap --ro-bind / / %s -- \"$@\"\n",
		"wrapped":       "timeout 5 nice bwrap --ro-bind / / %s -- \"$@\"\n",
		"array":         "a=(--ro-bind / /)\na+=(%s)\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"command array": "a=(bwrap --ro-bind / /)\na+=(%s --)\nexec \"${a[@]}\" \"$@\"\n",
		"old append":    "a=(--ro-bind / /)\na=(\"${a[@]}\" %s)\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"guarded array": "a=(%s)\nbwrap --ro-bind / / ${a[@]+\"${a[@]}\"} -- \"$@\"\n",
		"string":        "a='--ro-bind / / %s'\nbwrap $a -- \"$@\"\n",
		"set":           "c=(\"$@\")\nset -- --ro-bind / /\nset -- \"$@\" %s\nbwrap \"$@\" -- \"${c[@]}\"\n",
		"function":      "run() { bwrap --ro-bind / / %s -- \"$@\"; }\nrun \"$@\"\n",
		"uncalled":      "run() { bwrap --ro-bind / / %s -- \"$@\"; }\n",
		"helper":        "a=()\nadd() { a+=(\"$@\"); }\nadd --ro-bind / /\nadd %s\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"nameref":       "add() { local -n to=$1; shift; to+=(\"$@\"); }\na=()\nadd a --ro-bind / / %s\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"branch":        "a=()\nif [[ -e /x ]]; then a+=(%s); else a+=(--ro-bind /srv /srv); fi\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"case":          "a=()\ncase $X in y) a+=(%s) ;; esac\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"and":           "a=()\n[[ -e /x ]] && a+=(%s)\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"loop":          "a=()\nfor x in 1 2; do a+=(%s); done\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"alternate":     "bwrap --ro-bind / / ${X:+%s} -- \"$@\"\n",
		"subshell":      "(cd / && bwrap --ro-bind / / %s -- \"$@\")\n",
		"substitution":  "x=$(bwrap --ro-bind / / %s -- \"$@\")\n",
		"pipe":          "bwrap --ro-bind / / %s -- \"$@\" | cat\n",
		"condition":     "if ! bwrap --ro-bind / / %s -- \"$@\"; then exit 1; fi\n",
		"own name":      "bwrap() { command bwrap --ro-bind / / \"$@\"; }\nbwrap --hostname x -- true\nbwrap %s -- \"$@\"\n",
		"wrapper":       "pasta -q -- bwrap --ro-bind / / %s -- \"$@\"\n",
		"second call":   "run() { bwrap --ro-bind / / \"$@\"; }\nrun --hostname x -- a\nrun %s -- b\n",
		"later string":  "a='--ro-bind / / %s'\nif x; then a=\"$a --dev /dev\"; fi\nbwrap $a -- \"$@\"\n",
		"looped string": "a='--ro-bind / / %s'\nwhile read -r x; do a=\"$a --bind $x $x\"; done\nbwrap $a -- \"$@\"\n",
		"program":       "bwrap --ro-bind / / %s \"$HOME/bin/x\" \"$@\"\n",
		"evaluated":     "eval \"bwrap --ro-bind / / %s -- $1\"\n",
		"evaluated -c":  "script -q -c \"bwrap --ro-bind / / %s -- $1\" log\n",
		"evaluated sum": "a='--ro-bind / /'\nfor x in $y; do if z; then a=\"$a --bind \\\"$x\\\" \\\"$x\\\"\"; fi; done\na=\"$a %s\"\neval \"bwrap $a -- $1\"\n",
		"branch string": "a='--ro-bind / /'\nif z; then a=\"$a %s\"; fi\nbwrap $a -- \"$@\"\n",
		"filled in":     "b=@bwrap_bin@\nexec \"$b\" --ro-bind / / %s -- \"$@\"\n",
		"nix-shell":     "#! /usr/bin/env nix-shell\n#! nix-shell -p bubblewrap\n#! nix-shell -i bash\nbwrap --ro-bind / / %s -- \"$@\"\n",
		"inner":         "bwrap --dev-bind / / -- bwrap --ro-bind / / %s -- \"$@\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			for option, want := range map[string]bool{"--cap-add ALL": true, "--hostname h": false} {
				found := judge(t, strings.ReplaceAll(form, "%s", option))
				if got := slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule == "capability-added" }); got != want {
					t.Errorf("%s: %v", option, found)
				}
			}
		})
	}
}

// TestSilent: where a script does not tell, nothing is claimed, and that is said.
func TestSilent(t *testing.T) {
	for name, script := range map[string]string{
		"output":   "a=($(cat options))\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"mapfile":  "mapfile -t a <options\nbwrap \"${a[@]}\" -- \"$@\"\n",
		"args":     "bwrap $OPTIONS -- \"$@\"\n",
		"inherit":  "bwrap \"${OPTIONS[@]}\" -- \"$@\"\n",
		"sourced":  ". ./settings\nbwrap -- \"$@\"\n",
		"evaluate": "eval \"$X\"\nbwrap -- \"$@\"\n",
		"file":     "bwrap --args 3 -- \"$@\" 3<options\n",
		"option":   "bwrap --unshare-everything -- \"$@\"\n",
		"slice":    "a=(x)\nbwrap \"${a[@]:1}\" -- \"$@\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			result, err := lint.Script("x", []byte(script), catalogue.BuiltIn())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Findings {
				if strings.HasSuffix(f.Rule, "-shared") || f.Rule == "outlives-parent" || f.Rule == "terminal-input" || f.Rule == "nested-userns" {
					t.Errorf("claimed without knowing: %v", f)
				}
			}
			if len(result.Notes) != 1 || !strings.HasSuffix(result.Notes[0].What, ", so nothing is said of what this call may lack") {
				t.Errorf("got the notes %v", result.Notes)
			}
		})
	}
	for _, told := range []string{
		"bwrap -- \"$@\"\n",
		// Where nothing is added, the call is as it stands.
		"a=(--ro-bind / /)\nif [ -n \"$MORE\" ]; then a+=($MORE); fi\nbwrap \"${a[@]}\" -- x\n",
		"a=(--ro-bind / /)\nwhile read -r l; do eval \"a+=( $l )\"; done <more\nbwrap \"${a[@]}\" -- x\n",
	} {
		if found := judge(t, told); !slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule == "pid-shared" }) {
			t.Errorf("what is told is not judged: %v", found)
		}
	}
}

// TestTries: where bwrap is called to see whether it works, and for nothing else, there
// is no sandbox to judge; where it is called for more, that is.
func TestTries(t *testing.T) {
	const tries = "if ! bwrap --ro-bind / / -- /bin/true; then exit 1; fi\n"
	result, err := lint.Script("x", []byte(tries), catalogue.BuiltIn())
	if err != nil || len(result.Findings) > 0 || len(result.Notes) != 1 {
		t.Errorf("got %v, %v, %v", result.Findings, result.Notes, err)
	}
	if found := judge(t, tries+"bwrap --ro-bind / / -- make\n"); len(found) == 0 || found[len(found)-1].Line != 2 {
		t.Errorf("the call behind it is not judged: %v", found)
	}
}

// TestAllowed: a comment allows a finding of its line, of the command below or, above
// the first command, of the script; the same finding elsewhere stays.
func TestAllowed(t *testing.T) {
	const because = "# bwrapgen lint: allow capability-added because of ping"
	for name, test := range map[string]struct {
		script string
		want   []uint // lines of capability-added
	}{
		"none":         {"x=1\nbwrap --cap-add A -- b\n", []uint{2}},
		"line":         {"x=1\nbwrap --cap-add A -- b " + because + "\nbwrap --cap-add A -- b\n", []uint{3}},
		"above":        {"x=1\n" + because + "\n# It needs it.\n\nbwrap \\\n  --cap-add A \\\n  -- b\nbwrap --cap-add A -- b\n", []uint{8}},
		"array":        {"a=(\n  " + because + "\n  --cap-add A\n  --cap-add B\n)\nbwrap \"${a[@]}\" -- b\n", []uint{4}},
		"array's line": {"a=(\n  --cap-add A " + because + "\n  --cap-add B\n)\nbwrap \"${a[@]}\" -- b\n", []uint{3}},
		"whole array":  {"x=1\n" + because + "\na=(\n  --cap-add A\n  --cap-add B\n)\nbwrap \"${a[@]}\" --cap-add C -- b\n", []uint{7}},
		"branch":       {"x=1\n" + because + "\nif y; then\n  bwrap --cap-add A -- b\nfi\nbwrap --cap-add A -- b\n", []uint{6}},
		"script":       {"#!/bin/sh\n" + because + "\n\nx=1\nbwrap --cap-add A -- b\nbwrap --cap-add A -- b\n", nil},
		"several":      {"x=1\n# bwrapgen lint: allow pid-shared, capability-added because of ping\nbwrap --cap-add A -- b\n", nil},
		"text":         {"x=1\ncat <<E\n" + because + "\nE\nbwrap --cap-add A -- b\n", []uint{5}},
		"below":        {"x=1\nbwrap --cap-add A -- b\n" + because, []uint{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []uint
			idle := false
			for _, f := range judge(t, test.script) {
				if f.Rule == "capability-added" {
					got = append(got, f.Line)
				}
				idle = idle || f.Rule == "directive"
			}
			if !slices.Equal(got, test.want) || idle != (name == "below") {
				t.Errorf("found in %d, want %d; a comment allows nothing: %v", got, test.want, idle)
			}
		})
	}
}

// TestPlaces: a finding is told where what it is about is written.
func TestPlaces(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		line   uint // of secrets-readable
	}{
		"call":    {"bwrap \\\n  --ro-bind ~/.ssh /s -- a\n", 2},
		"array":   {"a=(\n  --ro-bind\n  ~/.ssh /s\n)\nbwrap \"${a[@]}\" -- a\n", 3},
		"helper":  {"add() { a+=(--ro-bind \"$@\"); }\nadd ~/.ssh /s\nbwrap \"${a[@]}\" -- a\n", 2},
		"loop":    {"p=(\n  ~/.ssh\n)\nfor x in \"${p[@]}\"; do\n  a+=(--ro-bind \"$x\" /s)\ndone\nbwrap \"${a[@]}\" -- a\n", 2},
		"local":   {"add() { local at=$1; a+=(\n--ro-bind \"$at\" \"$2\"); }\nadd \\\n  ~/.ssh /s\nbwrap \"${a[@]}\" -- a\n", 4},
		"through": {"run() { bwrap \"$@\"; }\nrun --ro-bind ~/.ssh /s -- a\n", 2},
	} {
		found := judge(t, test.script)
		if !slices.ContainsFunc(found, func(f lint.Finding) bool { return f.Rule == "secrets-readable" && f.Line == test.line }) {
			t.Errorf("%s: not in line %d: %v", name, test.line, found)
		}
	}
}

// TestProblems: what cannot be judged gets one sentence and a hint.
func TestProblems(t *testing.T) {
	for name, test := range map[string]struct{ script, want string }{
		"python": {"#!/usr/bin/python3\nprint(1)\n", "another interpreter"},
		"syntax": {"if\n", "is no script for bash"},
		"none":   {"echo bwrap\n", "does not call bwrap"},
		"asks":   {"bwrap --version\n", "does not call bwrap"},
		"empty":  {"", "does not call bwrap"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lint.Script("the file", []byte(test.script), catalogue.BuiltIn())
			var p problem.Problem
			if !errors.As(err, &p) || !strings.Contains(p.What, test.want) || !strings.Contains(p.What, `"the file"`) || p.Hint == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestRuleTexts: each rule says what it looks for, why, and who says so.
func TestRuleTexts(t *testing.T) {
	names := map[string]bool{}
	for _, r := range lint.Rules() {
		if r.Name == "" || r.Looks == "" || r.Why == "" || r.Source == "" || r.Hint == "" || names[r.Name] {
			t.Errorf("incomplete, or there twice: %+v", r.Name)
		}
		names[r.Name] = true
		for _, text := range []string{r.Looks, r.Why, r.Hint} {
			if strings.HasSuffix(text, ".") {
				t.Errorf("%s: ends with a full stop: %q", r.Name, text)
			}
		}
	}
}

// FuzzScript: no text makes a rule panic or run on, and what is found has a place.
func FuzzScript(f *testing.F) {
	f.Add(sound)
	for _, c := range cases[:8] {
		f.Add(strings.Join(c.hole, "\n"))
	}
	f.Add("# bwrapgen lint: allow a, pid-shared because b\nx='--a b'; while c; do x+=\" --d $1\"; done; eval \"bwrap $x\" # bwrapgen lint: allow")
	f.Add("a=$(>x || <(y)); f() { >x; }; b=$(f)$(if c; then >x; fi); bwrap $a $(for d in e; do echo --f; done)")
	f.Add("a[1]=2; a+=(x{1..3}y \"${a[@]/x}\" ${!a} $((x++)) <(b) ); f() { f \"$@\"; return; }; f; for ((;;)) do break; done; bwrap ${a:+\"$@\"} $'\\n' ~ *")
	tools := catalogue.BuiltIn()
	f.Fuzz(func(t *testing.T, text string) {
		result, _ := lint.Script("x", []byte(text), tools)
		for _, f := range result.Findings {
			if f.Line < 1 || int(f.Line) > strings.Count(text, "\n")+1 || f.Column < 1 {
				t.Errorf("%v is not in the script", f)
			}
			if strings.ContainsAny(f.What, "\x00\x01\x02\x03") && !strings.ContainsAny(text, "\x00\x01\x02\x03") {
				t.Errorf("%q has a stand-in in it", f.What)
			}
		}
	})
}
