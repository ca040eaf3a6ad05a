# --- toolchains
# Read-only, as far as they are there and a place of the tool's own.

for path in "${toolchains[@]}"; do
  [[ -e $path && $path != "$project"/* ]] && ! shown "$path" || continue
  if [[ -x $path/ ]] && cd -P -- "$path"; then
    [[ $home/ != "${PWD%/}"/* && $project/ != "${PWD%/}"/* ]] || continue
    [[ $PWD/ != /@(dev|proc|sys)/* ]] || continue
    show "$path"
    if [[ -L $path && $PWD == /@(nix|gnu)/store/* ]]; then # it stays the link that it is
      mounts+=(--symlink "$PWD" "$path")
      links+=("$path" "$PWD")
      continue
    fi
  fi
  mounts+=(--ro-bind-try "$path" "$path")
done
