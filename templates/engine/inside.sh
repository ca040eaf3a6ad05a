# --- inside
# Mounts what the profile lists in the project, on top of the project itself.
# Reads: in_project, held_mounts, project_access. Sets: mounts.

# Makes a directory writable again, except for the protected names in it.
open_again() { # PATH
  local word row=() at=''
  mounts+=(--bind "$1" "$1")
  hold_own "$1" "$1"
  [[ $project_access != read ]] || return 0
  for word in "${held_mounts[@]}" --; do
    if [[ $word == --* ]]; then
      [[ $at != "$1"/* ]] || mounts+=("${row[@]}")
      row=()
    fi
    row+=("$word")
    at=$word
  done
}
mount_inside() { # FLAG SOURCE TARGET
  resolve "$3"
  if [[ $REPLY != "$3" ]]; then
    # What a read-only name leads to is protected already. Other mounts would be somewhere else.
    [[ $1 != --ro-bind* || $2 != "$3" ]] || return 0
    die "refusing $3: it is a symbolic link, or in a directory behind one" \
      "replace the symlink, or remove the entry from the profile"
  fi
  is_mountable "$@" || return 0
  if [[ $1 == --bind* && $2 == "$3" ]]; then
    open_again "$3"
  else
    mount_entry "$@"
  fi
}
for ((i = 0; i < ${#in_project[@]}; i += 3)); do
  mount_inside "${in_project[@]:i:3}"
done
