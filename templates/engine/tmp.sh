# --- tmp
# Keeps /tmp for a session, or from run to run. It is also visible by its path on the host.
# Reads: session_store, stores, tmp_mode. Sets: mounts, tmp_store.

tmp_store=$stores/keep/.tmp
if [[ $tmp_mode == session ]]; then tmp_store=$session_store/.tmp; fi
keep_directory "$tmp_store" /tmp
show_tmp_store() { # what hides the rest of the stores is mounted before it
  mounts+=(--bind "$tmp_store" "$tmp_store")
}
finish+=(show_tmp_store)
