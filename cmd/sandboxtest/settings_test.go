package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// registries are files that name where packages come from, and whether they hold a login.
var registries = []struct {
	name, file, text string
	login            bool
}{
	{"npm", ".npmrc", "registry=https://npm.example.org/\nalways=1\n", false},
	{"npm, with a reference to a login", ".npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=${NPM_TOKEN}\n", false},
	{"npm, with a token", ".npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=abc\n", true},
	{"npm, with a token behind a reference", ".npmrc", "@a:registry=https://npm.example.org/\n_auth=${A}bc\n", false},
	{"npm, with a login", ".npmrc", "registry=https://npm.example.org/\n_auth=YWJj\n", true},
	{"npm, with a key", ".npmrc", "registry=https://npm.example.org/\nkey=\"-----BEGIN PRIVATE KEY-----\\nx\"\n", true},
	{"pip", ".config/pip/pip.conf", "[global]\nindex-url = https://pypi.example.org/simple\nkeyring-provider = subprocess\n", false},
	{"pip, with a password", ".config/pip/pip.conf", "[global]\nindex-url = https://me:abc@pypi.example.org/simple\n", true},
	{"pip, with a name", ".config/pip/pip.conf", "[global]\nextra-index-url = https://abc@pypi.example.org/simple\n", true},
	{"go", ".config/go/env", "GOPROXY=https://go.example.org\nGOPRIVATE=example.org\nGOAUTH=netrc\n", false},
	{"go, with a password", ".config/go/env", "GOPROXY=https://me:abc@go.example.org,direct\n", true},
	{"maven", ".m2/settings.xml", "<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\"><mirrors><mirror><url>https://m2.example.org/</url></mirror></mirrors></settings>\n", false},
	{"maven, with a reference to a password", ".m2/settings.xml", "<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\"><server><password>${env.PW}</password></server></settings>\n", false},
	{"maven, with a password", ".m2/settings.xml", "<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\"><server><password>abc</password></server></settings>\n", true},
	{"maven, with a header", ".m2/settings.xml", "<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\"><property><name>Private-Token</name><value>abc</value></property></settings>\n", true},
	{"cargo", ".cargo/config.toml", "[source.crates-io]\nreplace-with = \"own\"\n[source.own]\nregistry = \"sparse+https://crates.example.org/\"\n", false},
	{"cargo, with a token", ".cargo/config.toml", "[registries.own]\nindex = \"sparse+https://crates.example.org/\"\ntoken = \"abc\"\n", true},
	{"cargo, with variables", ".cargo/config.toml", "[env]\nX = \"https://example.org/\"\n", true},
	{"conda, with a token", ".condarc", "channels:\n  - https://conda.example.org/t/abc/x\n", true},
	{"conda", ".condarc", "channels:\n  - https://conda.example.org/x\n", false},
	{"nuget", ".nuget/NuGet/NuGet.Config", "<configuration><packageSources><add key=\"x\" value=\"https://nuget.example.org/\" /></packageSources></configuration>\n", false},
	{"nuget, with a login", ".nuget/NuGet/NuGet.Config", "<configuration><packageSourceCredentials><x><add key=\"ClearText\" value=\"https://abc\" /></x></packageSourceCredentials></configuration>\n", true},
}

// TestRegistries: a file that names where packages come from is there, read-only, as
// long as it holds no login, also where it has come since; else the launcher says that it is
// not. In the host's root, and home, nothing else holds.
func TestRegistries(t *testing.T) {
	t.Parallel()
	for i, profile := range []string{
		`extends = ["default"]`,
		"extends = [\"default\"]\nfilesystem.base = \"host\"",
		"extends = [\"default\"]\nfilesystem.base = \"host\"\nhome.mode = \"empty\"",
	} {
		harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
			w := newWorld(t, s)
			files := map[string]string{}
			for _, marker := range []string{"package-lock.json", "requirements.txt", "pom.xml", "Cargo.toml", "environment.yml", "global.json"} {
				files["home/code/p/"+marker] = ""
			}
			w.Write(t, files)
			w.Give(t, w.Project)
			l := w.launch(t, profile)
			for _, r := range registries {
				w.Write(t, map[string]string{"home/" + r.file: r.text})
				w.Give(t, w.Home)
				outside := l
				outside.Program = "/usr/bin/env"
				outside.Run(t, "cat", w.Home+"/"+r.file).Expect(t, r.name+", outside", 0, r.text)
				got := l.Run(t, "sh", "-c", `cat "$1"; echo x >>"$1" && echo written`, "sh", w.Home+"/"+r.file)
				want, said := r.text, ""
				if r.login {
					want, said = "", "may contain credentials"
				}
				if got.Stdout != want && got.Stdout != want+"written\n" || !r.login && strings.Contains(got.Stdout, "written") {
					t.Errorf("%s: it reads as %q, want %q", r.name, got.Stdout, want)
				}
				if r.login && i == 0 {
					l.Run(t, "test", "-e", w.Home+"/"+r.file).Ends(t, 1)
				}
				if !strings.Contains(got.Stderr, said) || !r.login && strings.Contains(got.Stderr, "credentials") {
					t.Errorf("%s: the launcher says %q", r.name, got.Stderr)
				}
				outside.Run(t, "cat", w.Home+"/"+r.file).Expect(t, r.name+", afterwards", 0, r.text)
				l.shell(t, `rm "$H/`+r.file+`"`)
			}
		})
	}
}

// TestRegistriesOfOnesOwn: what a profile says of such a file counts, without a word.
func TestRegistriesOfOnesOwn(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const text = "registry=https://npm.example.org/\n_auth=YWJj\n"
		w.Write(t, map[string]string{"home/.npmrc": text, "home/code/p/package-lock.json": ""})
		w.Give(t, w.Home)
		for profile, want := range map[string]string{
			`filesystem.read = [{ path = "~/.npmrc", why = "it installs private packages" }]`: text,
			`filesystem.hide = ["~/.npmrc"]`: "",
		} {
			r := w.launch(t, "extends = [\"default\"]\n"+profile).Run(t, "sh", "-c", `cat "$HOME/.npmrc" 2>/dev/null; true`)
			if r.Ends(t, 0).Prints(t, want); r.Stderr != "" {
				t.Errorf("%s: the launcher says %q", profile, r.Stderr)
			}
		}
	})
}

// TestAddresses: a variable that names where packages come from is passed as long
// as it holds no login; else the launcher says that it is not. A profile can pass it.
func TestAddresses(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		const plain, login = "https://go.example.org,direct", "https://go.example.org,https://me:abc@go.example.org"
		l.from(t, `"$L" printenv GOPROXY`, "GOPROXY="+plain).Ends(t, 0).Prints(t, plain+"\n")
		l.from(t, `"$L" printenv GOPROXY`, "GOPROXY="+login).Ends(t, 1).Prints(t, "").Says(t, "GOPROXY contains credentials")
		own := w.launch(t, "extends = [\"default\"]\nenvironment.pass = [\"GOPROXY\"]")
		own.from(t, `"$L" printenv GOPROXY`, "GOPROXY="+login).Ends(t, 0).Prints(t, login+"\n")
	})
}

// TestOnline: programs find the proxy and the certificates that they have outside. A proxy
// with a login is not passed; nor is any without a network.
func TestOnline(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/company/ca.pem": "-----BEGIN CERTIFICATE-----\n"})
		w.Give(t, w.Home)
		certificates := "SSL_CERT_FILE=" + w.Home + "/company/ca.pem"
		w.variables = append(w.variables, certificates)
		const plain, login = "HTTPS_PROXY=http://proxy.example.org:3128", "HTTPS_PROXY=http://me:abc@proxy.example.org:3128"
		l := w.launch(t, `extends = ["base"]`)
		l.from(t, `"$L" sh -c 'echo "$HTTPS_PROXY $no_proxy"; cat "$SSL_CERT_FILE"; ls "${SSL_CERT_FILE%/*}"'`, plain, "no_proxy=here", certificates).
			Ends(t, 0).Prints(t, "http://proxy.example.org:3128 here\n-----BEGIN CERTIFICATE-----\nca.pem\n")
		l.from(t, `"$L" printenv HTTPS_PROXY`, login).Ends(t, 1).Prints(t, "").Says(t, "HTTPS_PROXY contains credentials")
		none := w.launch(t, "extends = [\"base\"]\nnetwork.mode = \"none\"")
		none.from(t, `"$L" printenv HTTPS_PROXY`, plain).Ends(t, 1).Prints(t, "")
	})
}

// TestOptOuts: telemetry and updates that the user has switched off are off inside, in each
// profile that extends base. Variables with similar names, which may hold credentials, stay outside.
func TestOptOuts(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for _, profile := range []string{`extends = ["default"]`, `extends = ["look"]`} {
			l := w.launch(t, profile)
			off := []string{
				"CHECKPOINT_DISABLE=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
				"DISABLE_TELEMETRY=1", "DOTNET_CLI_TELEMETRY_OPTOUT=true", "DO_NOT_TRACK=1", "HOMEBREW_NO_ANALYTICS=1", "HOMEBREW_NO_AUTO_UPDATE=1",
				"NEXT_TELEMETRY_DISABLED=1", "NO_UPDATE_NOTIFIER=1", "SAM_CLI_TELEMETRY=0", "SCARF_ANALYTICS=false", "WRANGLER_SEND_METRICS=false",
			}
			seen := l.inside(t, append(off, "MY_ANALYTICS_KEY=abc", "X_TELEMETRY=https://me:abc@example.org", "CYPRESS_CRASH_REPORTS=0")...)
			for _, set := range off {
				if name, value, _ := strings.Cut(set, "="); seen[name] != value {
					t.Errorf("%s: %s is %q inside", profile, set, seen[name])
				}
			}
			for _, name := range []string{"MY_ANALYTICS_KEY", "X_TELEMETRY"} {
				if value, ok := seen[name]; ok {
					t.Errorf("%s: %s=%s is passed", profile, name, value)
				}
			}
		}
	})
}

// TestTerminfo: a terminal that is described in home, or where TERMINFO or
// TERMINFO_DIRS leads, is known inside; a directory that describes no such terminal is not there.
func TestTerminfo(t *testing.T) {
	t.Parallel()
	harness.Need(t, "tic")
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `printf 'xterm-own|a terminal of its own,\n\tcolors#77, use=xterm,\n' >"$O/source"
			for d in "$H/.terminfo" "$O/ti" "$H/ti"; do tic -x -o "$d" "$O/source"; done`)
		w.Give(t, w.Top)
		for _, profile := range []string{`extends = ["default"]`, `extends = ["look"]`, "extends = [\"default\"]\nfilesystem.base = \"host\"\nhome.mode = \"empty\""} {
			l := w.launch(t, profile)
			for _, set := range [][]string{{}, {"TERMINFO=" + w.Outside + "/ti"}, {"TERMINFO=" + w.Home + "/ti"}, {"TERMINFO_DIRS=/absent:" + w.Home + "/ti:"}} {
				if len(set) > 0 {
					w.shell(t, `[ ! -e "$H/.terminfo" ] || mv "$H/.terminfo" "$H/aside"`)
				}
				l.from(t, `"$L" tput colors`, append(set, "TERM=xterm-own")...).Expect(t, profile+strings.Join(set, " "), 0, "77\n")
			}
			l.from(t, `"$L" cat "$H/.ssh/id_test"`, "TERM=xterm-own", "TERMINFO="+w.Home+"/.ssh").Ends(t, 1)
			w.shell(t, `mv "$H/aside" "$H/.terminfo"`)
		}
	})
}

// TestShell: SHELL and passwd name the user's shell where it is visible. By itself
// it says at its prompt where it is, and BWRAPGEN does for programs.
func TestShell(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir "$H/bin" && cp /bin/bash "$H/bin/bash" && ln -s "$H/bin/bash" "$O/bash"`)
		w.Give(t, w.Top)
		for _, profile := range []string{`extends = ["default"]`, "extends = [\"default\"]\nfilesystem.base = \"host\"\nhome.mode = \"empty\""} {
			l := w.launch(t, profile)
			const look = `"$L" sh -c 'echo "${SHELL-unset} $(getent passwd "$(id -u)" | cut -d: -f7) $BWRAPGEN"'`
			self := l.inside(t)["BWRAPGEN"]
			if !strings.HasSuffix(l.Program, "/"+self) {
				t.Errorf("%s: BWRAPGEN is %q", l.Program, self)
			}
			for shell, want := range map[string]string{
				"/bin/bash": "/bin/bash /bin/bash", "/bin/sh": "/bin/sh /bin/sh", "/usr/sbin/nologin": "unset /bin/sh",
				w.Home + "/bin/bash": "unset /bin/sh", w.Outside + "/bash": "unset /bin/sh", "/absent": "unset /bin/sh", "bash": "unset /bin/sh",
			} {
				l.from(t, look, "SHELL="+shell).Expect(t, profile+" SHELL="+shell, 0, want+" "+self+"\n")
			}
			x := l.terminal(t)
			for _, command := range []string{`"$L"`, `"$L" bash`, `"$L" --sandbox-shell`} {
				x.Types(t, command+"\n")
				x.Expect(t, `\(`+self+`\) [^\n]*[#$] $`)
				x.Types(t, "exit\n")
				x.Expect(t, "prompt> $")
			}
		}
	})
}

// TestInsideAnother: a launcher that is started in the sandbox of another says so if it
// cannot create a sandbox there.
func TestInsideAnother(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		self := l.inside(t)["BWRAPGEN"]
		l.shell(t, `cp "`+l.Program+`" inner`)
		l.Give(t, l.Project)
		l.from(t, `./inner echo outside`).Expect(t, "outside", 0, "outside\n")
		r := l.Run(t, "./inner", "echo", "ran")
		r.Refused(t, "inside", "this is already the sandbox of "+self, "kernel.nested-userns")
		if strings.Contains(r.Stderr, "overlay") {
			t.Errorf("it says more: %s", r.Stderr)
		}
	})
}
