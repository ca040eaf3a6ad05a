// Package learn knows what a command has asked for in its sandbox, and in which lines of a
// profile it would have it.
//
// It is pure: it reads what strace has written, and asks about the host by functions that
// the caller gives it.
package learn
