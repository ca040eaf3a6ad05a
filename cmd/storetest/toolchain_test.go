package storetest

import (
	"fmt"
	"testing"
)

const installing = `
[toolchains]
use = ["npm", "pyenv"]
mode = "overlay"
[caches]
mode = "%s"
`

// pyenv is a manager like the one of that name: it lies where it installs.
const pyenv = `#!/bin/bash
set -e
cd "${0%/*}/.."
mkdir versions/$1 && cp versions/1/python versions/$1/python
echo "exec $PWD/versions/$1/python $1" >shims/new && chmod 755 shims/new && mv shims/new shims/python
`

// TestToolchain installs with managers whose own directory they change.
func TestToolchain(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		b.put(".pyenv/bin/pyenv", pyenv)
		b.put(".pyenv/versions/1/python", "#!/bin/sh\necho python $1\n")
		b.put(".pyenv/shims/python", "exec "+b.Home+"/.pyenv/versions/1/python 1\n")
		b.put("code/p/package/package.json", `{"name":"tool","version":"1.0.0","bin":{"tool":"tool.js"}}`)
		b.put("code/p/package/tool.js", "#!/usr/bin/env node\nconsole.log('tool')\n")
		b.must(b.host("mkdir -p .npm-global/bin .npm-global/lib/node_modules/old; echo old >.npm-global/lib/node_modules/old/f; chmod 755 .pyenv/*/* .pyenv/versions/1/python; tar -C code/p -czf code/p/tool.tgz package"))
		b.Set("PATH=" + b.Path(b.Home+"/.npm-global/bin", b.Home+"/.pyenv/shims", b.Home+"/.pyenv/bin"))
		before := b.state(".npm-global", ".pyenv")
		const install = "set -e; export npm_config_prefix=$HOME/.npm-global; npm install -g --offline --no-audit --no-fund --loglevel=error ./tool.tgz >/dev/null; pyenv 2; "
		const use = "tool; python; cat ~/.npm-global/lib/node_modules/old/f"
		for _, mode := range []string{"ephemeral", "keep"} {
			b.launch(fmt.Sprintf(installing, mode))
			b.same("installed", b.must(b.inside(install+use)), "tool\npython 2\nold")
			r := b.inside(use)
			if mode == "keep" {
				b.same("in the second run", b.must(r), "tool\npython 2\nold")
				b.must(b.sandbox("--sandbox-discard"))
			} else {
				b.same("in the second run", r.Stdout, "python 1\nold")
			}
			before.Same(b.T, b.state(".npm-global", ".pyenv"))
			b.gone()
		}
		b.launch("[toolchains]\nuse = [\"npm\", \"pyenv\"]\n")
		if r := b.inside("pyenv 2"); r.Status == 0 {
			b.Error("a toolchain that is read-only was changed")
		}
	})
}

// TestOtherProjects has a store of pnpm that knows of the host's projects: the
// command does not, and can add its own.
func TestOtherProjects(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		const at = ".local/share/pnpm/store/v10"
		b.must(b.host("mkdir -p " + at + "/projects " + at + "/files; ln -s $HOME/secret " + at + "/projects/a; echo f >" + at + "/files/f"))
		before := b.state(".local/share/pnpm")
		for _, mode := range []string{"ephemeral", "keep"} {
			b.launch("[toolchains]\nuse = [\"pnpm\"]\n[caches]\nmode = \"" + mode + "\"\n")
			for range 2 {
				b.same(mode, b.must(b.inside("cd ~/"+at+"; cat files/f; ls projects; ln -s $PWD projects/mine; ls projects")), "f\nmine")
			}
			before.Same(b.T, b.state(".local/share/pnpm"))
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestNeedsWrite has tools that do not run where they cannot write: they have a
// view, though nobody has asked for one.
func TestNeedsWrite(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		b.put("flutter/bin/flutter", "#!/bin/sh\n: >\"${0%/*}/cache/lockfile\" && echo flutter\n")
		b.put("flutter/bin/cache/engine", "1\n")
		b.put(".gradle/jdks/21/release", "21\n")
		b.put(".gradle/gradle.properties", "password=1\n")
		b.put(".rbenv/version", "1\n")
		b.must(b.host("chmod 755 flutter/bin/flutter"))
		b.Set("PATH="+b.Path(b.Home+"/flutter/bin"), "FLUTTER_ROOT="+b.Home+"/flutter")
		before := b.state("flutter", ".gradle", ".rbenv")
		for _, mode := range []string{"ephemeral", "keep", "none"} {
			b.launch("[toolchains]\nuse = [\"dart\", \"gradle\", \"ruby\"]\n[caches]\nmode = \"" + mode + "\"\n")
			b.same(mode, b.must(b.inside("flutter")), "flutter")
			if mode != "none" {
				b.same(mode, b.must(b.inside("cd ~/.gradle; mkdir jdks/25; ls jdks; cat gradle.properties 2>&- || echo none")), "21\n25\nnone")
			}
			if r := b.inside("cat ~/.rbenv/version && echo 2 >~/.rbenv/version"); r.Status == 0 || r.Stdout != "1\n" {
				b.Errorf("%s: a toolchain that is read-only: status %d, %q", mode, r.Status, r.Stdout)
			}
			if mode == "keep" {
				b.must(b.sandbox("--sandbox-discard"))
			}
			before.Same(b.T, b.state("flutter", ".gradle", ".rbenv"))
			b.gone()
		}
	})
}
