# --- doctor
# For --sandbox-doctor: tests a few promises of the sandbox from inside.
# Reads: action, credentials, entries, network, project_access. Sets: command.
# shellcheck disable=SC2016 # for the bash inside

tell_possible() {
  ((status == 0)) && [[ -z $failed ]] || return 0
  printf '%s: sandboxes work here, with %s\n' "$self" \
    "$bwrap${lacks:+, which lacks ${lacks# }}" \
    || die "cannot write to standard output" "make room where it leads"
  find "$project" -maxdepth 2 -type f -links +1 \
    -printf '%p: this file has other names (hard links), at which changes to it appear, too\n'
}
if [[ $action == doctor ]]; then
  after+=(tell_possible)
  names=("$home"/{.ssh/id_*,.netrc,.aws/credentials,.gnupg/private-keys-v1.d/*})
  PATH=$search hash bash 2>/dev/null && command=(bash -c '
    fail() { printf "%s: failed: %s\n" "$BWRAPGEN" "$1" && failed=1; }
    [[ $1 == read || -w . ]] || fail "the project is not writable"
    [[ $1 == overlay || ! -w .git/hooks ]] || fail "git hooks are writable"
    [[ -z $2 || $(</proc/self/status) == *Seccomp:?2* ]] || fail "system calls are not filtered"
    [[ $3/$(readlink /proc/self/ns/net) == @(host/"$4"|[!h]*/!("$4")) ]] \
      || fail "the network is not as the profile says: $3"
    for path in "${@:6}"; do [[ ! -s $path || $5 == *" $path "* ]] || fail "$path is visible"; done
    exit ${failed-0}' bash "$project_access" "${filter_fd-}" "$network"
    "$(readlink /proc/self/ns/net)" " ${entries[*]-} ${credentials[*]-} " "${names[@]}")
  [[ -n $untried ]] || run
fi
