package gen

import "bwrapgen/gen/plan"

// isPattern reports whether a mount in the project is of names that bash finds
// at launch.
func isPattern(m plan.Mount) bool { return m.Pattern }
