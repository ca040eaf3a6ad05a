package profile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/problem"
)

// unit is a suffix of a number and what it stands for.
type unit struct {
	suffix string
	worth  int64
}

// parseDuration reads 120, 120s, 2m or 1h: whole seconds at least, a year at
// most. Launchers read the same grammar in --sandbox-timeout.
func parseDuration(text string) (time.Duration, problem.Problem) {
	n, ok := parseQuantity(text, []unit{{"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}})
	switch {
	case !ok:
		return 0, wrong(`write whole seconds, minutes or hours: "120s", "2m", "1h"`, "not a duration: %q", text)
	case n > 366*24*3600:
		return 0, wrong("leave it out for no limit", "longer than a year: %q", text)
	}
	return time.Duration(n) * time.Second, problem.Problem{}
}

// parseSize reads a number of bytes: 30720, 30KiB, 2GiB.
func parseSize(text string) (Size, problem.Problem) {
	n, ok := parseQuantity(text, sizeUnits())
	if !ok {
		return 0, wrong(`write bytes or a power of 1024: "30KiB", "512MiB", "2GiB"`, "not a size: %q", text)
	}
	return Size(n), problem.Problem{}
}

func sizeUnits() []unit {
	return []unit{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}
}

// String prints the size with the largest unit that leaves no remainder.
func (s Size) String() string {
	for _, u := range sizeUnits() {
		if s > 0 && int64(s)%u.worth == 0 && u.worth > 1 {
			return fmt.Sprintf("%d%s", int64(s)/u.worth, u.suffix)
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// MarshalText prints the size as String does.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// formatDuration is the inverse of parseDuration.
func formatDuration(d time.Duration) string {
	return strconv.FormatInt(int64(d/time.Second), 10) + "s"
}

// parseQuantity reads digits and one of the units, of which the last is none.
func parseQuantity(text string, units []unit) (int64, bool) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		if strings.Trim(digits, "0123456789") != "" {
			return 0, false
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n > math.MaxInt64/u.worth {
			return 0, false
		}
		return n * u.worth, true
	}
	return 0, false
}
