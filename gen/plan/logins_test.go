package plan

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestLogins: every key of the catalogue is a login, and none of what tools need
// besides is taken for one by its name.
func TestLogins(t *testing.T) {
	for _, tool := range catalogue.BuiltIn().Tools {
		for _, name := range tool.Variables() {
			if LooksLikeLogin(name) && !slices.Contains(tool.Keys, name) {
				t.Errorf("%s: %s looks like a login, and passes", tool.Name, name)
			}
		}
	}
	for name, want := range map[string]bool{
		"AWS_SECRET_ACCESS_KEY": true, "AWS_ACCESS_KEY_ID": true, "GITHUB_TOKEN": true, "NPMTOKEN": true, "PGPASSWORD": true, "npm_config_password": true,
		"DB_PASS": true, "SSH_KEY": true, "OPENAI_APIKEY": true, "PATH": false, "COMPASS": false, "PATIENCE": false, "MONKEY": false, "PWD": false, "OLDPWD": false,
		"SSH_AUTH_SOCK": false, "GIT_AUTHOR_NAME": false, "XAUTHORITY": false, "CLAUDE_CODE_SKIP_VERTEX_AUTH": false,
		"MYSQL_PWD": true, "DB_PASSWD": true, "SSHPASS": true, "COMPOSER_AUTH": true, "SENTRY_DSN": true, "MY_COOKIE": true, "TOKENIZERS_PARALLELISM": false,
	} {
		if LooksLikeLogin(name) != want {
			t.Errorf("%s looks like a login: %v", name, !want)
		}
	}
}

// TestSummaryTells: the summary always says how many variables are passed through, names those that
// hold credentials, and says what the kernel allows.
func TestSummaryTells(t *testing.T) {
	for _, test := range []struct{ text, variables, kernel string }{
		{"", "only HOME and the like, no known credentials", "default system call filter; no new namespaces"},
		{`environment.pass = ["A", "AWS_SECRET_ACCESS_KEY", "B", "C", "D", "E", "F"]`, "7 passed through, including credentials: AWS_SECRET_ACCESS_KEY", ""},
		{`environment.pass = ["ONE_OF_SEVERAL", "SECOND_OF_SEVERAL", "THIRD"]`, "3 passed through, no known credentials", ""},
		{"environment.pass = [\"LC_*\", \"AIDER_*\"]\nenvironment.require = [\"OPENCODE_AUTH_CONTENT\"]", "3 passed through, including credentials: AIDER_* and OPENCODE_AUTH_CONTENT", ""},
		{"kernel = { seccomp = \"none\", nested-userns = true }", "", "no system call filter; the command can create namespaces"},
		{`kernel.seccomp = "strict"`, "", "strict system call filter; no new namespaces"},
	} {
		p := summarised(t, "toolchains = { use = [], skip = [\"proxies\"] }\n"+test.text)
		for subject, want := range map[string]string{"variables": test.variables, "kernel": test.kernel} {
			if got := words(p, subject); got == "" || want != "" && got != want {
				t.Errorf("%s: %s: %q, want %q", test.text, subject, got, want)
			}
		}
	}
}

// TestProviders: what chooses an agent's provider and model passes with its logins, which
// are marked. The logins of a whole account elsewhere are not the agent's.
func TestProviders(t *testing.T) {
	for profile, want := range map[string]struct{ pass, logins []string }{
		"claude-code": {
			[]string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "AWS_REGION", "CLOUD_ML_REGION", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_VERTEX_PROJECT_ID"},
			[]string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "AWS_BEARER_TOKEN_BEDROCK"},
		},
		"codex":      {[]string{"OPENAI_BASE_URL"}, []string{"OPENAI_API_KEY", "CODEX_API_KEY"}},
		"gemini-cli": {[]string{"GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI", "GEMINI_MODEL"}, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
		"qwen-code":  {[]string{"OPENAI_BASE_URL", "OPENAI_MODEL", "ANTHROPIC_BASE_URL"}, []string{"OPENAI_API_KEY", "DASHSCOPE_API_KEY"}},
		"opencode":   {[]string{"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_VERTEX_PROJECT"}, []string{"ANTHROPIC_API_KEY", "OPENCODE_API_KEY"}},
		"crush":      {[]string{"AZURE_OPENAI_ENDPOINT", "VERTEXAI_PROJECT", "AWS_REGION"}, []string{"ANTHROPIC_API_KEY", "GROQ_API_KEY"}},
		"goose":      {[]string{"GOOSE_PROVIDER", "OPENAI_HOST", "ANTHROPIC_HOST", "OLLAMA_HOST"}, []string{"OPENAI_API_KEY"}},
		"aider":      {[]string{"OPENAI_API_BASE", "OLLAMA_API_BASE"}, []string{"OPENAI_API_KEY"}},
	} {
		e := summarised(t, "extends = [\""+profile+"\"]").Environ
		for _, name := range slices.Concat(want.pass, want.logins) {
			if !e.Passes(name) {
				t.Errorf("%s: %s does not pass", profile, name)
			}
			if slices.Contains(e.logins, name) != slices.Contains(want.logins, name) {
				t.Errorf("%s: %s is marked as a login, or is not", profile, name)
			}
		}
		for _, name := range []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS", "GITHUB_TOKEN"} {
			if e.Passes(name) {
				t.Errorf("%s: %s passes", profile, name)
			}
		}
	}
}

// TestSummaryShort: of the built-in profiles both take two rows of a header at most. Where
// many logins pass, each is named on a third.
func TestSummaryShort(t *testing.T) {
	for _, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
		p := summarised(t, "extends = [\""+name+"\"]")
		for _, subject := range []string{"variables", "kernel"} {
			got := words(p, subject)
			others, _, _ := strings.Cut(got, ", including credentials: ")
			if len(others) > 64 && len(got) > 2*64 || len(got) > 3*64 {
				t.Errorf("%s: %s: %q", name, subject, got)
			}
		}
	}
}

// TestSummaryTools: directories of tools are named before what lies where the host's
// variables lead, as a company's certificates do.
func TestSummaryTools(t *testing.T) {
	p := planned(t, "extends = [\"default\"]", host.Facts{
		Home: "/home/u", Markers: []string{"go.mod"}, Variables: map[string]string{"CURL_CA_BUNDLE": "/srv/ca.pem"},
		Paths: map[string]host.PathFact{"$CURL_CA_BUNDLE": {Kind: host.File}, "${GOROOT:-/usr/local/go}": {Kind: host.Dir}},
	})
	if got, want := words(p, "toolchains"), "/usr/local/go and files that $CURL_CA_BUNDLE name, read-only"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSummaryClauses: each clause of the template can be said.
func TestSummaryClauses(t *testing.T) {
	said := map[int]bool{}
	base := `extends = ["default"]` + "\n"
	for _, text := range []string{
		`project.access = "read"`, `project.access = "overlay"`, "kernel = { nested-userns = true, foreign-arch = true }",
		"filesystem.base = \"host\"\ntoolchains.mode = \"overlay\"", `tmp.mode = "keep"`, `tmp.mode = "session"`, `environment.pass = ["GITHUB_TOKEN"]`, `home.mode = "keep"`, `project.protect = ["mine"]`, `toolchains.use = ["fakeroot"]`,
		"filesystem = { read = [\"/srv/r\"], write = [\"/srv/w\"], empty = [\"/srv/e\"], overlay = [\"/srv/o\"], link = { \"/srv/l\" = \"r\" } }",
		`filesystem.credential = [{ path = "/srv/key", at = "~/key", why = "w" }]`, "project.report = true",
		"sockets = { pass = [\"dbus\"], talk = [\"org.a.B\"], own = [\"org.a.C\"] }", `network.mode = "none"`,
		"network = { mode = \"private\", publish = [3000], reach = [\"127.0.0.1:5432\"] }", "network = { mode = \"allow\", allow = [\"example.org\"] }",
		"confirm.mode = \"always\"\nlimits = { timeout = \"90s\", memory = \"1GiB\", processes = 9, open-files = 99, cpu-time = \"9s\" }",
	} {
		p := planned(t, base+text, host.Facts{
			Home: "/home/u", Markers: []string{"go.mod"}, Paths: map[string]host.PathFact{"${GOROOT:-/usr/local/go}": {Kind: host.Dir}},
		})
		for i, c := range p.clauses() {
			said[i] = said[i] || c.Words != ""
		}
	}
	for i, c := range (Plan{}).clauses() {
		if !said[i] {
			t.Errorf("clause %d, of %s, was never said", i, c.Subject)
		}
	}
}

func summarised(t *testing.T, text string) Plan {
	t.Helper()
	return planned(t, text, host.Facts{Home: "/home/u"})
}

func planned(t *testing.T, text string, facts host.Facts) Plan {
	t.Helper()
	p, err := profile.Parse("p.toml", []byte(text), profile.Loader{Builtin: profiles.FS})
	if err != nil {
		t.Fatal(err)
	}
	built, err := Build(p, catalogue.BuiltIn(), facts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func words(p Plan, subject string) string {
	for _, l := range p.Summary() {
		if l.Subject == subject {
			return strings.TrimSpace(l.Words)
		}
	}
	return ""
}
