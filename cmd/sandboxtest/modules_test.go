package sandboxtest

import "testing"

// TestGitModuleNames: a module may have the name of something in a repository, lie below such a name, or
// below a HEAD that an earlier command created. It is protected like any other.
func TestGitModuleNames(t *testing.T) {
	t.Parallel()
	var rows []row
	for _, name := range []string{"logs", "a/objects/foo", "a/refs", "b/info/c", "planted/d"} {
		module := ".git/modules/" + name
		rows = append(rows,
			row{name: "a hook of " + name, do: `touch ` + module + `/hooks/made-hook`, denied: held},
			row{name: "the config of " + name, do: `echo x >>` + module + `/config`, denied: held},
			row{name: "to move " + name, do: `mv ` + module + ` .git/made-module`, denied: held, control: `cp -a . ../copy && mv ../copy/` + module + ` ../copy/.git/made-module && rm -rf ../copy`},
			row{name: "commit in " + name, do: `cd ` + name + ` && echo x >x && git add x && git commit -qm in-module`})
	}
	attack(t, `extends = ["default"]`, rows, func(t *testing.T, l *launcher) {
		l.shell(t, `git -C ../other init -q && git -C ../other commit -qm first --allow-empty
			for n in logs a/objects/foo a/refs b/info/c planted/d; do git -c protocol.file.allow=always submodule --quiet add ../other $n; mkdir -p .git/modules/$n/hooks; done
			git commit -qm modules && echo x >.git/modules/planted/HEAD`)
		l.Give(t, l.Home)
	})
}
