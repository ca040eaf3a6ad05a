package bash

import "testing"

func TestNewName(t *testing.T) {
	for _, text := range []string{"home", "_", "XDG_CACHE_HOME", "a1"} {
		if got, err := NewName(text); err != nil || got.String() != text {
			t.Errorf("NewName(%q) = %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"1a", "a-b", "a.b", "a[0]", "é", "a\n", "@"} {
		refusedName(t, text)
	}
}

func TestNewNameHostile(t *testing.T) {
	for _, test := range hostile {
		if test.name != "keyword" {
			refusedName(t, test.text)
		}
	}
}

func refusedName(t *testing.T, text string) {
	t.Helper()
	if got, err := NewName(text); err == nil || got != (Name{}) {
		t.Errorf("NewName(%q) = %q, %v; want an error", text, got, err)
	}
}
