package readmetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// later marks what the documentation tells of and no launcher can do yet.
const later = " ¹"

// row is a row of a table whose first cell is one word of code.
type row struct {
	line  int // in the document
	word  string
	cells []string
}

// rows finds the rows of all tables whose first cell fits.
func (d *document) rows(first *regexp.Regexp) []row {
	var all []row
	for i, line := range d.lines {
		cells := strings.Split(line, " | ")
		word, ok := strings.CutPrefix(cells[0], "| `")
		word, _, closed := strings.Cut(word, "`")
		if ok && closed && first.MatchString(word) {
			all = append(all, row{i, word, cells})
		}
	}
	return all
}

func words(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.word)
	}
	return all
}

// TestKeys compares the table of keys with the schema: its keys, the defaults,
// and which of the values a launcher can keep.
func TestKeys(t *testing.T) {
	d := read(t, "README.md")
	rows := d.rows(regexp.MustCompile(`^[a-z]+(\.[a-z-]+)?$`))
	same(t, "keys", words(rows), append([]string{"extends"}, profile.Keys()...))
	usual := defaults(t)
	for _, r := range rows {
		if len(r.cells) != 4 {
			t.Errorf("README.md:%d: a row has key, values, default and meaning", r.line+1)
			continue
		}
		r.cells[1] = marked(r.word, r.cells[1])
		if r.word != "extends" {
			r.cells[2] = "`" + usual[r.word] + "`"
		}
		want := strings.Join(r.cells, " | ")
		if want != d.lines[r.line] && !*update {
			t.Errorf("README.md:%d: got %s\nwant %s", r.line+1, d.lines[r.line], want)
		}
		d.lines[r.line] = want
	}
	if *update {
		d.save(t)
	}
}

// defaults are those of an empty profile, as TOML.
func defaults(t *testing.T) map[string]string {
	t.Helper()
	p, err := profile.Parse("empty.toml", nil, profile.Loader{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	all, table := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(head, "]") + "."
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = ")
		if ok {
			all[table+name] = strings.TrimSuffix(value, " # default")
		}
	}
	return all
}

// marked puts the mark behind those values that are refused.
func marked(key, cell string) string {
	cell = strings.ReplaceAll(cell, later, "")
	return regexp.MustCompile("`[^`]+`").ReplaceAllStringFunc(cell, func(value string) string {
		if accepted(key, strings.Trim(value, "`")) {
			return value
		}
		return value + later
	})
}

// accepted reports whether a profile may hold this value, beside what the value
// needs to make sense.
func accepted(key, value string) bool {
	beside := map[string]string{
		"home.mode":         `filesystem.base = "host"`,
		"network.allow":     `network.mode = "allow"`,
		"confirm.allow-yes": `confirm.mode = "always"`,
		"sockets.talk":      `sockets.pass = ["dbus"]`,
		"sockets.own":       `sockets.pass = ["dbus"]`,
	}[key]
	if !strings.Contains(value, "host") && key == "home.mode" {
		beside = ""
	}
	l := profile.Loader{Builtin: profiles.FS, ReadFile: func(string) ([]byte, error) { return nil, nil }}
	_, err := profile.Parse("try.toml", []byte(key+" = "+value+"\n"+beside+"\n"), l)
	return err == nil
}

// TestVerbs compares the table of commands with the program's help.
func TestVerbs(t *testing.T) {
	bin := t.TempDir() + "/bwrapgen"
	run(t, root, os.Environ(), "go", "build", "-buildvcs=false", "-o", bin, "./cmd/bwrapgen")
	help := run(t, root, os.Environ(), bin, "--help")
	var verbs []string
	for _, found := range regexp.MustCompile(`(?m)^  ([a-z]+( [a-z]+)?)  +[A-Z]`).FindAllStringSubmatch(help, -1) {
		verbs = append(verbs, found[1])
	}
	var listed []string
	for _, r := range read(t, "README.md").rows(regexp.MustCompile(`^bwrapgen [a-z]+`)) {
		listed = append(listed, verb(r.word))
	}
	same(t, "commands", listed, verbs)
}

// verb is what stands before the arguments and flags.
func verb(command string) string {
	var words []string
	for _, word := range strings.Fields(command)[1:] {
		if strings.ContainsAny(word, "[.-") || word == strings.ToUpper(word) {
			break
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// everything is a plan whose launcher has every option.
func everything() plan.Plan {
	return plan.Plan{
		Limits:  profile.Limits{Timeout: time.Second, Output: 1},
		Confirm: profile.Confirm{Mode: profile.ConfirmAlways, AllowYes: true},
		Tmp:     profile.TmpSession,
	}
}

// TestOptions compares the tables of the launcher's options with the help of
// the launchers in the folder golden, and with what any may have.
func TestOptions(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(root, "golden", "full", "*.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no launchers: %v", err)
	}
	var known []string
	option := regexp.MustCompile(`(?m)^#   (?:[^ ].*, )?(--sandbox-[a-z]+)`)
	for _, o := range everything().Options() {
		known = append(known, strings.Fields(o.Subject)[0])
	}
	known = append(known, "--sandbox-digest") // in the help, it shares a line
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		help, _, _ := strings.Cut(string(text), "\nset -e")
		for _, found := range option.FindAllStringSubmatch(help, -1) {
			known = append(known, found[1])
		}
	}
	var listed []string
	for _, r := range read(t, "README.md").rows(regexp.MustCompile(`^--sandbox-`)) {
		listed = append(listed, strings.Fields(r.word)[0])
	}
	same(t, "options", listed, known)
}

// TestParts: the guide to the launcher says of each part of the engine what it is
// for.
func TestParts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "templates", "engine", "*.sh"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no parts: %v", err)
	}
	var known, listed []string
	for _, file := range files {
		known = append(known, strings.TrimSuffix(filepath.Base(file), ".sh"))
	}
	for _, line := range read(t, "templates/README.md").lines {
		cells := strings.Split(line, "|")
		if len(cells) == 4 && strings.Contains(cells[1], "`") {
			for _, name := range strings.Split(cells[1], ",") {
				listed = append(listed, strings.Trim(name, " `"))
			}
		}
	}
	same(t, "parts", listed, known)
}

// same compares lists without regard to order and repetition.
func same(t *testing.T, what string, listed, known []string) {
	t.Helper()
	for _, name := range unique(known) {
		if !slices.Contains(listed, name) {
			t.Errorf("README.md: the table of %s lacks %s", what, name)
		}
	}
	for _, name := range unique(listed) {
		if !slices.Contains(known, name) {
			t.Errorf("README.md: the table of %s has %s, which is not there", what, name)
		}
	}
}

func unique(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
