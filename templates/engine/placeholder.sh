# --- placeholder
# Keeps the command from creating the profile's own protected names. While a sandbox runs, an empty
# file or directory is there, marked by a sticky bit. The last launcher to end removes it.
# Reads: reserved, project, repository. Sets: held_mounts, pinned, mounts.

placeholders=() placeholder_files=() ignored=''
is_placeholder() { # PATH; rmdir keeps a directory that contains something
  [[ -k $1 && -O $1 && ! -L $1 && (-d $1 || (-f $1 && ! -s $1)) ]]
}
# Finds the absent part of a name: itself, and absent directories above it.
reserve() { # NAME: with a slash at its end, a directory
  local path=$project/${1%/} absent=()
  while [[ $path != "$project" && ! -L $path ]]; do
    [[ ! -e $path ]] || is_placeholder "$path" || break
    absent=("$path" "${absent[@]}")
    path=${path%/*}
  done
  if ((${#absent[@]} == 0)); then
    hold_name "$project/${1%/}"
    return
  fi
  if [[ -L $path ]]; then
    [[ -e $path ]] || die "refusing $project/$1: $path is a link that leads to nothing" \
      "remove the link, or take the name out of project.protect"
    say "warning: $project/$1 is behind a symbolic link: the command can create it"
    return
  fi
  [[ -d $path && -w $path ]] || return 0
  path=$project/${1%/}
  if [[ $1 == */ ]]; then
    held_mounts+=(--ro-bind-try "$path" "$path")
  else
    held_mounts+=(--ro-bind-try "$path" "$path")
    placeholder_files+=("$path")
    ignored+=/$1$'\n'
    unset 'absent[-1]'
  fi
  placeholders+=("${absent[@]}")
  while path=${path%/*} && [[ $path != "$project" ]]; do
    pinned+=(--ro-bind-try "$path" "$path")
  done
}
for name in "${reserved[@]}"; do
  reserve "$name"
done
cd -- "$cwd"
# Git inside ignores the empty files: "git add ." must not add them.
exclude_placeholders() {
  local path=$repository/info/exclude
  [[ -n $ignored && -e $project/.git && -f $path && ! -L $path ]] || return 0
  read_text "$path" 65536
  feed "$REPLY"$'\n'"$ignored"
  mounts+=(--ro-bind-data "$fd" "$path")
}
finish+=(exclude_placeholders)
make_placeholders() {
  ((${#placeholders[@]} + ${#placeholder_files[@]})) || return 0
  exec {project_lock}<"$project"
  private+=("$project_lock")
  flock -w 5 -s "$project_lock" \
    || die "cannot lock $project" "end what holds the lock, maybe another sandbox"
  if ((${#placeholders[@]})); then
    mkdir -m 1755 -- "${placeholders[@]}" 2>/dev/null || :
  fi
  make_files
}
make_files() {
  local path made=()
  for path in "${placeholder_files[@]}"; do
    if [[ ! -e $path ]] && (set -C && : >"$path") 2>/dev/null; then
      made+=("$path")
    fi
  done
  ((${#made[@]} == 0)) || chmod 1444 -- "${made[@]}"
}
remove_placeholders() {
  local i path files=()
  ((${#placeholders[@]} + ${#placeholder_files[@]})) || return 0
  flock -n "$project_lock" || return 0
  for path in "${placeholder_files[@]}"; do
    ! is_placeholder "$path" || files+=("$path")
  done
  ((${#files[@]} == 0)) || rm -f -- "${files[@]}"
  for ((i = ${#placeholders[@]} - 1; i >= 0; i--)); do
    rmdir -- "${placeholders[i]}" 2>/dev/null || :
  done
}
before+=(make_placeholders)
after+=(remove_placeholders)
