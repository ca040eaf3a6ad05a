# --- home-kept
# Keeps the home directory of the sandbox between runs.
# Reads: home, stores.

keep_directory "$stores/keep/.home" "$home"
