# --- stores
# Finds the directory in which launchers keep changes. No sandbox shows it.
# Reads: home, project, project_access. Sets: state, store_links.

# store_links are the symbolic links in its path: whoever replaced one would replace the stores.
state=${XDG_STATE_HOME-} store_links=()
[[ $state == /?* ]] || state=$home/.local/state
state+=/bwrapgen path=$state
while [[ -n $path ]]; do
  if [[ -L $path ]] && cd -P -- "${path%/*}/"; then
    store_links+=("${PWD%/}/${path##*/}")
  fi
  path=${path%/*}
done
path=$state # which may not exist yet
until cd -P -- "$path/" 2>/dev/null; do path=${path%/*}; done
state=${PWD%/}${state#"$path"}
refuse_store() { # DIRECTORY: one in which the command can write
  local path
  for path in "$state" "${store_links[@]}"; do
    [[ $path/ != "${1%/}"/* && $1/ != "$path"/* ]] \
      || die "refusing to share $1: launchers keep their stores in $path" \
        "set XDG_STATE_HOME to another directory, or share less"
  done
}
[[ $project_access == read || ! -e $state ]] || refuse_store "$project"
hide_stores() {
  if [[ -d $state ]] && shown "$state"; then
    mounts+=(--tmpfs "$state")
    closing+=("$state")
  fi
}
finish+=(hide_stores)
