# --- share
# Mounts the project, twice, so that directories in it can be pinned. Those above protected names
# must not be renamed. They are mounted on themselves between the two mounts: the kernel does not
# rename a mount point, even one that another mount covers.
# Reads: elsewhere, held_mounts, pinned, project. Sets: mounts.

shared=(--bind "$project" "$project" ${elsewhere:+--bind "$elsewhere" "$elsewhere"})
mounts+=("${shared[@]}" "${pinned[@]}" "${shared[@]}" "${held_mounts[@]}")
show "$project"
