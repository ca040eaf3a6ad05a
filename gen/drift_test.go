package gen

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestChanged: each line of a text that another does not have is named by its number, and so is the
// place where lines are missing.
func TestChanged(t *testing.T) {
	for _, test := range []struct {
		was, is string
		want    []ChangedLine
	}{
		{"a b c", "a b c", nil},
		{"a x c", "a b c", []ChangedLine{{2, "x"}}},
		{"a b x c", "a b c", []ChangedLine{{3, "x"}}},
		{"a c", "a b c", []ChangedLine{{Number: 2}}},
		{"x b c y", "a b c", []ChangedLine{{1, "x"}, {4, "y"}}},
		{"a b c x", "a b c", []ChangedLine{{4, "x"}}},
		{"a b", "a b c", []ChangedLine{{Number: 3}}},
		{"a x b y c", "a b c", []ChangedLine{{2, "x"}, {4, "y"}}},
		{"", "a", []ChangedLine{{Number: 1}}},
	} {
		split := func(text string) []string {
			return lines([]byte(strings.ReplaceAll(text+strings.Repeat(" ", min(1, len(text))), " ", "\n")))
		}
		if got := changed(split(test.was), split(test.is)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q and %q: %v, want %v", test.was, test.is, got, test.want)
		}
	}
}

// TestGains: a setting that shows or passes through more gives the command more, and so does one that
// protects or hides less.
func TestGains(t *testing.T) {
	was := map[string][]string{"pass": {"A", "B"}, "protected": {".envrc"}, "network": {"none"}, "timeout": {"1"}, "digest": {"x"}}
	is := map[string][]string{"pass": {"A", "C"}, "protected": nil, "network": {"host"}, "timeout": {"2"}, "digest": {"y"}}
	more, less, other := gains(was, is)
	wantMore := []Setting{{"network", "host, was none"}, {"pass", "C"}, {"protected", "no longer .envrc"}}
	if !slices.Equal(more, wantMore) {
		t.Errorf("more: %q, want %q", more, wantMore)
	}
	if want := []Setting{{"pass", "no longer B"}}; !slices.Equal(less, want) {
		t.Errorf("less: %q, want %q", less, want)
	}
	if want := []string{"timeout"}; !slices.Equal(other, want) {
		t.Errorf("other: %q, want %q", other, want)
	}
}
