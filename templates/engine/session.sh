# --- session
# Chooses the session whose /tmp and caches are used.
# Reads: action, chosen, keeps_beside, stores. Sets: session_store, store.

session=${chosen[session]-default}
if [[ $action == end ]]; then session=${1-$session}; fi
[[ $session =~ ^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$ && $session != *.lock ]] \
  || die "not the name of a session: $session" "use letters, digits and . _ -, and no .lock"
session_store=$stores/session-$session
if [[ $keeps_beside != yes ]]; then store=$session_store; fi
