package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// scene is a home directory with Go's caches and other directories, and a small
// and a big project, all of one user.
type scene struct {
	dir, generator string
	user           account
}

// setting makes what a scene has: two Go projects in git work trees, in which some of
// what is protected exists, and a tool with ten caches.
const setting = `
umask 077
mkdir -p run home/go/pkg/{mod/cache,sumdb} home/.cache/go-build home/many/{0..9} home/.config/bwrapgen/tools
mkdir -p home/.claude home/.local/bin home/bin
{
  printf 'about = "A tool with caches."\nmarkers = ["ten"]\ncaches = ['
  printf '"~/many/%d", ' {0..9}
  printf ']\n'
} >home/.config/bwrapgen/tools/ten.toml
project() {
  mkdir -p "$1/.vscode"
  cd "$1"
  git init -q
  printf 'module example\n\ngo 1.26\n' >go.mod
  printf '#!/bin/sh\n' >.git/hooks/pre-commit.sample
  for ((i = 0; i < $2; i++)); do
    folder=p$((i / 100))
    [[ -d $folder ]] || mkdir "$folder"
    printf 'package p\n' >"$folder/f$i.go"
  done
  cd ..
}
project small 10
project big "$1"
`

func newScene(dir, generator string, user account, files int) (scene, error) {
	s := scene{dir, generator, user}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return s, err
	}
	if user.who != nil {
		if err := os.Chown(dir, int(user.who.Uid), int(user.who.Gid)); err != nil {
			return s, err
		}
	}
	return s, s.shell(".", setting, strconv.Itoa(files))
}

// shell runs a script of bash in a directory of the scene.
func (s scene) shell(dir, script string, operands ...string) error {
	words := append([]string{"bash", "-ec", script, "bash"}, operands...)
	if out, err := s.command(engine{}, dir, words...).CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// usual are variables as a session has them: with those of command, 45.
var usual = []string{
	"COLORTERM=truecolor", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus", "DESKTOP_SESSION=gnome", "DISPLAY=:0", "EDITOR=vim",
	"GDMSESSION=gnome", "GNOME_TERMINAL_SCREEN=/org/gnome/Terminal/screen/0", "GNOME_TERMINAL_SERVICE=:1.96", "GPG_TTY=/dev/pts/0",
	"GTK_MODULES=gail:atk-bridge", "HISTCONTROL=ignoreboth", "INVOCATION_ID=0123456789abcdef0123456789abcdef", "JOURNAL_STREAM=8:23456",
	"LANGUAGE=en_US:en", "LC_TIME=C.UTF-8", "LESS=-R", "LESSCLOSE=/usr/bin/lesspipe %s %s", "LESSOPEN=| /usr/bin/lesspipe %s", "LOGNAME=user",
	"MANAGERPID=1234", "MAIL=/var/mail/user", "OLDPWD=/", "PAGER=less", "QT_ACCESSIBILITY=1", "QT_IM_MODULE=ibus", "SESSION_MANAGER=local/host",
	"SHELL=/bin/bash", "SHLVL=1", "SSH_AGENT_LAUNCHER=openssh", "SYSTEMD_EXEC_PID=1250", "USER=user", "USERNAME=user", "VISUAL=vim", "VTE_VERSION=7200",
	"WINDOWPATH=2", "XAUTHORITY=/nonexistent/Xauthority", "XDG_CURRENT_DESKTOP=GNOME", "XDG_SESSION_CLASS=user",
	"XDG_SESSION_DESKTOP=gnome", "XDG_SESSION_TYPE=x11",
}

// command prepares a program in a project, with an environment that is the same
// on any machine, and as large as usual: 45 variables, and 13 entries in PATH.
func (s scene) command(e engine, project string, words ...string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	c.Dir = project
	if !filepath.IsAbs(project) {
		c.Dir = filepath.Join(s.dir, project)
	}
	home := filepath.Join(s.dir, "home")
	path := e.search() + ":" + home + "/bin:" + home + "/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/usr/games:/usr/local/games:/snap/bin"
	c.Env = append([]string{
		"HOME=" + home, "PATH=" + path, "LANG=C.UTF-8", "TERM=dumb",
		// What the launcher remembers about bwrap is not mixed up with the user's.
		"XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"),
	}, usual...)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.user.who}
	return c
}

// launcher writes the launcher of a profile, where the environment may have more.
func (s scene) launcher(e engine, profile, project string, environment ...string) (string, error) {
	name := filepath.Base(profile)
	path := filepath.Join(s.dir, "box-"+name+"-"+filepath.Base(project))
	file := filepath.Join(s.dir, name+".toml")
	if err := os.WriteFile(file, []byte(profiles[profile]), 0o644); err != nil {
		return "", err
	}
	c := s.command(e, project, s.generator, "generate", file, "--force", "-o", path)
	c.Env = append(c.Env, environment...)
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot write the launcher of %s: %s", name, bytes.TrimSpace(out))
	}
	return path, nil
}

// account is who the things are started as.
type account struct {
	name string
	who  *syscall.Credential // nil: who runs the bench
}

// ordinary is the user that .ci/user makes.
const ordinary = "bwrapgen-test"

// findUser is the current user, and for root an ordinary one.
func findUser() (account, error) {
	me, err := user.Current()
	if err != nil || me.Uid != "0" {
		return account{name: me.Username}, err
	}
	if out, err := exec.Command(".ci/user").CombinedOutput(); err != nil {
		return account{}, fmt.Errorf("cannot make an ordinary user: %s", out)
	}
	u, err := user.Lookup(ordinary)
	if err != nil {
		return account{}, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return account{u.Username, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, err
}
