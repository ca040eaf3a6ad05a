package sandboxtest

import (
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestHelpWords: who asks a launcher as other programs are asked learns how it is asked.
// Nothing runs, and behind -- such words are the command's.
func TestHelpWords(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, word := range []string{"--help", "-h", "--version", "-x"} {
			l.Run(t, word).Refused(t, word, word, "--sandbox-help")
			l.Run(t, word, "echo", "ran").Refused(t, word+" and a command", "--sandbox-help")
		}
		l.Run(t, "printf", "%s", "--help").Expect(t, "an option of the command", 0, "--help")
		l.Run(t, "--", "--help").Expect(t, "a command of that name", 127, "")

		l = w.launch(t, "extends = [\"default\"]\ncommand = [\"echo\", \"ran\"]")
		l.Run(t, "--continue").Refused(t, "an option of the profile's command", "for echo, write", " -- --continue")
		l.Run(t, "--", "--continue").Expect(t, "an option behind --", 0, "ran --continue\n")
	})
}

// paragraph is what a word stands over in a summary: its line, and those below that are
// set in further.
func paragraph(text, word string) string {
	found := regexp.MustCompile(`(?m)^#? {1,4}` + word + ` .*(\n#? {8,}.*)*`).FindString(text)
	return strings.Join(strings.FieldsFunc(found, func(r rune) bool { return strings.ContainsRune("# \n", r) }), " ")
}

// TestHelpTells: the header and --sandbox-help say which variables are passed, which of
// them are logins, and what the kernel offers.
func TestHelpTells(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const look = "extends = [\"look\"]\n"
		for _, row := range []struct{ text, word, says, not string }{
			{look, "variables", `CI, .*others`, `(?i)login\)|AWS`},
			{look + "environment.pass = [\"PLAIN_NAME\", \"AWS_SECRET_ACCESS_KEY\"]", "variables", `(?i)AWS_SECRET_ACCESS_KEY.{0,20}login|logins?\W.*AWS_SECRET_ACCESS_KEY`, ""},
			{look + "environment.pass = [\"PLAIN_NAME\"]", "variables", `PLAIN_NAME|others`, `(?i)PLAIN_NAME.{0,5}login`},
			{`extends = ["claude-code"]`, "variables", `ANTHROPIC_API_KEY`, ""},
			{look, "kernel", `filter`, `(?i)no filter|can nest`},
			{look + "kernel.seccomp = \"none\"", "kernel", `(?i)no .*filter|filter: none`, ""},
			{look + "kernel.nested-userns = true", "kernel", `(?i)namespaces`, `(?i)no namespaces`},
		} {
			l := w.launch(t, row.text)
			header := regexp.MustCompile(`(?m)^(#.*\n)+`).FindString(harness.Read(t, l.Program))
			for where, text := range map[string]string{"the header": header, "--sandbox-help": l.Run(t, "--sandbox-help").Ends(t, 0).Stdout} {
				got := paragraph(text, row.word)
				if !regexp.MustCompile(row.says).MatchString(got) || row.not != "" && regexp.MustCompile(row.not).MatchString(got) {
					t.Errorf("%s: %s says %q, want %s and not %s", row.text, where, got, row.says, row.not)
				}
			}
		}
		if a, b := paragraph(harness.Read(t, w.launch(t, look).Program), "kernel"), paragraph(harness.Read(t, w.launch(t, look+"kernel.nested-userns = true").Program), "kernel"); a == b {
			t.Errorf("nested namespaces change nothing of %q", a)
		}
	})
}
