#!/usr/bin/env bash
#
# debian.bash: what the scripts beside it share. Sourced, never run.
#
# It knows how to ask for other Debian releases through this machine's apt,
# without a change to what apt knows of the machine itself.

readonly self=${0##*/}

# The ordinary user that tests run as, here and in the userlands.
# shellcheck disable=SC2034 # for the scripts that source this
readonly test_user=bwrapgen-test

say() {
  printf '%s: %s\n' "$self" "$1"
}

# die REASON [HINT]
die() {
  printf '%s: %s\n' "$self" "$1" >&2
  [[ -z ${2-} ]] || printf '%s: hint: %s\n' "$self" "$2" >&2
  exit 1
}

# need COMMAND=PACKAGE...: stops unless every command is installed.
need() {
  local tool
  for tool in "$@"; do
    type -P "${tool%%=*}" >/dev/null \
      || die "${tool%%=*} is not installed" "install the package ${tool#*=}, or run .ci/setup"
  done
}

# become_root SCRIPT ARGUMENT...: starts a script again through sudo, unless
# it is root's already.
become_root() {
  ((EUID != 0)) || return 0
  type -P sudo >/dev/null || die "this needs root, and sudo is not installed"
  exec sudo -n --preserve-env -- bash "$@"
}

# --- Built once -------------------------------------------------------------

# stamp: prints what a directory was built from: this script, by its content.
stamp() {
  cat -- "$0" "${BASH_SOURCE[0]}" | sha256sum
}

# built DIR: whether DIR was built, whole, by this very script.
built() {
  [[ -e $1/.stamp && $(<"$1/.stamp") == "$(stamp)" ]]
}

# make_way_for DIR: refuses a DIR that is not ours to replace: it bears no stamp
# and is not empty. Removes what a killed run left beside it.
make_way_for() {
  [[ ! -e $1 || -e $1/.stamp ]] || rmdir -- "$1" 2>/dev/null \
    || die "$1 exists and is not ours" "name another directory, or remove it"
  rm -rf --one-file-system -- "$1.new" "$1.work" "$1.old"
}

# put_in_place DIR: makes DIR.new to DIR, whose former self goes.
put_in_place() {
  [[ ! -e $1 ]] || mv -T -- "$1" "$1.old"
  mv -T -- "$1.new" "$1"
  rm -rf --one-file-system -- "$1.old"
}

# --- Packages of another release --------------------------------------------

# The keys that Debian signs with, from the package debian-archive-keyring.
readonly keyring=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

# mirror: prints where this machine's apt takes Debian's main archive from.
# Debian's public default is the last resort, as on a machine of another kind.
mirror() {
  local id='' release='' name value origin label codename component uri
  # shellcheck disable=SC2016 # apt expands these, not bash
  local format='$(ORIGIN)|$(LABEL)|$(RELEASE)|$(COMPONENT)|$(REPO_URI)'
  while IFS='=' read -r name value; do
    [[ $name != ID ]] || id=${value//\"/}
    [[ $name != VERSION_CODENAME ]] || release=${value//\"/}
  done </etc/os-release
  while IFS='|' read -r origin label codename component uri; do
    [[ $uri == http?(s)://* && $component == main ]] || continue
    # Before the first "apt-get update" apt knows no origins, only suites.
    [[ $origin == Debian && $label == Debian || $id == debian && $codename == "$release" ]] || continue
    printf '%s\n' "${uri%/}"
    return
  done < <(
    apt-get indextargets --format "$format" 2>/dev/null
    apt-get indextargets --no-release-info --format "$format" 2>/dev/null
  )
  printf 'http://deb.debian.org/debian\n'
}

# proxy SCHEME: prints the proxy that apt is told to use, if any.
proxy() {
  local line
  while IFS= read -r line; do
    [[ $line != "Acquire::$1::Proxy="?* ]] || printf '%s\n' "${line#*=}"
  done < <(apt-config dump --format '%f=%v%n' "Acquire::$1::Proxy")
}

# suite_apt STATE COMMAND ARGUMENT...: an apt command that sees one release
# only, and keeps all that it learns in the directory STATE. It reads the
# machine's own apt.conf, so that a proxy holds.
suite_apt() {
  local state=$1 command=$2
  shift 2
  "$command" \
    -o "Dir::Etc::SourceList=$state/sources.list" \
    -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::Etc::Preferences=/dev/null \
    -o Dir::Etc::PreferencesParts=/dev/null \
    -o "Dir::State::Lists=$state/lists" \
    -o Dir::State::Status=/dev/null \
    -o "Dir::Cache=$state/cache" \
    -o APT::Sandbox::User=root \
    -o Acquire::Retries=3 \
    "$@"
}

# suite_update SUITE STATE KEYRING: fetches the list of a release's packages,
# and checks its signature against the keyring.
suite_update() {
  mkdir -p "$2/lists/partial" "$2/cache/archives/partial"
  printf 'deb [signed-by=%s target=Packages] %s %s main\n' "$3" "$(mirror)" "$1" >"$2/sources.list"
  suite_apt "$2" apt-get -qq --error-on=any update
}

# keyring_for SUITE WORK: prints a keyring which knows the release's keys, and
# leaves the release's package list in WORK/SUITE.
#
# An old machine may not know a new release's keys. Then the newest Debian
# whose signature the machine does check vouches for them: it carries the
# later keyring as a package. That is the trust an upgrade of the machine would
# rest on; a release without a known signature is never taken.
keyring_for() {
  local suite=$1 work=$2 elder newer=$2/keyring/usr/share/keyrings/debian-archive-keyring.gpg
  [[ -e $keyring ]] || die "there is no $keyring" "install the package debian-archive-keyring"
  if suite_update "$suite" "$work/$suite" "$keyring" 2>"$work/why"; then
    printf '%s\n' "$keyring"
    return
  fi
  for elder in trixie bookworm bullseye; do
    suite_update "$elder" "$work/$elder" "$keyring" 2>/dev/null || continue
    (cd "$work/$elder" && suite_apt "$work/$elder" apt-get -qq download debian-archive-keyring)
    dpkg-deb --extract "$work/$elder"/debian-archive-keyring_*.deb "$work/keyring"
    suite_update "$suite" "$work/$suite" "$newer" 2>"$work/why" || continue
    say "$elder's keyring vouches for $suite" >&2
    printf '%s\n' "$newer"
    return
  done
  die "cannot get Debian's $suite from $(mirror): $(head -n 1 "$work/why")"
}
