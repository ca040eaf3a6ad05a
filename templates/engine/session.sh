# --- session
# What is kept for one of several sessions.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

session=${chosen[session]-default}
[[ $action != end ]] || session=${1-$session}
[[ $session =~ ^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$ && $session != *.lock ]] \
  || die "not the name of a session: $session" "use letters, digits and . _ -, and no .lock"
session_store=$stores/session-$session
[[ $keeps_beside == yes ]] || store=$session_store
