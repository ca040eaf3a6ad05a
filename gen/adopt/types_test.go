package adopt_test

import (
	"fmt"
	"strings"
	"testing"

	"bwrapgen/gen/adopt"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// typed is a key of settings: a source with a %s for its value, a value of the usual type, and the same as a
// single string where import takes one. A profile that is made of either has what is wanted.
type typed struct{ src, key, usual, single, want string }

// jsonKeys are keys of Claude Code's and sandbox-runtime's settings.
func jsonKeys() []typed {
	claude := func(key string) string { return `{"permissions": {}, "sandbox": {` + key + `: %s}}` }
	permission := func(key string) string { return `{"sandbox": {}, "permissions": {` + key + `: %s}}` }
	return []typed{
		{permission(`"deny"`), "permissions.deny", `["Read(./secret)"]`, `"Read(./secret)"`, "secret"},
		{permission(`"ask"`), "permissions.ask", `["Bash(secret)"]`, `"Bash(secret)"`, "secret"},
		{permission(`"allow"`), "permissions.allow", `["Read(//secret)"]`, `"Read(//secret)"`, "secret"},
		{permission(`"additionalDirectories"`), "permissions.additionalDirectories", `["/secret"]`, `"/secret"`, "secret"},
		{claude(`"filesystem": {"denyRead"`) + "}", "sandbox.filesystem.denyRead", `["~/secret"]`, `"~/secret"`, "secret"},
		{claude(`"filesystem": {"denyWrite"`) + "}", "sandbox.filesystem.denyWrite", `["./secret"]`, `"./secret"`, "secret"},
		{claude(`"filesystem": {"allowWrite"`) + "}", "sandbox.filesystem.allowWrite", `["/secret"]`, `"/secret"`, "secret"},
		{claude(`"network": {"deniedDomains"`) + "}", "sandbox.network.deniedDomains", `["secret.test"]`, `"secret.test"`, "secret"},
		{claude(`"network": {"allowedDomains"`) + "}", "sandbox.network.allowedDomains", `["secret.test"]`, `"secret.test"`, "secret"},
		{claude(`"network": {"allowUnixSockets"`) + "}", "sandbox.network.allowUnixSockets", `["/secret"]`, `"/secret"`, "secret"},
		{claude(`"filesystem"`), "sandbox.filesystem", `{"denyRead": ["~/secret"]}`, "", "secret"},
		{`{"sandbox": {}, "permissions": %s}`, "permissions", `{"deny": ["Read(./secret)"]}`, "", "secret"},
		{`{"sandbox": {}, "env": %s}`, "env", `{"secret": "x"}`, "", "secret"},
		{`{"network": {}, "filesystem": {"denyRead": %s}}`, "filesystem.denyRead", `["~/secret"]`, `"~/secret"`, "secret"},
		{`{"network": {}, "filesystem": {"denyWrite": %s}}`, "filesystem.denyWrite", `["./secret"]`, `"./secret"`, "secret"},
		{`{"filesystem": {}, "network": {"deniedDomains": %s}}`, "network.deniedDomains", `["secret.test"]`, `"secret.test"`, "secret"},
		{`{"sandbox": %s}`, "sandbox", `{"filesystem": {"denyRead": ["~/secret"]}}`, "", "secret"},
		{`{"filesystem": %s}`, "filesystem", `{"denyRead": ["~/secret"]}`, "", "secret"},
		{`{"network": {}, "filesystem": %s}`, "filesystem", `{"denyRead": ["~/secret"]}`, "", "secret"},
	}
}

// codexKeys are keys of Codex's config.toml.
func codexKeys() []typed {
	const mode, named = "sandbox_mode = \"workspace-write\"\n", "default_permissions = \"e\"\n"
	return []typed{
		{"sandbox_mode = %s\n", "sandbox_mode", `"read-only"`, `"read-only"`, `access = "read"`},
		{"default_permissions = %s\n", "default_permissions", `":read-only"`, `":read-only"`, `access = "read"`},
		{mode + "sandbox_workspace_write = %s\n", "sandbox_workspace_write", `{ writable_roots = ["/secret"] }`, "", "secret"},
		{mode + "sandbox_workspace_write.writable_roots = %s\n", "sandbox_workspace_write.writable_roots", `["/secret"]`, `"/secret"`, "secret"},
		{mode + "sandbox_workspace_write.network_access = %s\n", "sandbox_workspace_write.network_access", `true`, "", `mode = "host"`},
		{mode + "shell_environment_policy = %s\n", "shell_environment_policy", `{ include_only = ["secret"] }`, "", "secret"},
		{mode + "shell_environment_policy.include_only = %s\n", "shell_environment_policy.include_only", `["secret"]`, `"secret"`, "secret"},
		{mode + "shell_environment_policy.set = %s\n", "shell_environment_policy.set", `{ secret = "x" }`, "", "secret"},
		{named + "permissions = %s\n", "permissions", `{ e = { filesystem = { "~/secret" = "deny" } } }`, "", "secret"},
		{named + "permissions.e = %s\n", "permissions.e", `{ filesystem = { "~/secret" = "deny" } }`, "", "secret"},
		{named + "permissions.e.filesystem = %s\n", "permissions.e.filesystem", `{ "~/secret" = "deny" }`, "", "secret"},
		{named + "permissions.e.filesystem.\"/secret\" = %s\n", `permissions.e.filesystem."/secret"`, `"deny"`, `"deny"`, "secret"},
		{named + "permissions.e.filesystem.\":cwd\".\"secret\" = %s\n", `permissions.e.filesystem.":cwd".secret`, `"deny"`, `"deny"`, "secret"},
		{named + "permissions.e.workspace_roots.\"/secret\" = %s\n", `permissions.e.workspace_roots."/secret"`, `true`, "", "secret"},
		{named + "permissions.e.network = %s\n", "permissions.e.network", `{ enabled = true }`, "", `mode = "host"`},
		{named + "permissions.e.network.domains = %s\n", "permissions.e.network.domains", `{ "secret.test" = "deny" }`, "", "secret"},
		{named + "permissions.e.network.domains.\"secret.test\" = %s\n", `permissions.e.network.domains."secret.test"`, `"deny"`, `"deny"`, "secret"},
		{named + "permissions.e.network.unix_sockets.\"/secret\" = %s\n", `permissions.e.network.unix_sockets."/secret"`, `"deny"`, `"deny"`, "secret"},
	}
}

// wrongTypes are values of other types, by how the usual value begins.
var wrongTypes = map[byte][]string{
	'[': {`7`, `1.5`, `true`, `null`, `{"a": "secret"}`, `[["secret"]]`, `[7]`, `[null]`, `[{"path": "secret"}]`, `"one, two"`, `"one\ntwo"`},
	'{': {`7`, `true`, `null`, `"secret"`, `["secret"]`},
	'"': {`7`, `true`, `["secret"]`},
	't': {`7`, `"true"`, `["secret"]`, `{"a": true}`},
}

// TestTypes: import takes a string in place of a list. It refuses any other value of a wrong type, with the
// file and the key, since it may be a denial.
func TestTypes(t *testing.T) {
	for file, keys := range map[string][]typed{"settings.json": jsonKeys(), "config.toml": codexKeys()} {
		for _, k := range keys {
			try := func(value string) (string, error) {
				if file == "config.toml" {
					value = strings.NewReplacer(`": `, `" = `, "null", "2026-01-02").Replace(value)
				}
				r, err := adopt.Import(file, []byte(fmt.Sprintf(k.src, value)), catalogue.BuiltIn(), profile.Loader{Builtin: profiles.FS})
				return string(r.Profile), err
			}
			for _, value := range []string{k.usual, k.single} {
				if text, err := try(value); value != "" && (err != nil || !strings.Contains(text, k.want)) {
					t.Errorf("%s = %s does not become %s: %v\n%s", k.key, value, k.want, err, text)
				}
			}
			for _, value := range wrongTypes[k.usual[0]] {
				text, err := try(value)
				if err == nil || !strings.Contains(err.Error(), file+": "+k.key) || !strings.Contains(err.Error(), "hint: ") {
					t.Errorf("%s = %s: %v\n%s", k.key, value, err, text)
				}
			}
		}
	}
}

// TestMisspelt: a key in capitals or with _ is no key of the agent's, and is not passed over.
func TestMisspelt(t *testing.T) {
	for _, test := range []struct{ file, src, want string }{
		{"settings.json", `{"sandbox": {}, "Permissions": {"deny": ["Read(./secret)"]}}`, "settings.json: Permissions: "},
		{"settings.json", `{"permissions": {"Deny": ["Read(./secret)"]}}`, "settings.json: permissions.Deny: "},
		{"settings.json", `{"sandbox": {"filesystem": {"deny_read": ["./secret"]}}}`, "settings.json: sandbox.filesystem.deny_read: "},
		{"srt.json", `{"filesystem": {"denyread": ["./secret"]}}`, "srt.json: filesystem.denyread: "},
		{"config.toml", "default_permissions = \":read-only\"\nsandbox-mode = \"read-only\"\n", "config.toml: sandbox-mode: "},
		{"config.toml", "sandbox_mode = \"workspace-write\"\nsandbox_workspace_write = { Network_Access = false }\n", "config.toml: sandbox_workspace_write.Network_Access: "},
	} {
		_, err := adopt.Import(test.file, []byte(test.src), catalogue.BuiltIn(), profile.Loader{Builtin: profiles.FS})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v", test.src, err)
		}
	}
}

// TestCodexRows: a row of Codex's tables that denies a socket or a root does not pass it.
func TestCodexRows(t *testing.T) {
	const named = "default_permissions = \"e\"\n[permissions.e."
	for _, test := range []struct{ table, row, usual, denies string }{
		{"network.unix_sockets", `"/run/user/1000/wayland-1"`, `"allow"`, `"deny"`},
		{"workspace_roots", `"/srv/x"`, "true", "false"},
		{"network.domains", `"x.test"`, `"allow"`, `"none"`},
	} {
		lists := func(value string) bool {
			r := imported(t, "config.toml", named+test.table+"]\n"+test.row+" = "+value+"\n")
			text := string(r.Profile)
			return strings.Contains(text, "wayland\",\n") || strings.Contains(text, "/srv/x?\",\n") || strings.Contains(text, "x.test\",\n")
		}
		if !lists(test.usual) || lists(test.denies) {
			t.Errorf("%s: with %s listed %t, with %s %t", test.table, test.usual, lists(test.usual), test.denies, lists(test.denies))
		}
	}
}
