package lint

import "fmt"

// Severity says how much a finding weighs.
type Severity uint8

// The severities, the weightiest last.
const (
	Style    Severity = iota + 1 // how the script is written
	Weak                         // hardening is missing
	Exposure                     // secrets can be read, sockets spoken to, or what the host runs later changed
	Escape                       // the command gets out, or runs unconfined
)

var severities = []string{Style: "style", Weak: "weak", Exposure: "exposure", Escape: "escape"}

// SeverityOf returns the severity of a name.
func SeverityOf(name string) (Severity, bool) {
	for s, known := range severities {
		if known == name && name != "" {
			return Severity(s), true
		}
	}
	return 0, false
}

// String returns the name.
func (s Severity) String() string {
	if int(s) >= len(severities) {
		return fmt.Sprintf("severity %d", s)
	}
	return severities[s]
}

// MarshalText gives the name, for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
