# --- kept
# How much the store keeps of each cache, and how that is discarded.
# It reads action, layers, options, reviewable, session_store, store and stores.
# shellcheck disable=SC2154 # other parts and the policy set these

erase() { # PATH: even if its owner may not write to it
  rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1" && rm -rf -- "$1"; }
}
if [[ $action == status && ($# -eq 0 || " $options " != *" diff "*) ]]; then
  trap - EXIT # a reader that closes the pipe early is no failure
  for layer in "${layers[@]}"; do
    [[ $layer == */upper && -d $layer && " ${reviewable[*]-} " != *" $layer "* ]] || continue
    host_of "$layer"
    files=$(find "$layer" -type f -printf . 2>/dev/null | wc -c) || :
    size=$(du -sh -- "$layer" 2>/dev/null) || :
    printf '%q: %d files, %s\n' "$REPLY" "$files" "${size%%[[:space:]]*}"
  done
  [[ " $options " == *" diff "* ]] || exit 0
fi
if [[ $action == @(discard|end) ]]; then
  [[ $action != end || $# -eq 0 ]] || shift
  (($# == 0)) || die "--sandbox-$action takes no path: $*" "it discards all that is kept"
  [[ -d $stores ]] || exit 0
  take_store
  exec {fd}<>"$store.read.lock"
  flock -w 2 "$fd" || die "$store is in use by another run" "wait until it has ended"
  for path in "$store" ${session_store:+"$session_store"}; do
    [[ $action == discard || $path == "$session_store" ]] || continue
    erase "$path~" # an earlier attempt that was killed may have left it
    ! mv -T -- "$path" "$path~" 2>/dev/null || erase "$path~"
  done
  rmdir -- "$store" 2>/dev/null || :
  rm -f -- "$store.lock" "$store.read.lock"
  left=("$stores"/*)
  [[ ${left[*]-} != "$stores/about" ]] || rm -f -- "$stores/about"
  rmdir -- "$stores" "${stores%/*}" 2>/dev/null || :
  exit
fi
