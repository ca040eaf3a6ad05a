package sandboxtest

import "testing"

// TestFiles: writes reach the project, and nothing else of the host.
func TestFiles(t *testing.T) {
	t.Parallel()
	attack(t, `extends = ["default"]`, []row{
		{name: "A1 a new file in the project", do: `echo new >made-file && cat made-file`, says: `^new$`},
		{name: "A1 a new directory in the project", do: `mkdir -p made-dir/x && rmdir made-dir/x`},
		{name: "A2 below /usr", do: `touch /usr/made-x`, denied: `Read-only file system`, control: `touch "$O/made-x"`},
		{name: "A2 below /etc", do: `touch /etc/made-x`, denied: `Read-only file system`, control: `touch "$O/made-y"`},
		{name: "A2 at the root", do: `touch /made-x`, denied: `Read-only file system`, control: `touch "$O/made-z"`},
		{name: "A2 in home", do: `echo x >"$H/made-x" && cat "$H/made-x"`},
		{name: "A2 in another project", do: `echo x >>"$H/code/other/file"`, denied: `No such file`},
		{name: "A3 through a link that leads out", do: `echo x >>link-out`, denied: `No such file|Read-only`},
		{name: "A4 through a dangling link", do: `echo x >dangling`, denied: `No such file|Read-only`},
		{name: "A7 a link planted inside", do: `ln -s "$H/.ssh" made-link && cat made-link/id_test`, denied: `No such file`},
		{name: "A9 through a descriptor left open", do: `"$inside" try write-at 7 made-x`, denied: `EBADF`},
		{name: "A9 no descriptor but three", do: `ls -l /proc/self/fd/ | grep -e "$O" -e ' [4-9] ->' && exit 1; true`},
		{name: "A15 devices", do: `echo x >/dev/null && head -c9 /dev/zero >/dev/null && head -c9 /dev/urandom >/dev/null && head -c9 /dev/random >/dev/null && test -c /dev/tty && ! echo x >/dev/full`},
		{name: "A15 shared memory", do: `echo x >/dev/shm/made-x && cat /dev/shm/made-x`},
		{name: "A16 rename between directories", do: `"$inside" try rename a/file b/made-a && "$inside" try rename b/made-a a/file`},
		{name: "A16 rename into .git", do: `echo x >made-r && "$inside" try rename made-r .git/made-r && "$inside" try rename .git/made-r made-r`},
		{name: "A16 link out of .git", do: `"$inside" try link .git/HEAD made-head`},
		{name: "A16 link between directories", do: `"$inside" try link a/file b/made-link && rm b/made-link`},
		{name: "D11 the host's /tmp", do: `test -z "$(ls -A /var/tmp)" && echo x >/tmp/made-x && echo x >/var/tmp/made-x`},
		{name: "D11 TMPDIR", do: `test "$TMPDIR" = /tmp && mktemp`},
	})
}

// TestReadOnlyOutside: what is shown read-only stays so.
func TestReadOnlyOutside(t *testing.T) {
	t.Parallel()
	attack(t, "extends = [\"default\"]\n[filesystem]\nread = [\"$O\"]", []row{
		{name: "it is shown", do: `cat "$O/file"`, says: `^outside$`},
		{name: "append", do: `echo x >>"$O/file"`, denied: `Read-only file system`},
		{name: "append through a link", do: `echo x >>link-out`, denied: `Read-only file system`},
		{name: "create", do: `touch "$O/made-x"`, denied: `Read-only file system`},
		{name: "chmod", do: `chmod 700 "$O/file"`, denied: `Read-only file system`},
		{name: "touch", do: `touch -d 2001-01-01 "$O/file"`, denied: `Read-only file system`},
		{name: "A4 through a dangling link", do: `echo x >dangling`, denied: `Read-only file system`},
		{name: "A6 hard link into the project", do: `"$inside" try link "$O/file" made-hard`, denied: `EXDEV`},
		{name: "remove", do: `rm -f "$O/file"`, denied: `Read-only file system`},
	})
}

// TestMostSpecific: the most specific rule wins, whatever the order of entries.
func TestMostSpecific(t *testing.T) {
	t.Parallel()
	for name, lists := range map[string]string{
		"parents first":  "read = [\"$O\", \"$O/directory/in/ro\"]\nwrite = [\"$O/directory\"]\nhide = [\"$O/directory/in/ro/secret\"]",
		"children first": "hide = [\"$O/directory/in/ro/secret\"]\nwrite = [\"$O/directory\"]\nread = [\"$O/directory/in/ro\", \"$O\"]",
	} {
		t.Run(name, func(t *testing.T) {
			attack(t, "extends = [\"default\"]\n[filesystem]\n"+lists, []row{
				{name: "A11 read-only", do: `touch "$O/made-x"`, denied: `Read-only file system`},
				{name: "A11 writable in it", do: `echo y >"$O/directory/in/ours"`},
				{name: "A11 read-only in that", do: `test -f "$O/directory/in/ro/file" && touch "$O/directory/in/ro/made-x"`, denied: `Read-only file system`},
				{name: "A11 hidden in that", do: `cat "$O/directory/in/ro/secret/file"`, denied: `No such file`},
				{name: "A14 write to what is hidden", do: `touch "$O/directory/in/ro/secret/made-x"`, denied: `Read-only file system`},
				{name: "37 rename a parent of what is hidden", do: `mv "$O/directory/in" "$O/directory/moved"`, denied: `busy`},
			}, nested)
		})
	}
}

// nested adds directories in directories.
func nested(t *testing.T, l *launcher) {
	l.Write(t, map[string]string{
		"outside/directory/in/ours":    "x",
		"outside/directory/in/ro/file": "x", "outside/directory/in/ro/secret/file": secret})
	l.Give(t, l.Outside)
}
