package profile

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration // negative: refused
	}{
		{"120", 120 * time.Second}, {"120s", 120 * time.Second}, {"2m", 2 * time.Minute}, {"1h", time.Hour},
		{"0", 0}, {"007", 7 * time.Second}, {"", -1}, {"s", -1}, {"-1", -1}, {"+1", -1}, {"1.5s", -1},
		{"1 s", -1}, {"1d", -1}, {"1h1m", -1}, {"1ss", -1}, {"1_000", -1}, {"９s", -1}, {"8785h", -1},
		{"9223372036854775807h", -1}, {"99999999999999999999", -1},
	}
	for _, test := range tests {
		got, bad := parseDuration(test.text)
		if bad.What != "" {
			got = -1
		}
		if got != test.want {
			t.Errorf("%q: got %v, %v, want %v", test.text, got, bad, test.want)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		text  string
		want  Size // negative: refused
		print string
	}{
		{"0", 0, "0"}, {"1", 1, "1"}, {"30720", 30720, "30KiB"}, {"30KiB", 30720, "30KiB"}, {"5B", 5, "5"},
		{"1025", 1025, "1025"}, {"512MiB", 512 << 20, "512MiB"}, {"2GiB", 2 << 30, "2GiB"}, {"1024GiB", 1 << 40, "1TiB"},
		{"", -1, ""}, {"KiB", -1, ""}, {"30KB", -1, ""}, {"30k", -1, ""}, {"1.5GiB", -1, ""}, {"-1", -1, ""},
		{"99999999TiB", -1, ""}, {"1 KiB", -1, ""},
	}
	for _, test := range tests {
		got, bad := parseSize(test.text)
		if bad.What != "" {
			got = -1
		}
		if got != test.want {
			t.Errorf("%q: got %v, %v, want %v", test.text, got, bad, test.want)
		}
		if bad.What == "" && got.String() != test.print {
			t.Errorf("%q: printed %s, want %s", test.text, got, test.print)
		}
	}
}
