package bash

import (
	"slices"
	"strings"
	"testing"
)

// TestBraces: bash has every text back, once, whatever was put together.
func TestBraces(t *testing.T) {
	for want, texts := range map[string][]string{
		"":                                 nil,
		"NETRC":                            {"NETRC"},
		"{CARGO,CODEX}_HOME":               {"CARGO_HOME", "CODEX_HOME"},
		"{A,B}_HOME/ C_HOME/x D_HOME":      {"A_HOME/", "B_HOME/", "C_HOME/x", "D_HOME"},
		"{ACME,B}_CONFIG_DIR C_DIR":        {"ACME_CONFIG_DIR", "B_CONFIG_DIR", "C_DIR"},
		"{A_X,B_X,C}_DIR":                  {"A_X_DIR", "B_X_DIR", "C_DIR"},
		"{LONG,SHORT}_HOME_OF _HOME_OF":    {"LONG_HOME_OF", "SHORT_HOME_OF", "_HOME_OF"},
		"{SSH,VAULT}_AUTH_SOCK XAUTHORITY": {"SSH_AUTH_SOCK", "VAULT_AUTH_SOCK", "XAUTHORITY"},
	} {
		words, err := Braces(texts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range words {
			got = append(got, w.String())
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q: %q, want %q", texts, text, want)
		}
		back := strings.Fields(realBash(t, "printf '%s\n' "+strings.Join(got, " "), nil))
		slices.Sort(back)
		if !slices.Equal(back, texts) && len(texts) > 0 {
			t.Errorf("bash has %q back, want %q", back, texts)
		}
	}
	hostile := []string{"", "1A_HOME", "A B_HOME", "A,B_HOME", "A{B_HOME", "A}_HOME", "A$(id)_HOME", "A*_HOME", "A\n_HOME", "A_HOME/\xff", "A_HOME", "B_HOME"}
	words, err := Braces(hostile)
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, w := range words {
		script.WriteString(" " + w.String())
	}
	back := strings.Split(strings.TrimSuffix(realBash(t, `printf '%s\0'`+script.String(), nil), "\x00"), "\x00")
	slices.Sort(back)
	slices.Sort(hostile)
	if !slices.Equal(back, hostile) {
		t.Errorf("bash has %q back, want %q", back, hostile)
	}
}
