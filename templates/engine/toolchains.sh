# --- toolchains
# Shows the programs of tools, read-only, where they exist.
# Reads: toolchains, project. Sets: links.

for path in "${toolchains[@]}"; do
  [[ -e $path && $path != "$project"/* ]] && ! shown "$path" || continue
  check_path "$path" || continue
  [[ $project/ != "$REPLY"/* ]] || continue
  if [[ -L $path && $REPLY == /@(nix|gnu)/store/* ]]; then # it remains a symlink
    mounts+=(--symlink "$REPLY" "$path")
    links+=("$path" "$REPLY")
  else
    mounts+=(--ro-bind-try "$path" "$path")
  fi
  [[ ! -d $path ]] || show "$path"
done
