# Part home: empty, or the sandbox's own, but for what is listed.

if [[ $home_mode == keep ]]; then
  keep_directory "$stores/keep/.home" "$home"
else
  mounts+=(--tmpfs "$home")
fi
[[ $base == host || $spelled == "$home" ]] || mounts+=(--symlink "$home" "$spelled")
for name in $home_reads; do
  [[ -r $home/$name ]] && check_path "$home/$name" || continue
  mounts+=(--ro-bind "$home/$name" "$home/$name")
  show "$home/$name"
done
cd -- "$cwd"
