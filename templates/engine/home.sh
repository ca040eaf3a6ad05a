# --- home
# Makes the home directory: empty, or the sandbox's own, plus what the policy lists.
# Reads: elsewhere, home, home_mode, reads, project. Sets: in_project, mounts.

[[ $home_mode == keep ]] || mounts+=(--tmpfs "$home")
[[ $base == host || $spelled == "$home" ]] || mounts+=(--symlink "$home" "$spelled")

# The directory above the project is read-only, so that writing to ../x fails instead of being lost
# with the sandbox. It stays writable if tools have directories in it.
parent=${project%/*}
if [[ $home_mode == keep || -n $home_at$project_at || $home/ == "$parent"/* ]] \
  || [[ $parent/ == "$home"/@(.|*/.)* || $parent/ != @("$home"|/tmp|/var/tmp)/?*/* ]]; then
  parent=''
fi
for path in "${XDG_CACHE_HOME-}" "${XDG_CONFIG_HOME-}" "${XDG_DATA_HOME-}" "${XDG_STATE_HOME-}" \
  "${toolchains[@]}" "${brief_views[@]}" "${kept_views[@]}"; do
  [[ -z $parent || $path/ != "$parent"/* ]] || parent=''
done
[[ -z $parent ]] || mounts+=(--tmpfs "$parent")
close_parent() {
  if [[ -n $parent && $parent/ != "${elsewhere:-$project}"/* ]] && ! shown "$parent"; then
    closing+=("$parent")
  fi
}
finish+=(close_parent)
for path in "${reads[@]}"; do
  [[ -r $path ]] && check_path "$path" || continue
  [[ $path != "$project"/* ]] || in_project+=(--ro-bind "$path" "$path")
  mounts+=(--ro-bind "$path" "$path")
  show "$path"
done
