package bash

import "testing"

func TestName(t *testing.T) {
	for _, text := range []string{"home", "_", "XDG_CACHE_HOME", "a1"} {
		if got, err := Name(text); err != nil || got != text {
			t.Errorf("Name(%q) = %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"1a", "a-b", "a.b", "a[0]", "é", "a\n", "@"} {
		refusedName(t, text)
	}
}

func TestNameHostile(t *testing.T) {
	for _, test := range hostile {
		if test.name != "keyword" {
			refusedName(t, test.text)
		}
	}
}

func refusedName(t *testing.T, text string) {
	t.Helper()
	if got, err := Name(text); err == nil || got != "" {
		t.Errorf("Name(%q) = %q, %v; want an error", text, got, err)
	}
}
