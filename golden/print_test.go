package golden_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// hostile are arguments that a shell would like to change.
var hostile = []string{"printf", "<%s>", "a b", "", "x\ny", "*", "$HOME", "it's", "--sandbox-help", "--", "é\xff\u202e", `\`, "`id`", "${x}", "~", "{a,b}", "!", "#"}

// sources are the profiles that real bash tries: they need nothing of the host
// but /usr.
func sources() map[string]string {
	return map[string]string{
		"default": `extends = ["default"]`,
		"look":    `extends = ["look"]`,
		"offline": `extends = ["offline"]`,
		"minimal": `caches.store = "memory"`,
		"host":    `filesystem.base = "host"` + "\n" + `caches.store = "memory"`,
		"command": `command = ["env", "-u", "A B", "it's"]` + "\n" + `caches.store = "memory"`,
		"hostile": `filesystem.read = ["/usr", { path = "/usr/bin", at = "/x/it's $(id) \"*\" \\ \n" }]` + "\n" +
			`environment.set = { A = "it's $(id)\n\t'\"*" }` + "\n" + `caches.store = "memory"`,
	}
}

// versions are those of bwrap whose --help is in testdata.
func versions() []string { return []string{"0.4.1", "0.8.0", "0.12.0", "0.13.1"} }

// TestPrint runs launchers in real bash with a recorder in bwrap's place. The
// recorder must receive the caller's arguments as they were, and the text of
// --sandbox-print, read by bash, must be the very same call: environment,
// arguments and what the descriptors hold.
func TestPrint(t *testing.T) {
	for name, source := range sources() {
		for _, version := range versions() {
			t.Run(name+"/"+version, func(t *testing.T) { samePrint(t, name, source, version) })
		}
	}
}

func samePrint(t *testing.T, name, source, version string) {
	s := newStage(t, version)
	s.launcher(t, name, source)
	called := s.run(t, nil, hostile...)
	if got := called[max(0, len(called)-len(hostile)):]; !strings.Contains(join(called), join(hostile)) {
		t.Errorf("the arguments changed: %q", got)
	}
	text := s.output(t, exec.Command(s.script, append([]string{"--sandbox-print"}, hostile...)...))
	printed := s.run(t, text)
	if !slices.Equal(called, printed) {
		t.Errorf("--sandbox-print is not what runs:\n%q\n%q", printed, called)
	}
}

func join(words []string) string { return strings.Join(words, "\x00") }

// stage is a home directory with a project, and the recorder in PATH.
type stage struct {
	home, project string
	script        string // the launcher
	path          string // where it and the recorder are
	search        string // PATH
}

func newStage(t *testing.T, version string) *stage {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Fatal("bash is not installed")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{home: top + "/home", project: top + "/home/a b", path: top + "/programs", search: top + "/programs:/usr/bin:/bin"}
	for _, name := range []string{s.project + "/.git/hooks", s.path} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.put(t, "bwrap", read(t, "testdata/bwrap"), 0o755)
	s.put(t, "help.txt", read(t, "testdata/help-"+version+".txt"), 0o644)
	return s
}

func (s *stage) put(t *testing.T, name string, data []byte, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.path, name), data, perm); err != nil {
		t.Fatal(err)
	}
}

// launcher writes the launcher for a profile.
func (s *stage) launcher(t *testing.T, name, source string) {
	t.Helper()
	readFile := func(string) ([]byte, error) { return []byte(source), nil }
	facts := host.Facts{Arch: "aarch64,x86_64", Home: s.home, Markers: []string{"go.mod"}}
	script, err := launcher(t, profile.Loader{Builtin: profiles.FS, ReadFile: readFile}, "profile.toml", facts, plan.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	script = bytes.Replace(script, []byte(`if ! read -r -t 0 -u "$running"; then`), []byte("if :; then"), 1) // what sandboxes are at work here
	s.put(t, name, script, 0o755)
	s.script = filepath.Join(s.path, name)
}

// run gives what the recorder has received, of the launcher or of a text.
func (s *stage) run(t *testing.T, text []byte, args ...string) []string {
	t.Helper()
	cmd := exec.Command(s.script, args...)
	if text != nil {
		cmd = exec.Command("bash", "-c", string(text))
	}
	words := strings.Split(string(s.output(t, cmd)), "\x00")
	after := slices.IndexFunc(words, func(word string) bool { return !strings.HasPrefix(word, "env ") })
	slices.Sort(words[:max(0, after)])
	return words
}

func (s *stage) output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	var diagnostics bytes.Buffer
	cmd.Dir, cmd.Stderr = s.project, &diagnostics
	cmd.Env = s.environment()
	out, err := cmd.Output()
	if err != nil || diagnostics.Len() > 0 {
		t.Fatalf("%v\n%s", err, &diagnostics)
	}
	return out
}

func (s *stage) environment() []string {
	return []string{"HOME=" + s.home, "PATH=" + s.search, "TERM=xterm", "LC_TIME=", "XDG_RUNTIME_DIR=" + s.home}
}
