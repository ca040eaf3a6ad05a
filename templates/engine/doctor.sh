# Part doctor: instead of a run, a handful of promises is tried inside.
# shellcheck disable=SC2016,SC2034,SC2154 # it is for the bash inside; other parts set and use these

if [[ $action == doctor ]]; then
  names=("$home"/{.ssh/id_*,.netrc,.aws/credentials,.gnupg/private-keys-v1.d/*})
  PATH=$search hash bash 2>/dev/null && command=(bash -c '
    wrong() { printf "%s: it is not so that %s\n" "$BWRAPGEN" "$1" && failed=1; }
    [[ $1 == read || -w . ]] || wrong "the project can be written to"
    [[ $1 == overlay || ! -w .git/hooks ]] || wrong "hooks of git cannot be changed"
    [[ -z $2 || $(</proc/self/status) == *Seccomp:?2* ]] || wrong "system calls are filtered"
    [[ $3/$(readlink /proc/self/ns/net) == @(host/"$4"|[!h]*/!("$4")) ]] \
      || wrong "the network is as the profile says: $3"
    for path in "${@:6}"; do [[ ! -s $path || $5 == *" $path "* ]] || wrong "$path is hidden"; done
    exit ${failed-0}' bash "$project_access" "${filter_fd-}" "$network"
    "$(readlink /proc/self/ns/net)" " ${entries[*]-} ${credentials[*]-} " "${names[@]}")
  [[ -n $untried ]] || run
fi
