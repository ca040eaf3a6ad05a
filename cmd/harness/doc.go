// Package harness knows how a launcher is tried: who starts it, under which
// bwrap, in which home directory, on which terminal, how it ends, and whether
// the host is as it was.
//
// It does not know what a launcher promises: that is for the packages of tests
// beside it, which have one subject each, and only tests use it.
//
// BWRAPGEN_BWRAPS names a directory that holds VERSION/bwrap, as .ci/bwraps
// makes it; the bwrap in PATH is always tried, and no version twice. With
// BWRAPGEN_REQUIRE_SANDBOX or CI set, a host that lacks what a test needs fails
// it; otherwise it skips the test and says why. With BWRAPGEN_WHOLE set, no two
// accounts share the bwraps of a test, or its cases: each tries all.
package harness
