# What there is to do with this repository; "make" alone lists it.
#
# It needs Go and, on Debian, nothing else: what is missing is installed by
# .ci/setup, which names it first.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test test-all build install uninstall dist golden lint fmt bench matrix kernels setup user bwraps userlands npm
.NOTPARALLEL:

# Where the bwraps of other Debian releases are kept. Root's tests also run as
# an ordinary user, who must be able to read them.
ifeq ($(shell id -u),0)
cache ?= /var/cache/bwrapgen-test
else
cache ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/bwrapgen-test
endif
export BWRAPGEN_BWRAPS ?= $(cache)/bwraps

# And whole userlands: these for every test, more for the matrix.
export BWRAPGEN_USERLANDS ?= $(cache)/userlands
userlands := bullseye sid

# And programs of npm's registry.
export BWRAPGEN_NPM ?= $(cache)/npm

# Go of the usual place, for who has just unpacked it.
ifeq ($(shell type -P go),)
export PATH := $(PATH):/usr/local/go/bin
endif

help:
	@printf '%s\n' \
	  'make demo      build and test this repository in a sandbox of its own making' \
	  'make build     bin/bwrapgen' \
	  'make install   bwrapgen, manual and completions below PREFIX: ~/.local, of root /usr/local' \
	  'make uninstall takes them away again' \
	  'make dist      archives and packages, in bin/dist' \
	  'make test      everything, in real sandboxes; installs what it needs' \
	  'make test-all  each test in each way, and the whole matrix; takes hours' \
	  'make lint      go vet, gofmt, shellcheck' \
	  'make fmt       gofmt' \
	  'make golden    write the expected launchers and the excerpts in the documentation anew' \
	  'make matrix    start launchers on many kinds of machines; writes its table' \
	  'make kernels   the same under kernels of Debian and Ubuntu, in virtual machines' \
	  'make bench     what a launcher costs, beside bwrap alone, and what it may cost; write=1' \
	  '               writes it into .ci/bench/README.md; flags=-brief is quick, flags=-h shows the others' \
	  '               and long=1 takes longer'

demo:
	@.ci/demo

build:
	go build -o bin/ ./cmd/bwrapgen

# For root, for all users; else for oneself.
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
export DESTDIR

install:
	@.ci/install "$(PREFIX)"

uninstall:
	@.ci/install --remove "$(PREFIX)"

dist:
	@.ci/dist

# A skipped sandbox test is a failure here: no run is green because nothing ran.
# Most of the time some test waits or sleeps, so more of them run than there are
# processors. Lint has vetted everything, and no debugger reads the tests. What nohup or a script's & has ignored, tests that send signals need.
# Cases take turns in being tried as root or as a user, under one bwrap or another;
# whole=1 has each tried in all ways. Go collects garbage less often: there is room.
test: export BWRAPGEN_REQUIRE_SANDBOX = 1
test: export BWRAPGEN_WHOLE = $(whole)
test: export GOGC = 400
test: setup user bwraps userlands npm lint
	.ci/homes env --default-signal=HUP,INT,QUIT,TERM go test -json -vet=off -ldflags=-s -count=1 -parallel=6 -timeout=30m ./... \
	  | go run ./.ci/slowest
	@printf 'make test: all tests ran, in real sandboxes, and passed\n'

# Every combination, and the whole matrix: for a release.
test-all:
	$(MAKE) test whole=1
	$(MAKE) matrix

setup:
	@.ci/setup

# Root's tests also run as an ordinary user, who has a name: a session bus wants one.
user: setup
	@[[ $$(id -u) != 0 ]] || .ci/user

bwraps: setup
	@.ci/bwraps $(BWRAPGEN_BWRAPS)

userlands: setup
	@.ci/userland $(BWRAPGEN_USERLANDS) $(userlands)

npm: setup
	@.ci/npm $(BWRAPGEN_NPM)

matrix: export BWRAPGEN_REQUIRE_SANDBOX = 1
matrix: userlands := bullseye bookworm trixie sid bionic focal jammy noble
matrix: userlands
	go test -count=1 -timeout=30m -v -run=TestMatrix ./cmd/matrixtest -all -update

# qemu-system-x86 is needed, too, and KVM is not; for arm64 also qemu-system-arm,
# qemu-user-static and binfmt-support.
kernels: export BWRAPGEN_REQUIRE_SANDBOX = 1
kernels: userlands := bullseye+kernel bookworm+kernel trixie+kernel sid+kernel focal+kernel jammy+kernel noble+kernel trixie+kernel+disks trixie+kernel+arm64
kernels: userlands
	go test -tags=kernels -count=1 -timeout=120m -v -run='TestKernels|TestDisks' ./cmd/matrixtest -update

lint:
	@unformatted=$$(gofmt -s -l cmd gen templates profiles golden .ci); \
	  [[ -z $$unformatted ]] || { printf 'not as gofmt has it: %s\n' $$unformatted >&2; exit 1; }
	go vet ./... ./.ci/bench ./.ci/roff ./.ci/slowest
	go vet -tags=kernels ./cmd/matrixtest
	shellcheck -x $(shell grep -lE '^#!.*bash' .ci/* .ci/bench/* 2>/dev/null)

fmt:
	gofmt -s -w cmd gen templates profiles golden .ci

golden:
	go test ./golden -update
	go test ./cmd/readmetest -update

# Without the bwraps of other releases it measures the one that is here; without
# valgrind and strace it counts no instructions and no system calls.
bench:
	@go run ./.ci/bench $(if $(write),-write -peers) $(if $(long),-n=101 -files=200000) $(flags)
