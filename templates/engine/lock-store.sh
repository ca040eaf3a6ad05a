# --- lock-store
# Lets only one run at a time use what this launcher keeps besides caches.
# Reads: action, own, project, session_store, store, stores.

take_store() {
  local status=0 hints=('' 'wait until it ends' 'make room there, or set XDG_STATE_HOME')
  if [[ $store == "$session_store" ]]; then hints[1]+=', or name another --sandbox-session'; fi
  take_lock "$store" -w2 || status=$?
  [[ $status == 0 || $status$action == 2@(status|diff|apply) ]] || die "$REPLY" "${hints[status]}"
  [[ -s $stores/about ]] || printf '%s\0' "${own[0]}" "$project" 2>/dev/null >"$stores/about" || :
}
if [[ $action == @(run|shell|doctor) ]]; then take_store; fi
