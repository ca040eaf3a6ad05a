package readmetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSessions runs what each document tells the reader to run.
func TestSessions(t *testing.T) {
	for _, name := range files() {
		t.Run(name, func(t *testing.T) {
			d, s := read(t, name), newSession(t)
			s.install(t, d.needs())
			moved := 0
			for _, b := range d.blocks(t) {
				b.begin, b.end = b.begin+moved, b.end+moved
				kind, sort, _ := strings.Cut(b.info, " ")
				switch {
				case sort == "file", sort == "workflow", sort == "elsewhere":
					d.file(t, s, b)
				case kind == "console":
					moved += d.console(t, s, b)
				case kind == "toml":
					d.toml(t, s, b)
				case kind == "sh":
					d.fresh(t, b)
				}
			}
			if *update {
				d.save(t)
			}
		})
	}
}

// exchange is a command of a console block with what the reader sees of it.
type exchange struct {
	command    string
	shown      []string
	begin, end int // of shown, in the document
}

func (d *document) exchanges(b block) []exchange {
	var all []exchange
	for i := b.begin; i < b.end; i++ {
		command, ok := strings.CutPrefix(d.lines[i], "$ ")
		if !ok {
			continue
		}
		for strings.HasSuffix(command, `\`) && i+1 < b.end {
			i++
			command += "\n" + d.lines[i]
		}
		e := exchange{command: command, begin: i + 1, end: i + 1}
		for e.end < b.end && !strings.HasPrefix(d.lines[e.end], "$ ") {
			e.end++
		}
		e.shown = d.lines[e.begin:e.end]
		all = append(all, e)
	}
	return all
}

// console runs a block and compares what is shown with what is printed. The
// number is by how much the lines behind it have moved.
func (d *document) console(t *testing.T, s session, b block) int {
	t.Helper()
	var commands []string
	exchanges := d.exchanges(b)
	for _, e := range exchanges {
		commands = append(commands, e.command)
	}
	moved := 0
	for i, a := range s.console(t, commands) {
		e := exchanges[i]
		if a.status != "0" {
			t.Errorf("%s:%d: %q: exit status %s:\n%s", d.name, e.begin, e.command, a.status, a.text)
			continue
		}
		if matches(e.shown, a.lines()) {
			continue
		}
		if *update && !slices.ContainsFunc(e.shown, wild) {
			moved += d.replace(e.begin+moved, e.end+moved, a.lines())
			continue
		}
		t.Errorf("%s:%d: %q does not print what is shown, but:\n%s", d.name, e.begin, e.command, a.text)
	}
	return moved
}

func wild(line string) bool { return strings.Contains(line, "...") }

// matches compares lines with a pattern in which a line "..." stands for any
// lines, and ... in a line for any text. Where nothing is shown, nothing has to
// be printed.
func matches(shown, printed []string) bool {
	var b strings.Builder
	b.WriteString(`\A`)
	for _, line := range shown {
		if strings.TrimSpace(line) == "..." {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `.*`) + `\n`)
	}
	b.WriteString(`\z`)
	text := strings.Join(printed, "\n")
	if text != "" {
		text += "\n"
	}
	return regexp.MustCompile(b.String()).MatchString(text)
}

// write writes a file of the session, and gives its name.
func (d *document) write(t *testing.T, s session, b block) string {
	t.Helper()
	text := d.text(b)
	first := d.lines[b.begin]
	mode := os.FileMode(0o644)
	if strings.HasPrefix(first, "#!") {
		first, mode = d.lines[b.begin+1], 0o755
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(first, "# "), ": ")
	path := filepath.Join(s.project, name)
	if below, ok := strings.CutPrefix(name, "~/"); ok {
		path = filepath.Join(s.home, below)
	}
	if !strings.HasPrefix(first, "# ") || strings.Contains(name, " ") || !filepath.IsLocal(name) {
		t.Fatalf("%s:%d: the first line does not name a file: # NAME: what it is", d.name, b.begin)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// judges say whether a file is in order that nothing else here reads.
var judges = map[string]string{
	"sh file": "bash -n", "sh elsewhere": "bash -n", "nix file": "nix-instantiate --store dummy:// --parse", "yaml workflow": "action-validator",
}

// file writes a file of the session. Commands for elsewhere have no name of their own.
func (d *document) file(t *testing.T, s session, b block) {
	t.Helper()
	var name string
	if b.info == "sh elsewhere" {
		name = filepath.Join(t.TempDir(), "commands")
		if err := os.WriteFile(name, []byte(d.text(b)), 0o644); err != nil {
			t.Fatal(err)
		}
	} else {
		name = d.write(t, s, b)
	}
	judge := judges[b.info]
	if judge == "" {
		return
	}
	if a := s.console(t, []string{judge + " '" + name + "'"})[0]; a.status != "0" {
		t.Errorf("%s:%d: %s:\n%s", d.name, b.begin, judge, a.text)
	}
}

// toml writes a file of the session, and has bwrapgen use it.
func (d *document) toml(t *testing.T, s session, b block) {
	t.Helper()
	name := "'" + d.write(t, s, b) + "'"
	command := map[string]string{
		"toml": "bwrapgen generate " + name, "toml tool": "bwrapgen catalogue check " + name,
		"toml manifest": "bwrapgen generate --all " + name,
	}[b.info]
	if a := s.console(t, []string{command + " >/dev/null"})[0]; a.status != "0" {
		t.Errorf("%s:%d: %s:\n%s", d.name, b.begin, command, a.text)
	}
}

// fresh asks make whether it knows what a fresh machine is told to do.
func (d *document) fresh(t *testing.T, b block) {
	t.Helper()
	for line := range strings.Lines(d.text(b)) {
		for command := range strings.SplitSeq(line, "&&") {
			words := strings.Fields(command)
			switch words[0] {
			case "git", "cd":
			case "make":
				run(t, root, os.Environ(), append([]string{"make", "--dry-run"}, words[1:]...)...)
			default:
				t.Errorf("%s:%d: nobody tests %q", d.name, b.begin, command)
			}
		}
	}
}
