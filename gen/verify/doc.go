// Package verify starts a launcher and says whether its sandbox is what explain says, or what
// the author of its profile expects.
//
// Which places are tried (place.go), what a script finds there (inside.sh, seen.go), and
// whether that is what is said (judge.go, network.go, whole.go, expect.go) is pure. The rest
// touches the host, which else only the probe reads and the writer changes: in a temporary
// directory a home and a project are made, with what the sandbox is to show and to hide, and
// the launcher is started in them (harness.go, start.go). What must not work inside is tried
// outside, too. All that was made is removed at the end; in the caller's own home and project,
// where these are asked for, nothing is written.
package verify
