# --- lock-store
# A run has the store from here on.

if [[ $action == @(run|shell|doctor) ]]; then
  take_store
  [[ -z $lock ]] || plumbing+=(--sync-fd "$lock")
fi
