# --- store
# Names and locks the directories that keep changes, and creates upper layers.
# Reads: layers, lowers, original, project, project_access, self, state.
# Sets: lock, session_store, slot, slots, store, stores.

name_directory() { # PREFIX PATH: sets REPLY to the store of a path
  REPLY=${2//%/%25}
  REPLY=${REPLY//\//%2F}
  if ((${#REPLY} > 190)); then # a file name has at most 255 bytes
    REPLY=$(sha256sum <<<"$2")
    REPLY=${REPLY%% *}
  fi
  REPLY=$state/$1$REPLY
}
name_directory "$self-" "$project" # for all that this launcher keeps, except caches
stores=$REPLY store=$stores/keep session_store='' slots='' slot=''

# Locks DIRECTORY.lock and sets lock to its descriptor. On failure, REPLY is the reason, and the
# status is 1 if another run holds the lock, 2 if the file cannot be written. It tries again if
# another run removes the file before it is locked.
take_lock() { # DIRECTORY OPTION-OF-FLOCK
  for _ in 1 2 3 4 5; do
    lock=''
    [[ -d ${1%/*} ]] || (umask 077 && mkdir -p -- "${1%/*}") 2>/dev/null || continue
    [[ -O ${1%/*} || ! -e ${1%/*} ]] \
      || die "refusing ${1%/*}: it belongs to another user" "set XDG_STATE_HOME"
    { exec {lock}<>"$1.lock"; } 2>/dev/null || continue
    if ! flock "$2" "$lock"; then
      read_text "$1.lock" 200
      exec {lock}>&-
      lock='' REPLY="$1 is in use by ${REPLY:-another run}"
      return 1
    fi
    if [[ $1.lock -ef /proc/self/fd/$lock ]]; then
      printf 'process %d: %s' "$$" "${original[*]@Q}" 2>/dev/null >"$1.lock" || break
      return 0
    fi
    exec {lock}>&-
  done
  REPLY="cannot write to $1.lock"
  return 2
}
make_layers() {
  local unusable=()
  [[ $project_access == read ]] || refuse_store "$project"
  for path in "${lowers[@]}"; do
    [[ $path/ == "$state"/* ]] || refuse_store "$path" # slots 2 to 4 read slot 1
  done
  for path in "${layers[@]}"; do
    [[ -d $path && -r $path && -w $path && -x $path ]] || unusable+=("$path")
  done
  ((${#unusable[@]})) || return 0
  (umask 077 && mkdir -p -- "${unusable[@]}" && chmod u+rwx -- "${unusable[@]}") \
    || die "cannot create directories in $state" "check its permissions and free space"
}
makers+=(make_layers)
before+=(make_layers)
