package sandboxtest

import "testing"

// TestSetUID: no program with a set-uid bit can be left in the project, which
// another user of the host, or a service, would run as the caller. Other modes are
// made as ever, and git shares a repository by its group.
func TestSetUID(t *testing.T) {
	t.Parallel()
	const begin, end = `trap 'rm -rf made-*' EXIT; `, ` && test -u made-f`
	const no = "Operation not permitted"
	attack(t, `extends = ["default"]`, []row{
		{name: "chmod", do: begin + `cp /bin/true made-f && chmod 4755 made-f` + end, denied: no},
		{name: "fchmod", do: begin + `perl -e 'open F, ">", "made-f"; chmod 04755, *F or die $!'` + end, denied: no},
		{name: "install", do: begin + `install -m 4755 /bin/true made-f` + end, denied: no},
		{name: "open", do: begin + `perl -MFcntl -e 'sysopen F, "made-f", O_CREAT|O_WRONLY, 04755 or die $!'` + end, denied: no},
		{name: "tar", do: begin + `touch made-g && tar -c --mode 4755 --transform s:made-g:made-f: made-g | tar -xp` + end, denied: no},
		{name: "other modes", do: begin + `cp -p /bin/true made-f && chmod 0755 made-f && ./made-f && mkdir -m 1777 made-d && chmod g+s made-d && touch made-g && chmod g+s made-g && ` +
			`git init -q --shared made-r && stat -c %a made-f made-d made-r/.git | tr '\n' ' '`, says: "^755 3777 27[0-7]{2}"},
	})
}
