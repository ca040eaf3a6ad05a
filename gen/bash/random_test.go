package bash

import (
	"math/rand"
	"strings"
	"testing"
)

// TestJoinRandom makes words of the bytes that bash gives a meaning, nested
// in each other's defaults, and compares what bash makes of them with value.
func TestJoinRandom(t *testing.T) {
	r := random{rand.New(rand.NewSource(1))}
	var script, want strings.Builder
	script.WriteString(`printf '<%s>\n'`)
	for range 3000 {
		parts := r.parts(2)
		word, err := Join(parts...)
		if err != nil {
			continue // a default that cannot be written
		}
		script.WriteString(" " + word.String())
		want.WriteString("<" + value(parts, "x *") + ">\n")
	}
	script.WriteString("\n")
	env := []string{"set=x *"}
	sameLines(t, interpret(t, script.String(), env), want.String())
	for _, locale := range locales {
		sameLines(t, realBash(t, script.String(), append(env, "LC_ALL="+locale)), want.String())
	}
}

// sameLines reports the first line that differs.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	lines := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Errorf("word %d: got %q, want %q", i, lines[min(i, len(lines)-1)], line)
			return
		}
	}
}

type random struct{ *rand.Rand }

func (r random) parts(depth int) []Part {
	parts := []Part{{Text: r.text()}}
	for range r.Intn(4) {
		switch kind := r.Intn(4); {
		case kind == 0:
			parts = append(parts, Part{Var: "set"})
		case kind == 1 && depth > 0:
			parts = append(parts, Part{Var: "unset", Default: r.parts(depth - 1)})
		default:
			parts = append(parts, Part{Text: r.text()})
		}
	}
	return parts
}

func (r random) text() string {
	meaningful := strings.Split("{ } , .. \" ' ` $ \\ é あ ~ a / * ( ) 1 ! # % : - [ ] @ ? = ; & | < >", " ")
	var b strings.Builder
	for range r.Intn(7) {
		b.WriteString(meaningful[r.Intn(len(meaningful))])
	}
	return b.String()
}
