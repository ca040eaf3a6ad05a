// Package golden knows what launchers look like: it is a corpus of small
// profiles, each with the launcher that bwrapgen writes for it and the command
// that this launcher gives to bwrap.
//
// It has no code of its own. Its tests walk the folder, touch no sandbox, and
// rewrite what they expect with
//
//	go test ./golden -update
//
// A folder with a profile.toml is a case, named SUBJECT-POINT. It holds
//
//	profile.toml   what to build; its first comment says what the case shows
//	host.json      the facts about the machine; several host-*.json: their
//	               union, run on the first; without any: ../host.json
//	environ        optional: more variables of the caller, NAME=VALUE or
//	               NAME="Go string", one a line
//	launcher.sh    the launcher, byte for byte
//	argv.txt       what it runs when it is interpreted on that machine
//	problems.txt   in place of these two, for a profile that must be refused
package golden
