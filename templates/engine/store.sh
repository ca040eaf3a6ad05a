# --- store
# What is kept between runs, in a directory of this launcher and project.

name=${project//%/%25}
name=${name//\//%2F}
if ((${#name} > 190)); then # a file's name has 255 bytes at most
  name=$(sha256sum <<<"$project")
  name=${name%% *}
fi
stores=$state/$self-$name
store=$stores/keep session_store='' tmp_store=''

# Takes the store for as long as bwrap lives. One run at a time writes to it; where only caches are
# kept, another one reads them meanwhile, and its own changes are thrown away.
take_store() {
  local file=$store.lock
  for _ in 1 2 3 4 5; do # it may be thrown away meanwhile
    [[ -d $store ]] || (umask 077 && mkdir -p -- "$store") 2>/dev/null || continue
    { exec {lock}<>"$file"; } 2>/dev/null || continue
    flock -n "$lock" || wait_for_store || continue
    [[ ! $file -ef /proc/self/fd/$lock ]] || break
    file=$store.lock reads_along=''
  done
  if [[ $second_run == share && ! -d $store ]]; then # caches need not be kept
    say "cannot make $store: what is written to caches is thrown away"
    reads_along=yes lock=''
    return 0
  fi
  [[ $file -ef /proc/self/fd/${lock-} ]] \
    || die "cannot make $store" "make room there, or set XDG_STATE_HOME to another directory"
  [[ -O $stores ]] || die "refusing $stores: it belongs to another user" "set XDG_STATE_HOME"
  if [[ -n $reads_along ]]; then
    say "another run keeps changes just now: this one throws its own away"
  else
    printf 'process %d: %s\n' "$$" "${original[*]@Q}" 2>/dev/null >"$file" \
      || [[ $action != @(run|shell|doctor) ]] || die "cannot write to $stores" "make room there"
  fi
}
wait_for_store() {
  local holder='another run' hint='wait for its end'
  if [[ $second_run == share && $action == @(run|shell|doctor) ]]; then
    # A run that has just ended lets go of it with the last process of its sandbox.
    ! flock -w 0.2 "$lock" || return 0
    file=$store.read.lock reads_along=yes # with that, nothing is thrown away meanwhile
    { exec {lock}<>"$file"; } 2>/dev/null && flock -s "$lock"
  elif ! flock -w 2 "$lock"; then
    IFS= read -r holder <"$file" || :
    [[ $store != "$session_store" ]] || hint+=', or name another --sandbox-session'
    die "$store is in use by $holder" "$hint"
  fi
}
make_layers() {
  [[ $project_access == read ]] || refuse_store "$project"
  for path in "${lowers[@]}"; do
    [[ $path/ == "$state"/* ]] || refuse_store "$path" # those are layers
  done
  [[ -s $stores/about || ! -d $stores ]] || printf '%s\0' "${own[0]}" "$project" >"$stores/about"
  local missing=()
  for path in "${layers[@]}"; do
    [[ -d $path ]] || missing+=("$path")
  done
  if ((${#missing[@]} > 0)); then
    (umask 077 && mkdir -p -- "${missing[@]}") || die "no layers can be made in $stores" \
      "make room there"
  fi
  for path in "${layers[@]}"; do
    [[ -r $path && -w $path && -x $path ]] || chmod u+rwx -- "$path"
  done
}
show_tmp_store() { # the sandbox sees no more of the store
  [[ -z $tmp_store ]] || mounts+=(--bind "$tmp_store" "$tmp_store")
}
host_of() { # LAYER: sets REPLY to the host directory whose upper layer it is
  REPLY=/${1#"$stores"/*/}
  REPLY=${REPLY%/upper}
}
before+=(make_layers)
finish+=(show_tmp_store)
