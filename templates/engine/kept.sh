# --- kept
# Instead of a run: lists how much is kept of each cache, or discards what is kept.
# Reads: action, layers, options, reviewable, session_store, slots, state, store, stores.

erase() { # PATH: even if its owner may not write to it
  rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1" && rm -rf -- "$1"; }
}
if [[ $action == status && ($# -eq 0 || " $options " != *" diff "*) ]]; then
  trap - EXIT # a reader that closes the pipe early is no failure
  for layer in "${layers[@]}"; do
    [[ $layer == */upper && " ${reviewable[*]-} " != *" $layer "* ]] || continue
    path=/${layer#"$state"/*/*/}
    path=${path%/upper} names=("$layer")
    if [[ $layer == "$slots.1"/* ]]; then names=("$slots".[1-4]"$path/upper"); fi
    [[ -d ${names[0]-} ]] || continue
    files=$(find "${names[@]}" -type f -printf . 2>/dev/null | wc -c) || :
    size=$(du -shc -- "${names[@]}" 2>/dev/null | tail -n 1) || :
    printf '%q: %d files, %s\n' "$path" "$files" "${size%%[[:space:]]*}"
  done
  [[ " $options " == *" diff "* ]] || exit 0
fi
# Discards a directory. If the launcher is killed, it is still complete, or gone from its place.
discard() { # PATH
  erase "$1~"
  ! mv -T -- "$1" "$1~" 2>/dev/null || erase "$1~"
}
if [[ $action == @(discard|end) ]]; then
  [[ $action != end || $# -eq 0 ]] || shift
  (($# == 0)) || die "--sandbox-$action takes no path: $*" "it discards all that is kept"
  names=("$store") busy='' wait=-w2 locked=()
  # Slot 1 comes last, because runs in other slots read it.
  if [[ $slots && $action == discard ]]; then names+=("$slots".{5..1}); fi
  for path in "${names[@]}"; do
    [[ -d ${path%/*} ]] || continue
    status=0
    take_lock "$path" "$wait" || status=$?
    if [[ $status == 0 && $path == "$slots.1" && $busy ]]; then
      status=1 REPLY="$path is read by these runs"
    fi
    if ((status == 1)); then
      say "not discarded: ${REPLY#"$state"/*/}"
      busy=yes wait=-w0.2
      continue
    fi
    locked+=("$path.lock")
    if [[ $action == discard ]]; then discard "$path"; fi
    if [[ $session_store && $path == "$store" ]]; then discard "$session_store"; fi
  done
  ((${#locked[@]} == 0)) || rm -f -- "${locked[@]}"
  for path in "${slots%/*}" "$stores"; do
    names=("$path"/*)
    [[ ${names[*]-} != "$path/about" ]] || rm -f -- "$path/about"
    [[ ! -d $path ]] || rmdir -- "$path" 2>/dev/null || :
  done
  rmdir -- "$state" 2>/dev/null || :
  [[ -z $busy ]] || die "not everything was discarded" "wait until these runs have ended"
  exit
fi
