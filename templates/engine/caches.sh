# --- caches
# The host's own.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

for path in "${caches_read[@]}"; do
  cd -P -- "$path" 2>/dev/null || continue
  refuse_wide "$PWD" "$path" "mend the variable or the link"
  mounts+=(--ro-bind-try "$path" "$path")
  show "$path"
done
for path in "${caches_write[@]}"; do
  cd -P -- "$path" 2>/dev/null || continue
  refuse_wide "$PWD" "$path" "mend the variable or the link"
  mounts+=(--bind "$path" "$path")
  show "$path"
  hold_own "$path" "$path"
done
cd -- "$cwd"
