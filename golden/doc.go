// Package golden knows what launchers look like: it is a corpus of small
// profiles, each with the policy that bwrapgen writes for it and the command
// that its launcher gives to bwrap.
//
// Its code reads the cases. Its tests make each launcher and run it in real
// bash, on a stage: a directory with a home and a program in bwrap's place that
// writes down what it is given. They start no sandbox, and rewrite what they
// expect with
//
//	go test ./golden -update
//
// full/NAME.sh are a few whole launchers. cases/SUBJECT-POINT.txtar is a case;
// it shows one decision. Above its files stands what it shows. It holds
//
//	profile.toml   what to build, and further profiles
//	host.json      in what the machine differs from ../host.json: an object is
//	               merged, null takes a key away, a version of bwrap brings its
//	               options. Several host-*.json: their union, run on the first
//	environ        optional: more variables of the caller, NAME=VALUE or
//	               NAME="Go string", one a line
//	args           optional: options of the launcher's
//	policy         the launcher's policy, but for the filter and the digest, and
//	               the rest of long lists
//	argv           what bwrap is given: of the case minimal all, of the others
//	               the lines that differ from that
//	problems       in place of these two, for a profile that must be refused
package golden
