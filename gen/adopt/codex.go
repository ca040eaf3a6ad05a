package adopt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// codex reads Codex's config.toml: sandbox_mode with [sandbox_workspace_write], or a
// permission profile (developers.openai.com/codex/config-reference and
// developers.openai.com/codex/permissions).
func (d *draft) codex(name string, src []byte) error {
	var all struct {
		Mode        string         `toml:"sandbox_mode"`
		Write       map[string]any `toml:"sandbox_workspace_write"`
		Chosen      string         `toml:"default_permissions"`
		Permissions map[string]any
		Environment map[string]any `toml:"shell_environment_policy"`
	}
	if err := toml.Unmarshal(src, &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no TOML: %v", name, err), "name Codex's config.toml, or a script that calls bwrap")
	}
	if all.Mode+all.Chosen == "" {
		return problem.New(fmt.Sprintf("%q has neither sandbox_mode nor default_permissions", name), "name Codex's config.toml")
	}
	d.format = "settings of Codex"
	d.readsHost()
	d.set("network.mode", "none")
	if all.Mode != "" {
		d.mode(all.Mode, all.Write)
	} else {
		d.permissions(all.Chosen, all.Permissions)
	}
	d.shellEnvironment(all.Environment)
	d.listed()
	return nil
}

// mode is sandbox_mode.
func (d *draft) mode(mode string, table any) {
	switch mode {
	case "read-only":
		d.set("project.access", "read")
	case "workspace-write":
	default:
		d.leave("sandbox_mode = "+source.Quote(mode), "it is no sandbox; this profile is one, as workspace-write is")
	}
	private := func(d *draft, what string, _ any) { d.differ(what, privateTmp) }
	d.table("sandbox_workspace_write", table, noKey, readers{
		"writable_roots": paths("write"), "network_access": (*draft).network,
		"exclude_tmpdir_env_var": private, "exclude_slash_tmp": private,
	})
}

const privateTmp = "a launcher's /tmp is private, and always there"

// network opens the network, if that is so.
func (d *draft) network(_ string, open any) {
	if open == true {
		d.set("network.mode", "host")
	}
}

// builtIn are the permission profiles of Codex's own, and the mode that each stands for.
var builtIn = map[string]string{
	":read-only": "read-only", ":workspace": "workspace-write", ":danger-full-access": "danger-full-access",
}

// permissions is a permission profile, built in or one of [permissions.NAME].
func (d *draft) permissions(chosen string, named map[string]any) {
	if mode := builtIn[chosen]; mode != "" {
		d.mode(mode, nil)
		return
	}
	if !isTable(named[chosen]) {
		d.leave("default_permissions = "+source.Quote(chosen), "there is no [permissions."+chosen+"]")
		return
	}
	d.set("project.access", "read")
	d.table("permissions."+chosen, named[chosen], noKey, readers{
		"extends":         (*draft).extends,
		"filesystem":      inner((*draft).access),
		"workspace_roots": inner(func(d *draft, what, root string, _ any) { d.path(what+": "+root, root, "write") }),
		"network": func(d *draft, what string, value any) {
			d.table(what, value, noKey, readers{
				"enabled":      (*draft).network,
				"domains":      inner((*draft).domain),
				"unix_sockets": inner(func(d *draft, what, path string, _ any) { d.socketPath(what, path) }),
			})
		},
	})
}

func (d *draft) extends(what string, value any) {
	switch value {
	case ":workspace":
		d.unset("project.access")
	case ":read-only":
	default:
		d.leave(what+": "+short(value), noKey)
	}
}

func (d *draft) domain(what, host string, access any) {
	if access == "allow" {
		d.host(what, host)
	} else {
		d.leave(what+": "+host, "a profile lists what is allowed, and nothing else is")
	}
}

// unknownAccess is the reason for an access that is none of Codex's.
const unknownAccess = "it is no access that is known"

// kindOf gives what an access of a permission profile means here; empty: it is none that is
// known.
func kindOf(access any) string {
	text, _ := access.(string)
	return map[string]string{"read": "read", "write": "write", "deny": "hide", "none": "hide"}[text]
}

// access reads a row of [permissions.NAME.filesystem]: a path, a special name, or a
// table of names below it.
func (d *draft) access(what, path string, access any) {
	name := what + ": " + path + " = " + short(access)
	isProject := slices.Contains([]string{":workspace_roots", ":project_roots", ":cwd"}, path)
	isTmp := slices.Contains([]string{":tmpdir", ":slash_tmp"}, path)
	isShown := slices.Contains([]string{":root", ":minimal"}, path)
	switch kind := kindOf(access); {
	case isProject && isTable(access):
		for below, access := range entries(access) {
			d.below(what+"."+path+": "+below+" = "+short(access), below, kindOf(access))
		}
	case isProject:
		d.below(name, ".", kind)
	case isTable(access):
		d.leave(name, "only names below the project are patterns")
	case kind == "":
		d.leave(name, unknownAccess)
	case isShown && kind == "read": // base shows it
	case isTmp && kind != "hide":
		d.differ(name, privateTmp)
	case strings.HasPrefix(path, ":"):
		d.leave(name, noKey)
	default:
		d.path(name, path, kind)
	}
}

// below is the access to the project as a whole, or to a name below it.
func (d *draft) below(what, name, kind string) {
	switch {
	case kind == "":
		d.leave(what, unknownAccess)
	case name == "." && kind == "write":
		d.unset("project.access")
	case name == ".":
		d.workTree(what, kind)
	case kind == "read":
		d.path(what, name, "hold")
	case kind == "write" && d.has("project.access"):
		d.show("filesystem.write", entry{path: "./" + name})
	default:
		d.path(what, name, kind)
	}
}

// shellEnvironment is [shell_environment_policy].
func (d *draft) shellEnvironment(table map[string]any) {
	d.table("shell_environment_policy", table, "a launcher passes on what is listed in environment.pass, and nothing else", readers{
		"set":          (*draft).variables,
		"include_only": each(func(d *draft, _, name string) { d.add("environment.pass", name) }),
	})
	if table["inherit"] == nil && table["include_only"] == nil {
		d.differ("the caller's variables", "a launcher passes on those that are listed")
	}
}
