# --- tmp
# /tmp stays, and is at the place where it is kept, too.
# shellcheck disable=SC2154 # other parts and the policy set and use these

tmp_store=$session_store/.tmp
[[ $tmp_mode == session ]] || tmp_store=$stores/keep/.tmp
keep_directory "$tmp_store" /tmp
