// Package matrixtest knows on which machines launchers must run, and what they
// must do there.
//
// Its tests write the launchers once, from the facts of a machine that is none
// of these, and start the same bytes in userlands of several Debian releases,
// each with its own bash, coreutils and bwrap, and in stranger places. There the
// program judge looks at them from outside and, started by them, from inside.
package matrixtest
