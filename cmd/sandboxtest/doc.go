// Package sandboxtest judges launchers from inside: its tests start real
// sandboxes, as root and as an ordinary user, under every bwrap that they are
// given, and try to get out.
//
// Nothing here looks at the arguments of bwrap. A deed that must be refused
// inside is done outside too, where it must succeed: a denial without that
// control proves nothing. The host is compared before and after.
//
// BWRAPGEN_BWRAPS names a directory that holds VERSION/bwrap, as .ci/bwraps
// makes it; the bwrap in PATH is always tried. With BWRAPGEN_REQUIRE_SANDBOX
// or CI set, a host that can make no sandbox fails the tests, or else it skips
// them and says why.
package sandboxtest
