package golden_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
)

// hostile are arguments that a shell would like to change.
var hostile = []string{"printf", "<%s>", "a b", "", "x\ny", "*", "$HOME", "it's", "--sandbox-help", "--", "é\xff\u202e", `\`, "`id`", "${x}", "~", "{a,b}", "!", "#"}

// sources are the profiles that need nothing of the machine but /usr.
func sources() map[string]string {
	return map[string]string{
		"default": `extends = ["default"]`,
		"look":    `extends = ["look"]`,
		"minimal": `about = "Nothing."`,
		"host":    `filesystem.base = "host"`,
		"command": `command = ["env", "-u", "A B", "it's"]`,
		"hostile": `filesystem.read = ["/usr", { path = "/usr/bin", at = "/x/it's $(id) \"*\" \\ \n" }]` + "\n" +
			`environment.set = { A = "it's $(id)\n\t'\"*" }`,
	}
}

// versions are those of bwrap whose --help is in testdata.
func versions() []string { return []string{"0.4.1", "0.8.0", "0.12.0", "0.13.1"} }

// newProfile is a stage with the launcher of a profile.
func newProfile(t *testing.T, name, version string) *stage {
	t.Helper()
	facts := host.Facts{Arch: "x86_64", Home: "/home/alice", Markers: []string{"go.mod"}}
	script, err := launcher(t, inline(sources()[name]), facts, plan.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	facts.Bwrap.Version = version
	s := newStage(t, facts)
	s.launcher(t, name, script, "x86_64")
	return s
}

// TestPrint: the recorder receives the caller's arguments as they were, and the
// text of --sandbox-print, read by bash, is the very same call: environment,
// arguments and what the descriptors hold.
func TestPrint(t *testing.T) {
	for name := range sources() {
		for _, version := range versions() {
			t.Run(name+"/"+version, func(t *testing.T) {
				t.Parallel()
				s := newProfile(t, name, version)
				called := s.run(t, nil, hostile...)
				if joined := strings.Join(called.words, "\x00"); !strings.Contains(joined, strings.Join(hostile, "\x00")) {
					t.Errorf("the arguments changed: %q\n%s", called.words, called.stderr)
				}
				text := s.run(t, nil, append([]string{"--sandbox-print"}, hostile...)...)
				if text.words != nil || text.status != 0 {
					t.Fatalf("--sandbox-print ran bwrap, or exit %d: %s", text.status, text.stderr)
				}
				printed := s.run(t, []byte(text.stdout))
				if lines := changes(unnumbered(called.words), unnumbered(printed.words)); len(lines) > 0 {
					t.Errorf("--sandbox-print is not what runs:\n%s", lines)
				}
			})
		}
	}
}

// unnumbered are words, each a line, without the numbers of descriptors, which
// bash chooses, and the lock of the store, which only a run takes.
func unnumbered(words []string) []byte {
	var b strings.Builder
	for i, word := range words {
		flag := words[max(i-1, 0)]
		switch {
		case word == "--sync-fd" || flag == "--sync-fd":
		case slices.Contains([]string{"--ro-bind-data", "--file", "--seccomp", "--block-fd"}, flag):
			b.WriteString("N\n")
		case strings.HasPrefix(word, "descriptor "):
			b.WriteString("descriptor\n")
		default:
			b.WriteString(strconv.Quote(word) + "\n")
		}
	}
	return []byte(b.String())
}

// TestOptions finds where the launcher's own options end: everything from the
// first other word on, and all after a --, is the command's.
func TestOptions(t *testing.T) {
	s := newProfile(t, "look", "0.12.0")
	for name, test := range map[string]struct{ args, command []string }{
		"after --":         {[]string{"--", "--help"}, []string{"--help"}},
		"own after --":     {[]string{"--", "--sandbox-help"}, []string{"--sandbox-help"}},
		"own after a word": {[]string{"cmd", "--sandbox-help", "--"}, []string{"cmd", "--sandbox-help", "--"}},
		"a command's":      {[]string{"cmd", "--version"}, []string{"cmd", "--version"}},
		"one -- alone":     {[]string{"--", "--", "x"}, []string{"--", "x"}},
		"a dash":           {[]string{"-", "-x"}, []string{"-", "-x"}},
		"an empty word":    {[]string{"", "x"}, []string{"", "x"}},
	} {
		r := s.run(t, nil, test.args...)
		if want := "\x00--\x00" + strings.Join(test.command, "\x00") + "\x00descriptor "; !strings.Contains(strings.Join(r.words, "\x00"), want) {
			t.Errorf("%s: got %q, %s", name, r.words, r.stderr)
		}
	}
}

// TestPrintLeavesNothing looks at the home directory, which holds the project,
// before and after --sandbox-print, and at what asks for help where there is no
// bwrap.
func TestPrintLeavesNothing(t *testing.T) {
	for name := range sources() {
		s := newProfile(t, name, "0.8.0")
		before := s.files(t)
		if r := s.run(t, nil, "--sandbox-print", "true"); r.status != 0 || r.stderr != "" {
			t.Errorf("%s: exit %d: %s", name, r.status, r.stderr)
		}
		if after := s.files(t); after != before {
			t.Errorf("%s: before:\n%safter:\n%s", name, before, after)
		}
		s.variant["PATH"] = "/nonexistent"
		r := s.run(t, nil, "--sandbox-help")
		for _, word := range []string{"usage: " + name, "project", "network", "--sandbox-print"} {
			if !strings.Contains(r.stdout, word) {
				t.Errorf("%s: no %q in\n%s%s", name, word, r.stdout, r.stderr)
			}
		}
	}
}

// files lists what is below home, with times.
func (s *stage) files(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			b.WriteString(path + " " + info.ModTime().Format(time.RFC3339Nano) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// texts are what went wrong elsewhere.
var texts = []string{
	"$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"", "a\ntouch pwned\n", "&& touch pwned", "|touch pwned", "<(touch pwned)",
	"-x", "--bind", "--", "a b", "it's", `"`, `\`, "*", "?", "[a]", "~", "{a,b}", "!", "#x", "%s", "=", "é\u202e", "${HOME}", "${x@P}", "$((1))", "EOF\n",
	"@(a|b)", "]]", "))", "\x01\x7f",
}

// TestHostile puts odd texts into each place of a profile that reaches bash: none
// is run, and bwrap gets each as it is.
func TestHostile(t *testing.T) {
	for kind, test := range map[string]struct{ begin, each, end, reaches string }{
		"command": {`command = ["printf", `, `"TEXT"`, `]`, "TEXT"},
		"value":   {`environment.set = { `, `VALUE_COUNT = "TEXT"`, ` }`, "TEXT"},
		"read":    {`filesystem.read = [`, `{ path = "~/TEXT.d/x" }`, `]`, "TEXT.d/x"},
		"target":  {`filesystem.read = [`, `{ path = "~/plain", at = "/x/TEXT.d" }`, `]`, "TEXT.d"},
		"write":   {`filesystem.write = [`, `{ path = "~/TEXT.d/x" }`, `]`, "TEXT.d/x"},
		"empty":   {`filesystem.empty = [`, `{ path = "~/TEXT.d/x" }`, `]`, "TEXT.d/x"},
		"overlay": {`filesystem.overlay = [`, `{ path = "~/TEXT.d/x" }`, `]`, "TEXT.d/x"},
		"link":    {`filesystem.link = { `, `"/y/COUNT" = "/TEXT.d/x"`, ` }`, "TEXT.d/x"},
		"hide":    {"filesystem.read = [\"~/kept\"]\nfilesystem.hide = [", `{ path = "~/kept/TEXT.d" }`, `]`, "TEXT.d"},
		"project": {`filesystem.read = [`, `{ path = "./TEXT.d/x" }`, `]`, "TEXT.d/x"},
		"protect": {`project.protect = [`, `"TEXT.d/x"`, `]`, "TEXT.d/x"},
		"hidden":  {`project.hide = [`, `"TEXT.d/x"`, `]`, "TEXT.d/x"},
		"about":   {`about = """`, `TEXT`, `"""`, ""},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			facts := host.Facts{Arch: "x86_64", Home: "/home/alice"}
			s := newStage(t, facts)
			var entries, allowed []string
			for i, text := range texts {
				entry := strings.NewReplacer("TEXT", escaped(text), "COUNT", strconv.Itoa(i)).Replace(test.each)
				if _, err := launcher(t, inline(test.begin+entry+test.end), facts, plan.Options{Name: "box"}); err != nil {
					continue // no profile may have it there
				}
				entries, allowed = append(entries, entry), append(allowed, text)
				for _, at := range []string{s.home + "/plain", s.home + "/" + text + ".d/x", s.home + "/kept/" + text + ".d", s.project + "/" + text + ".d/x"} {
					if err := os.MkdirAll(at, 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			if len(allowed) < 12 {
				t.Fatalf("only %q are allowed", allowed)
			}
			script, err := launcher(t, inline(test.begin+strings.Join(entries, ", ")+test.end), facts, plan.Options{Name: "box"})
			if err != nil {
				t.Fatal(err)
			}
			s.launcher(t, "box", script, "x86_64")
			r := s.run(t, nil)
			if r.status != 0 || len(r.words) == 0 {
				t.Fatalf("exit %d: %s", r.status, r.stderr)
			}
			for _, text := range allowed {
				want := strings.ReplaceAll(test.reaches, "TEXT", text)
				if !slices.ContainsFunc(r.words, func(word string) bool { return strings.HasSuffix(word, want) }) {
					t.Errorf("%q does not reach bwrap: %q", text, r.words)
				}
			}
			for _, place := range []string{s.top, s.home, s.project, s.top + "/programs", "."} {
				if _, err := os.Lstat(place + "/pwned"); err == nil {
					t.Errorf("a text was run: there is %s/pwned", place)
				}
			}
		})
	}
}

var control = regexp.MustCompile(`[\x00-\x1f\x7f]`)

// escaped is a text in a basic string of TOML.
func escaped(text string) string {
	return control.ReplaceAllStringFunc(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text), func(c string) string {
		return fmt.Sprintf(`\u%04x`, c[0])
	})
}
