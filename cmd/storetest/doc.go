// Package storetest tries what launchers write aside: ephemeral, kept and
// reviewed overlays, in real sandboxes, as root and as an ordinary user, under
// every bwrap that it is given.
//
// Package harness says what BWRAPGEN_BWRAPS and BWRAPGEN_REQUIRE_SANDBOX mean.
package storetest
