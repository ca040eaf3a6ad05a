# --- writable
# Protects launchers, bwrap and the project in directories that a profile shares.
# Reads: own, project, origin. Sets: mounts, lacking.

hold_own() { # SOURCE TARGET
  local path top root at name last=()
  if ! cd -P -- "$1" 2>/dev/null; then
    hold_file "$@"
    return
  fi
  top=$PWD
  refuse_store "$top"
  [[ $origin/ != "$top"/* ]] || find_launchers "$origin"
  for path in "${own[@]}" "$project"; do
    [[ $path == "$top"/* ]] || continue
    [[ ! -L $path ]] || die "refusing to make $1 writable: the link $path could be replaced" \
      "replace the link by what it leads to, or make less of this directory writable"
    if [[ ! -e $path ]]; then # if the command creates it, it is moved aside on exit
      [[ $path == "$project"/* ]] || lacking+=("$path")
      continue
    fi
    root=$top at=$2 name=${path#"$top"/}
    while [[ $name == */* ]]; do # a mount point cannot be renamed
      root+=/${name%%/*} at+=/${name%%/*} name=${name#*/}
      mounts+=(--bind "$root" "$at")
    done
    last+=(--ro-bind "$path" "$at/$name")
  done
  mounts+=("${last[@]}")
}
hold_file() { # SOURCE TARGET
  local path
  for path in "${own[@]}"; do
    [[ ! $path -ef $1 ]] || mounts+=(--ro-bind "$1" "$2")
  done
}
