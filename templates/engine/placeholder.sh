# --- placeholder
# A name of the profile's own that is absent cannot be made. An empty directory,
# marked by its sticky bit, stands there as long as a sandbox runs. The last launcher that ends
# there takes it away, or the next one that starts.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

placeholders=()
# Finds what is absent of a name, and what lies above it and is absent, too.
reserve() { # NAME
  local path=$project/$1 missing_parts=()
  while [[ $path != "$project" && ! -L $path && (! -e $path || -k $path) ]]; do
    missing_parts=("$path" "${missing_parts[@]}")
    path=${path%/*}
  done
  if ((${#missing_parts[@]} == 0)); then
    hold_name "$project/$1"
    return
  fi
  if [[ -L $path ]]; then
    [[ -e $path ]] || die "refusing $project/$1: $path is a link that leads to nothing" \
      "remove the link, or take the name out of project.protect"
    say "$project/$1 is behind a symbolic link: nothing keeps the command from making it"
    return
  fi
  [[ -d $path && -w $path ]] || return 0
  placeholders+=("${missing_parts[@]}")
  path=$project/$1
  held_mounts+=(--tmpfs "$path" --ro-bind-try "$path" "$path")
  while path=${path%/*} && [[ $path != "$project" ]]; do
    pinned+=(--ro-bind-try "$path" "$path")
  done
}
for name in "${reserved[@]}"; do
  reserve "$name"
done
cd -- "$cwd"
make_placeholders() {
  ((${#placeholders[@]})) || return 0
  exec {project_lock}<"$project"
  private+=("$project_lock")
  flock -w 5 -s "$project_lock" \
    || die "cannot lock $project" "end what holds it, maybe another sandbox"
  mkdir -m 1755 -- "${placeholders[@]}" 2>/dev/null || :
}
remove_placeholders() {
  local i
  ((${#placeholders[@]})) || return 0
  flock -n "$project_lock" || return 0
  for ((i = ${#placeholders[@]} - 1; i >= 0; i--)); do
    rmdir -- "${placeholders[i]}" 2>/dev/null || :
  done
}
before+=(make_placeholders)
after+=(remove_placeholders)
