// Package proof knows what has to be found inside a sandbox if what explain says of it is
// true, and judges what was found.
//
// It is pure: it says which places to look at, and how; a script, which is a text here,
// looks around inside; and what it writes is read and compared with the host.
package proof
