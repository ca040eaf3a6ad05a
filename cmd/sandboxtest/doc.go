// Package sandboxtest judges launchers from inside: its tests start real
// sandboxes, as root and as an ordinary user, under every bwrap that they are
// given, and try to get out.
//
// Nothing here looks at the arguments of bwrap. A attempt that must be refused
// inside is done outside too, where it must succeed: a denial without that
// control proves nothing. The host is compared before and after.
//
// Rows and tests are named by letters and numbers: testdata/promises.md says what
// they stand for.
//
// Package harness says what BWRAPGEN_BWRAPS and BWRAPGEN_REQUIRE_SANDBOX mean.
package sandboxtest
