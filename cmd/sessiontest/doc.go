// Package sessiontest judges what a launcher does around a command, in real
// sandboxes: limits, capture, confirmation, places of their own for project
// and home, credentials, and the profiles that follow other systems.
//
// Its tests run as root and as an ordinary user, under every bwrap below
// BWRAPGEN_BWRAPS and the one in PATH. With BWRAPGEN_REQUIRE_SANDBOX or CI set,
// a host that can make no sandbox fails them, or else it skips them.
package sessiontest
