# --- share
# Mounts the project twice. Between the two mounts, directories above protected names are mounted on
# themselves, so that they can be written to, but not renamed.
# Reads: elsewhere, held_mounts, pinned, project. Sets: mounts.

shared=(--bind "$project" "$project" ${elsewhere:+--bind "$elsewhere" "$elsewhere"})
mounts+=("${shared[@]}" "${pinned[@]}" "${shared[@]}" "${held_mounts[@]}")
show "$project"
cd -- "$cwd"
