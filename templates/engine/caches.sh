# --- caches
# Shows caches of the host directly, read-only or writable.
# Reads: caches_read, caches_write.

for path in "${caches_read[@]}"; do
  check_path "$path" && [[ -d $path ]] || continue
  mounts+=(--ro-bind-try "$path" "$path")
  show "$path"
done
for path in "${caches_write[@]}"; do
  check_path "$path" && [[ -d $path ]] || continue
  mounts+=(--bind "$path" "$path")
  show "$path"
  hold_own "$path" "$path"
done
