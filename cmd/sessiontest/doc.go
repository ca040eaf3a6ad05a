// Package sessiontest judges what a launcher does around a command, in real
// sandboxes: limits, capture, confirmation, places of their own for project
// and home, credentials, and the profiles that follow other systems.
//
// Its tests run as root and as an ordinary user, under every bwrap that there
// is. Package harness says what BWRAPGEN_BWRAPS and BWRAPGEN_REQUIRE_SANDBOX mean.
package sessiontest
