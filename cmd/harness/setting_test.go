package harness

import (
	"fmt"
	"slices"
	"testing"
)

// TestPart: whatever is shared out falls to somebody, to nobody falls nothing, and with
// the next number each has what it had not.
func TestPart(t *testing.T) {
	for count := range 5 {
		var all []Setting
		for i := range count {
			all = append(all, Setting{Version: fmt.Sprint(i)})
		}
		for number := range 3 {
			var had []Setting
			for _, a := range Accounts() {
				part := a.Part(all, number)
				had = append(had, part...)
				both := append(part, a.Part(all, number+1)...)
				for _, s := range all {
					if !slices.Contains(both, s) {
						t.Errorf("%s never has %s of %d", a.Name, s.Version, count)
					}
				}
				if count > 0 && len(part) == 0 {
					t.Errorf("%s has nothing of %d", a.Name, count)
				}
			}
			for _, s := range all {
				if !slices.Contains(had, s) {
					t.Errorf("nobody has %s of %d", s.Version, count)
				}
			}
		}
	}
}

// TestTurn: of two neighbours among many cases each account has one, and each case somebody.
func TestTurn(t *testing.T) {
	for number := range 4 {
		somebody := false
		for _, a := range Accounts() {
			somebody = somebody || a.HasTurn(number)
			if !a.HasTurn(number) && !a.HasTurn(number+1) {
				t.Errorf("%s has neither %d nor %d", a.Name, number, number+1)
			}
		}
		if !somebody {
			t.Errorf("nobody has %d", number)
		}
	}
}
