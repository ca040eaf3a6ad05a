// Package storetest tries what launchers write aside: ephemeral, kept and
// reviewed overlays, in real sandboxes, as root and as an ordinary user, under
// every bwrap that it is given.
//
// BWRAPGEN_BWRAPS names a directory that holds VERSION/bwrap; the bwrap in PATH
// is always tried. With BWRAPGEN_REQUIRE_SANDBOX or CI set, a host that can
// make no sandbox fails the tests, or else it skips them and says why.
package storetest
