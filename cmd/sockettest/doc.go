// Package sockettest judges how launchers pass sockets of the session, what
// they report at the end, and how they fail: in real sandboxes, under every
// bwrap that it is given.
//
// It knows nothing of bwrap's arguments. A socket that must be out of reach
// inside is dialled outside too, where it must answer. Package harness says what
// BWRAPGEN_BWRAPS and BWRAPGEN_REQUIRE_SANDBOX mean.
package sockettest
