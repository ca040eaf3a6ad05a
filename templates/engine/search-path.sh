# --- search-path
# Removes directories from PATH that a moved home or project makes invisible.
# Reads: base, home, home_at, home_mode, visible. Sets: search.

is_visible() { # DIRECTORY
  local room=${home_at%/*}
  [[ $1/ != @(${visible#|})/* ]] || return 0
  [[ $home_mode != host || $1/ != "$home"/* ]] || return 0
  [[ $base == host && $1/ != @("$home"|"${room:-$home}"|/home|/root|/tmp|/var/tmp|/run)/* ]]
}
if [[ $path_inside == caller ]]; then
  IFS=: read -r -a names <<<"$search"
  search=''
  for path in "${names[@]}"; do
    [[ $path == /* && $path/ != */../* ]] && cd -P -- "$path" 2>/dev/null || continue
    is_visible "$path" || path=$PWD # a symbolic link may lead to what is visible
    is_visible "$path" || continue
    [[ :$search: == *":$path:"* ]] || search+=${search:+:}$path
  done
  search=${search:-/usr/local/bin:/usr/bin:/bin}
  cd -- "$cwd"
fi
