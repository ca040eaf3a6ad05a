package golden_test

import (
	"bytes"
	"slices"
	"testing"

	"bwrapgen/gen"
	"bwrapgen/gen/plan"
)

// ground is a profile that has every part that the changes below need.
const ground = `
extends = ["default"]
about = "A ground for changes."
command = ["make"]
[project]
protect = ["own.sh"]
hide = ["secret.txt"]
[filesystem]
read = ["~/notes?"]
write = ["~/out?"]
overlay = ["~/data?"]
empty = ["~/scratch"]
hide = ["~/notes/private"]
[environment]
pass = ["DEMO"]
set = { MODE = "one" }
[sockets]
pass = ["ssh-agent"]
[limits]
open-files = 1024
timeout = "60s"
output = "30KiB"
[network]
mode = "allow"
allow = ["github.com"]
[toolchains]
use = ["go"]
`

// TestOneLine: one line of a profile that brings in no part changes at most ten
// lines of a launcher.
func TestOneLine(t *testing.T) {
	facts := readCase(t, goCase).facts(t)
	make := func(source string) []byte {
		script, err := launcher(t, inline(source), facts, plan.Options{Name: "box"})
		if err != nil {
			t.Fatalf("%v in %s", err, source)
		}
		return script
	}
	was := make(ground)
	for _, change := range [][2]string{
		{`about = "A ground for changes."`, `about = "Another one."`},
		{`command = ["make"]`, `command = ["make", "-C", "it's"]`},
		{`protect = ["own.sh"]`, `protect = ["own.sh", ".env.sh"]`},
		{`protect = ["own.sh"]`, `protect = ["own.sh", "deploy/run.sh"]`},
		{`hide = ["secret.txt"]`, `hide = ["secret.txt", ".env"]`},
		{`hide = ["secret.txt"]`, `hide = ["secret.txt", "keys/"]`},
		{`read = ["~/notes?"]`, `read = ["~/notes?", "~/papers?"]`},
		{`read = ["~/notes?"]`, `read = ["~/notes?", "/srv/data"]`},
		{`read = ["~/notes?"]`, `read = ["~/notes?", "./vendor?"]`},
		{`read = ["~/notes?"]`, `read = ["~/notes?", { path = "~/a", at = "/etc/a", optional = true }]`},
		{`read = ["~/notes?"]`, `read = ["~/notes"]`},
		{`write = ["~/out?"]`, `write = ["~/out?", "~/more?"]`},
		{`write = ["~/out?"]`, `write = ["~/out"]`},
		{`overlay = ["~/data?"]`, `overlay = ["~/data?", "~/other?"]`},
		{`overlay = ["~/data?"]`, `overlay = ["~/data"]`},
		{`empty = ["~/scratch"]`, `empty = ["~/scratch", "/scratch"]`},
		{`hide = ["~/notes/private"]`, `hide = ["~/notes/private", "~/notes/diary"]`},
		{`pass = ["DEMO"]`, `pass = ["DEMO", "OTHER"]`},
		{`pass = ["DEMO"]`, `pass = ["DEMO", "AWS_*"]`},
		{`pass = ["DEMO"]`, `pass = ["DEMO"]` + "\n" + `require = ["DEMO"]`},
		{`set = { MODE = "one" }`, `set = { MODE = "two" }`},
		{`set = { MODE = "one" }`, `set = { MODE = "one", B = "$(id)" }`},
		{`pass = ["ssh-agent"]`, `pass = ["ssh-agent", "wayland"]`},
		{`pass = ["ssh-agent"]`, `pass = ["ssh-agent", "x11"]`},
		{`open-files = 1024`, `open-files = 2048`},
		{`timeout = "60s"`, `timeout = "90s"`},
		{`timeout = "60s"`, `timeout = "60s"` + "\nmax-timeout = \"2m\""},
		{`output = "30KiB"`, `output = "60KiB"`},
		{`allow = ["github.com"]`, `allow = ["github.com", "example.org"]`},
		{`use = ["go"]`, `use = ["go"]` + "\nskip = [\"npm\"]"},
		{`open-files = 1024`, `open-files = 1024` + "\ncpu-time = \"60s\""},
		{`use = ["go"]`, `use = ["go"]` + "\n[terminal]\nmode = \"new-session\""},
	} {
		is := make(string(bytes.Replace([]byte(ground), []byte(change[0]), []byte(change[1]), 1)))
		before, _ := gen.ReadEngine(was)
		after, _ := gen.ReadEngine(is)
		if !slices.Equal(before.Parts, after.Parts) {
			t.Errorf("%s brings in a part: %q, %q", change[1], before.Parts, after.Parts)
			continue
		}
		lines := changes(beforeFilter(was), beforeFilter(is))
		if differing(lines) > 10 {
			t.Errorf("%s: more than 10 lines differ:\n%s", change[1], lines)
		}
	}
}

// beforeFilter is the header and the policy of a launcher, without the compiled filter.
func beforeFilter(launcher []byte) []byte {
	text, _, _ := bytes.Cut(launcher, []byte("\n# --- Filter"))
	return text
}

// differing counts the lines that differ: one that was changed counts once.
func differing(lines []byte) int {
	less, more := 0, 0
	for line := range bytes.Lines(lines) {
		if line[0] == '-' {
			less++
		} else {
			more++
		}
	}
	return max(less, more)
}
