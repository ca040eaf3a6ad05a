package sandboxtest

import (
	"os"
	"testing"
)

// TestReads: secrets, the caller's environment, processes and devices of the
// host are out of reach.
func TestReads(t *testing.T) {
	t.Parallel()
	absent := `No such file`
	attack(t, `extends = ["default"]`, []row{
		{name: "D1 ssh", do: `cat "$H/.ssh/id_test"`, denied: absent},
		{name: "D1 gnupg", do: `cat "$H/.gnupg/secring.gpg"`, denied: absent},
		{name: "D1 aws", do: `cat "$H/.aws/credentials"`, denied: absent},
		{name: "D1 netrc", do: `cat "$H/.netrc"`, denied: absent},
		{name: "D1 gh", do: `cat "$H/.config/gh/hosts.yml"`, denied: absent},
		{name: "D1 shell start-up files", do: `cat "$H/.bashrc"`, denied: absent},
		{name: "D1 another project", do: `cat "$H/code/other/file"`, denied: absent},
		{name: "D1 shadow", do: `ls /etc/shadow`, denied: absent},
		{name: "D1 what lies outside", do: `cat "$O/file"`, denied: absent},
		{name: "D1 through /proc/1/root", do: `cat "/proc/1/root$O/file"`, denied: absent + `|Permission denied`, control: `cat "/proc/self/root$O/file"`},
		{name: "D1 through /proc/1/cwd", do: `ls /proc/1/cwd/../../.ssh/id_test`, denied: absent + `|Permission denied`, control: `ls "$P/../../.ssh/id_test"`},
		{name: "D1 the caller's gitconfig is shown", do: `git config --global user.name`, says: `Somebody`},

		{name: "D2 a secret", do: `printenv SECRET_TOKEN AWS_SECRET_ACCESS_KEY SSH_AUTH_SOCK || exit 3`, denied: `^$`},
		{name: "D2 in PID 1", do: `cat /proc/*/environ | tr '\0' '\n' | grep -e the-secret`, denied: `^$`},
		{name: "D2 in an argument", do: `cat /proc/*/cmdline | tr '\0' '\n' | grep -e '^[A-Z_]*=' && exit 1; true`},
		{name: "D3 loader and interpreters", do: `printenv LD_LIBRARY_PATH NODE_OPTIONS`, denied: `^$`},
		{name: "the search path of Python", do: `printenv PYTHONPATH`, says: `/outside\s*$`},

		{name: "D5 only processes of its own", do: `test "$(ls -d /proc/[0-9]* | wc -l)" -lt 12`},
		{name: "D5 a host's process", do: `kill -0 "$PID"`, denied: `No such process`},
		{name: "D5 its environment", do: `tr '\0' '\n' <"/proc/$PID/environ" | grep HOST_SECRET`, denied: absent},
		{name: "D6 no new privileges", do: `grep -E '^(NoNewPrivs:.1|Cap(Inh|Prm|Eff|Bnd|Amb):.0+)$' /proc/self/status | wc -l`, says: `^6$`},
		{name: "D6 seccomp", do: `grep Seccomp: /proc/self/status`, says: `2$`},
		{name: "D7 setuid", do: `test "$(./suid-id -u)" = 0`, denied: `^$`, who: "user"},

		{name: "D16 core_pattern", do: `: >/proc/sys/kernel/core_pattern`, denied: `Read-only|denied`, control: `test -w /proc/sys/kernel/core_pattern`, who: "root"},
		{name: "D16 what /proc/sys says of the whole host", do: `find /proc/sys -type f -writable 2>/dev/null | grep -vE '` + ownIPC + `' | grep .`, denied: `^$`, control: `find /proc/sys -type f -writable 2>/dev/null | grep .`, who: "root"},
		{name: "D16 the same for an ordinary user", do: `find /proc/sys -type f -writable 2>/dev/null | grep -vE '` + ownIPC + `' | grep .`, denied: `^$`, control: none, who: "user"},
		{name: "D16 sysrq", do: `test -w /proc/sysrq-trigger`, denied: `^$`, control: none},
		{name: "D16 anything of /proc but processes", do: `find /proc -maxdepth 4 -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o -type f -writable -print 2>/dev/null | grep -vE '` + ownIPC + `|^/proc/pressure/' | while read -r f; do : >>"$f" && echo "$f"; done 2>/dev/null | grep .`, denied: `^$`, control: none},
		{name: "D16 what drivers have in /proc", do: `for n in acpi asound driver dynamic_debug scsi; do test ! -e /proc/$n || grep -q " /proc/$n [a-z]* ro" /proc/self/mounts || exit 1; done`, who: "root"},
		{name: "D16 sysfs", do: `find /sys -writable 2>/dev/null | grep -v '^/sys$' | grep .`, denied: `^$`, control: none},
		{name: "D17 devices", do: `ls /dev`, says: `^(console\n)?core\nfd\nfull\nnull\nptmx\npts\nrandom\nshm\nstderr\nstdin\nstdout\ntty\nurandom\nzero$`},
		{name: "D17 no disk", do: `test -e /dev/mem -o -e /dev/kmsg -o -e /dev/vda -o -e /dev/sda`, denied: `^$`, control: none},
		{name: "D17 mknod", do: `"$inside" try mknod "$P/made-null"`, denied: `EPERM`, who: "root"},
		{name: "the kernel's log", do: `dmesg`, denied: `not permitted|Permission denied`, who: "root", control: `dmesg`},
		{name: "files by number", do: `"$inside" try open-by-handle "$P/file"`, denied: `EPERM`, who: "root"},
	}, setuid)
}

// ownIPC are settings of the sandbox's own IPC and process namespaces: who owns
// those may write them, and nobody else sees it.
const ownIPC = `^/proc/sys/(fs/mqueue/|kernel/(auto_msgmni|msg.*|ns_last_pid|pid_max|sem|shm.*)$)`

// setuid adds a program that is root's and runs as root, where root runs the
// tests.
func setuid(t *testing.T, l *launcher) {
	if os.Getuid() != 0 {
		l.shell(t, `printf '#!/bin/sh\necho 0\n' >suid-id && chmod +x suid-id`)
		return
	}
	l.shell(t, `cp /usr/bin/id suid-id && chown 0:0 suid-id && chmod 4755 suid-id`)
}

// TestHome: home is empty and vanishes; who one is can be told.
func TestHome(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]`, []row{
		{name: "home is writable and empty but for what is shown", do: `ls -A "$HOME" | grep -vxe go -e code -e .cache -e .gitconfig -e .config && exit 1; test "$HOME" = "$H"`},
		{name: "getpwuid", do: `test "$(getent passwd "$(id -u)" | cut -d: -f6)" = "$HOME"`},
		{name: "a name", do: `test "$(id -un)" = "$USER" && test -n "$(id -gn)"`},
		{name: "tilde", do: `test ~ = "$H"`},
		{name: "the time zone", do: `test -L /etc/localtime -o ! -e /etc/localtime; date +%Z`, says: `.`},
		{name: "the host name is no other", do: `hostname`, says: `.`},
		{name: "alternatives", do: `awk 'BEGIN{print 1}'`, says: `^1$`},
		{name: "39 nothing new", do: `touch "$HOME/made-x" "$HOME/.made" && mkdir "$HOME/made-d"`},
	})
}

// TestHiddenInProject: a name that the profile hides in the project.
func TestHiddenInProject(t *testing.T) {
	t.Parallel()
	layouts(t, "[project]\nhide = [\".env\", \"secrets/\", \"absent\"]", []row{
		{name: "a file", do: `grep the-secret .env`, denied: `^$`},
		{name: "what stands for the file is one, and empty", do: `stat -c %F .env`, says: `^regular empty file$`},
		{name: "a directory", do: `cat secrets/one`, denied: `No such file`},
		{name: "what stands for the directory is one, and empty", do: `stat -c %F secrets && ls -A secrets`, says: `^directory$`},
		{name: "write to the file", do: `echo x >.env`, denied: held + `|Permission denied`},
		{name: "change what stands for the file", do: `chmod 644 .env`, denied: held + `|not permitted`},
		{name: "write in the directory", do: `echo x >secrets/made-x`, denied: held},
		{name: "move the file", do: `mv .env made-env`, denied: held},
		{name: "move the directory", do: `mv secrets made-secrets`, denied: held, control: `cp -a . ../copy && cd ../copy && mv secrets made-secrets`},
		{name: "remove the directory", do: `rm -rf secrets`, denied: held, control: `rm -rf ../copy/secrets ../copy/made-secrets`},
		{name: "39 no mount point is left for what is absent", do: `true`},
	}, func(t *testing.T, l *launcher) {
		l.Write(t, map[string]string{"home/code/p/.env": secret, "home/code/p/secrets/one": secret})
		l.Give(t, l.Project)
	})
}
