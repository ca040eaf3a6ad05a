// Package readmetest knows the documentation: README.md and the guides to the
// profiles and to the launcher.
//
// It has no code of its own. Its tests run what the documentation tells the
// reader to run, in a home directory and a project of their own, and compare
// its tables with the program. What a reader sees of launchers, outputs and
// supported values is rewritten with
//
//	go test ./cmd/readmetest -update
//
// Code blocks mean this:
//
//	console         after "$ " a command, and below it what it prints, in one
//	                session for each file; "..." stands for anything. A command
//	                must succeed, unless it says how it fails: || echo "exit $?"
//	toml            a file of the session, named by the first comment; the
//	                profile in it must make a launcher
//	toml tool       a file of the session that catalogue check must accept
//	toml manifest   a file of the session, for generate --all
//	sh              commands for a fresh machine: git clone, cd, make
//	sh elsewhere    commands of a program that tests do not have: bash must parse them
//	FORMAT file     a file of the session, named by its first comment, in the project
//	                or below ~; what begins with #! can be run
//	yaml workflow   the same, a workflow of GitHub's
//	bash            an excerpt of a launcher in the folder golden. A comment
//	                above says which: golden/full/NAME.sh: from "TEXT" to "TEXT", the
//	                beginnings of its first and of its last line
//
// A comment "needs: NAME..." in a document names the programs without which it cannot
// be tried. Those of npm's registry are taken from BWRAPGEN_NPM, where .ci/npm puts
// them, into the reader's ~/.local.
package readmetest
