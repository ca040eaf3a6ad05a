package sandboxtest

import (
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestHelpWords: without a command, an option that is not the launcher's is an error that mentions
// --sandbox-help. After --, or with a command in the profile, it is passed on.
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
		l.Run(t, "--continue").Expect(t, "an option of the profile's command", 0, "ran --continue\n")
		l.Run(t, "--", "--continue").Expect(t, "an option after --", 0, "ran --continue\n")
		l.Run(t, "--", "--sandbox-help").Expect(t, "an option of the launcher's after --", 0, "ran --sandbox-help\n")
		l.Run(t, "--sandbox-continue").Refused(t, "an unknown option of the launcher's", "--sandbox-help")
	})
}

// paragraph is what a word stands over in a summary: its line, and those below that are
// set in further.
func paragraph(text, word string) string {
	found := regexp.MustCompile(`(?m)^#? {1,4}` + word + ` .*(\n#? {8,}.*)*`).FindString(text)
	return strings.Join(strings.FieldsFunc(found, func(r rune) bool { return strings.ContainsRune("# \n", r) }), " ")
}

// TestHelpTells: the header and --sandbox-help say how many variables are passed through, which of
// them hold credentials, and how the kernel is restricted.
func TestHelpTells(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const look = "extends = [\"look\"]\n"
		for _, row := range []struct{ text, word, says, not string }{
			{look, "variables", `\d+ passed through, no known credentials$`, `AWS`},
			{look + "environment.pass = [\"PLAIN_NAME\", \"AWS_SECRET_ACCESS_KEY\"]", "variables", `credentials: AWS_SECRET_ACCESS_KEY$`, `no known|PLAIN_NAME`},
			{look + "environment.pass = [\"PLAIN_NAME\"]", "variables", `\d+ passed through, no known credentials$`, `PLAIN_NAME`},
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
