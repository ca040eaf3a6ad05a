# --- home
# Mounts the home directory: empty, or kept between runs, except what is listed.
# Reads: home_mode, home, spelled, base, reads, stores. Sets: mounts, in_project.

if [[ $home_mode == keep ]]; then
  keep_directory "$stores/keep/.home" "$home"
else
  mounts+=(--tmpfs "$home")
fi
[[ $base == host || $spelled == "$home" ]] || mounts+=(--symlink "$home" "$spelled")
for path in "${reads[@]}"; do
  [[ -r $path ]] || continue
  [[ $path != "$project"/* ]] || in_project+=(--ro-bind "$path" "$path")
  mounts+=(--ro-bind "$path" "$path")
  show "$path"
done
