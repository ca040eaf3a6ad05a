package golden_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// stage is a machine for real bash: a directory with a home, a project and a
// recorder in bwrap's place. Paths that a launcher asks the machine for lead
// below that directory, so that each machine gives the same.
type stage struct {
	top     string
	home    string
	project string
	variant map[string]string // the environment
	script  string            // the launcher
}

// newStage makes a machine as the facts have it. Its user stands in the
// project, which is ~/code.
func newStage(t testing.TB, f host.Facts) *stage {
	t.Helper()
	top, err := os.MkdirTemp("/tmp", "golden") // launchers know /tmp: all machines have the same one
	if err != nil {
		t.Fatal(err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	s := &stage{top: top, home: top + f.Home, project: top + f.Home + "/code"}
	s.variant = map[string]string{
		"HOME": s.home, "PATH": top + "/programs:/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8", "SHELL": "/bin/sh",
		"LOGNAME": path.Base(f.Home), "case_uid": "1000",
	}
	if path.Base(f.Home) != "alice" && path.Base(f.Home) != "bob" {
		s.variant["LOGNAME"] = "alice"
	}
	for name, value := range f.Variables {
		s.set(name, value)
	}
	s.add(t, s.project+"/.git/hooks", host.PathFact{Kind: host.Dir})
	s.write(t, s.project+"/.git/config", "", 0o644)
	s.write(t, s.project+"/.git/HEAD", "ref: refs/heads/main\n", 0o644)
	s.write(t, top+"/dev/net/tun", "", 0o644)
	s.add(t, top+"/dev/shm", host.PathFact{Kind: host.Dir})
	for _, name := range slices.Sorted(maps.Keys(f.Paths)) {
		s.fact(t, f, name)
	}
	s.write(t, top+"/programs/bwrap", string(read(t, "testdata/bwrap")), 0o755)
	help := "testdata/help-" + cmp.Or(f.Bwrap.Version, "0.12.0") + ".txt"
	s.write(t, top+"/programs/help.txt", string(read(t, help)), 0o644)
	for name, text := range map[string]string{
		"pasta":          `[ "$1" = --host-lo-to-ns-lo ] && exit; echo $$; exec tail -f /dev/null`,
		"xdg-dbus-proxy": `printf x; read -r _ <&1`, "nft": "", "dnsmasq": "",
	} {
		s.write(t, top+"/programs/"+name, "#!/bin/bash\n"+text+"\n", 0o755)
	}
	return s
}

func (s *stage) set(name, value string) { s.variant[name] = s.below(value) }

// moved are the paths outside of the home directory that lead below the stage.
var moved = regexp.MustCompile(`(^|[^A-Za-z0-9_.}/-])(/(?:home|data|big|srv|nix|run/user|run/systemd|dev/kvm|dev/dri|dev/net|dev/shm/bwrapgen|tmp/\.X11-unix)(?:[-/ '"]|$))`)

func (s *stage) below(text string) string { return moved.ReplaceAllString(text, "${1}"+s.top+"${2}") }

// fact adds a path of host.json. What lies elsewhere than below the stage is
// the machine's own.
func (s *stage) fact(t testing.TB, f host.Facts, name string) {
	t.Helper()
	p, err := expr.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	at, ok := p.Eval(f.Environment(f.Home + "/code"))
	if at = s.below(at); ok && strings.HasPrefix(at, s.top) {
		s.add(t, at, f.Paths[name])
	}
}

func (s *stage) add(t testing.TB, at string, fact host.PathFact) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(at); err == nil {
		return
	}
	var err error
	switch {
	case fact.Target != "":
		target := s.below(fact.Target)
		s.add(t, target, host.PathFact{Kind: fact.Kind})
		err = os.Symlink(target, at)
	case fact.Kind == host.Dangling:
		err = os.Symlink("/nowhere", at)
	case fact.Kind == host.Dir:
		err = os.Mkdir(at, 0o755)
	case fact.Kind == host.Socket:
		var l net.Listener
		if l, err = net.Listen("unix", at); err == nil {
			t.Cleanup(func() { _ = l.Close() })
		}
	default:
		err = os.WriteFile(at, nil, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// write makes a file. No process may be started meanwhile: one that held a program
// open for writing would make it busy.
func (s *stage) write(t testing.TB, name, text string, perm os.FileMode) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
}

// environ sets more variables, from the lines of a file.
func (s *stage) environ(data []byte) {
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
		if s.set(name, value); name == "PATH" {
			s.variant[name] = s.top + "/programs:" + s.below(strings.ReplaceAll(value, ":", " "))
			s.variant[name] = strings.ReplaceAll(s.variant[name], " ", ":")
		}
	}
}

// asked are the places of the engine that ask the machine itself, with what
// they say on a stage. TestAsked finds those that are gone.
var asked = [][2]string{
	{"system_path=/usr/sbin", "system_path=TOP/programs:/usr/sbin"},
	{"machine=${BASH_VERSINFO[5]%%-*}", "machine=MACHINE"},
	{"${GROUPS[0]}", "$case_uid"},
	{"-L $path && $path == /@(bin", "$path == /@(bin"},
	{"-r /etc/timezone ]]", "-z $zone ]]"},
	{"/etc/localtime -ef /usr/share/zoneinfo/$zone", "-n $zone"},
	{"homes=(/home /root)", "homes=(/home)"},
	{"2>/dev/null </etc/passwd", "</dev/null"},
}

// TestAsked: a stage changes what stands in the engine.
func TestAsked(t *testing.T) {
	text := engineText(t)
	for _, pair := range asked {
		if !strings.Contains(text, pair[0]) {
			t.Errorf("no part has %s: what takes its place?", pair[0])
		}
	}
}

// launcher puts a launcher on the stage.
func (s *stage) launcher(t testing.TB, name string, script []byte, arch string) {
	t.Helper()
	text := string(script)
	for _, pair := range asked {
		text = strings.ReplaceAll(text, pair[0], strings.NewReplacer("TOP", s.top, "MACHINE", arch).Replace(pair[1]))
	}
	text = regexp.MustCompile(`\bUID\b`).ReplaceAllString(text, "case_uid")
	shebang, rest, _ := strings.Cut(text, "\n")
	s.script = s.top + "/programs/" + name
	s.write(t, s.script, shebang+"\n"+s.below(rest), 0o755)
}

// recorded is what became of a start.
type recorded struct {
	words  []string // what the recorder has received; nil: it was not started
	stdout string
	stderr string
	status int
}

// run starts the launcher, or has bash read a text.
func (s *stage) run(t testing.TB, text []byte, args ...string) recorded {
	t.Helper()
	cmd := exec.Command("bash", append([]string{"-p", s.script}, args...)...)
	if text != nil {
		cmd = exec.Command("bash", "-c", string(text))
	}
	var out, diagnostics bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.project, &out, &diagnostics
	for name, value := range s.variant {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	record := s.top + "/programs/record"
	_ = os.Remove(record)
	err := cmd.Run()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	r := recorded{stdout: out.String(), stderr: diagnostics.String(), status: cmd.ProcessState.ExitCode()}
	if data := read(t, record); data != nil {
		r.words = strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
		after := slices.IndexFunc(r.words, func(word string) bool { return !strings.HasPrefix(word, "env ") })
		slices.Sort(r.words[:max(0, after)])
	}
	return r
}

// arguments are what every launcher is started with.
var arguments = []string{"a b", "$(id)"}

// argv shows what the launcher of a case gives to bwrap: a variable, or a flag
// with its operands, a line; then what it said and its exit status.
func (c example) argv(t testing.TB, script []byte) []byte {
	t.Helper()
	first := c.hosts(t)[0]
	s := newStage(t, first)
	s.environ(c.Section("environ"))
	s.launcher(t, c.Name, script, first.Arch)
	args := arguments
	if own := strings.Fields(string(c.Section("args"))); len(own) > 0 {
		args = slices.Concat(own, arguments)
	}
	r := s.run(t, nil, args...)
	var b bytes.Buffer
	for _, group := range groups(r.words) {
		var texts []string
		for _, word := range group {
			if word == "env BWRAPGEN="+c.Name || word == "BWRAPGEN="+c.Name {
				word = "BWRAPGEN=minimal" // that all differ there says nothing
			}
			w, err := bash.Quote(s.plain(word))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, w.String())
		}
		if line := strings.Join(texts, " "); !ofMachine.MatchString(line) || slices.Contains(ofSandbox, texts[len(texts)-1]) {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString(s.plain(r.stderr))
	if r.status != 0 {
		fmt.Fprintf(&b, "exit %d\n", r.status)
	}
	return b.Bytes()
}

// ofMachine are secrets of the system that are hidden where the machine has
// them, and settings that are shown there, and ofSandbox is what every sandbox has at such places.
var (
	ofMachine = regexp.MustCompile(`^(--tmpfs|--remount-ro|--ro-bind-data N) /(etc|var|dev|nix)/|^--ro-bind /etc/`)
	ofSandbox = []string{"/var/tmp", "/etc/passwd", "/etc/group", "/etc/resolv.conf"}
)

// groups cuts what the recorder has received into lines.
func groups(words []string) [][]string {
	var all [][]string
	command := false
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "descriptor ") && command:
			return all
		case strings.HasPrefix(word, "env "):
			all = append(all, []string{strings.TrimPrefix(word, "env ")})
		case strings.HasSuffix(word, "/programs/bwrap"): // one bwrap starts another
			all, command = append(all, []string{word}), false
		case i == 0 || !command && strings.HasPrefix(word, "--") || strings.HasPrefix(words[i-1], "env "):
			all = append(all, []string{word})
			command = word == "--"
		default:
			flag := all[len(all)-1][0]
			if slices.Contains([]string{"--ro-bind-data", "--file", "--seccomp", "--sync-fd", "--block-fd"}, flag) && len(all[len(all)-1]) == 1 {
				word = "N"
			}
			all[len(all)-1] = append(all[len(all)-1], word)
		}
	}
	return all
}

var chance = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`bus-\d+-\d+`), "bus-N"},
	{regexp.MustCompile(`(?s)^\w+ \(\) .*`), "FUNCTIONS"},
	{regexp.MustCompile(`^1[0-9]$`), "N"},
}

// plain leaves out where the stage is, and what is another at each start.
func (s *stage) plain(word string) string {
	word = strings.ReplaceAll(word, s.top, "")
	word = strings.ReplaceAll(word, strings.ReplaceAll(s.top, "/", "%2F"), "") // in the name of a store
	for _, c := range chance {
		word = c.pattern.ReplaceAllString(word, c.text)
	}
	return word
}

// changes are the lines that one text lacks (-) and those that it has more (+).
func changes(was, is []byte) []byte {
	a, b := strings.SplitAfter(string(was), "\n"), strings.SplitAfter(string(is), "\n")
	common := make([][]int, len(a)+1) // the longest common part of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = 1 + common[i+1][j+1]
			}
		}
	}
	var out bytes.Buffer
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out.WriteString("- " + a[i])
			i++
		default:
			out.WriteString("+ " + b[j])
			j++
		}
	}
	return out.Bytes()
}
