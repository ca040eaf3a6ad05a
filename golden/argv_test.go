package golden_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/bash"
)

// show prints what a launcher ran, each program on a line, but the call of
// bwrap an entry of the environment or a group of flag and operands a line;
// then what it said and its exit status, unless that is 0.
func show(t *testing.T, r result) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, words := range r.ran {
		groups := [][]string{words}
		if words[0] == "env" {
			groups = grouped(words)
		}
		for _, group := range groups {
			b.WriteString(quoted(t, group) + "\n")
		}
	}
	b.WriteString(r.stderr)
	if r.status != 0 {
		fmt.Fprintf(&b, "exit %d\n", r.status)
	}
	return b.Bytes()
}

// grouped cuts the call of bwrap into lines: env with each variable, each
// flag with its operands, the command. On an old bwrap, two calls follow each
// other.
func grouped(words []string) [][]string {
	var groups [][]string
	for calls := strings.Count(strings.Join(words, "\n"), "\n/bin/sh\n-c\n"); len(words) > 0; {
		n := 1 + slices.IndexFunc(words[1:], begins)
		switch {
		case words[0] == "--" && calls == 0:
			n = len(words)
		case words[0] == "--":
			calls, n = calls-1, 5
		case n == 0:
			n = len(words)
		}
		groups = append(groups, words[:n])
		words = words[n:]
	}
	return groups
}

// begins reports whether a word stands first on its line.
func begins(word string) bool {
	name, _, assigns := strings.Cut(word, "=")
	return strings.HasPrefix(word, "--") || strings.HasSuffix(word, "/bwrap") && !strings.Contains(word, "=") ||
		assigns && name == strings.ToUpper(name) && !strings.ContainsAny(name, "/ -")
}

func quoted(t *testing.T, words []string) string {
	t.Helper()
	var texts []string
	for _, word := range words {
		w, err := bash.Quote(word)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, w.String())
	}
	return strings.Join(texts, " ")
}
