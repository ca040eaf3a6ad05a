# --- search-path
# Removes directories from PATH that a moved home or project makes invisible. In the host's root,
# those below home directories go, too.
# Reads: base, home, home_at, home_mode, visible. Sets: search, shell.

is_visible() { # DIRECTORY
  local room=${home_at%/*}
  if [[ $home_mode == host && $1/ == "$home"/* || $1/ == @(${visible#|})/* ]]; then
    return 0
  elif [[ $base == host ]]; then
    [[ $1/ != @("$home"|"${room:-$home}"|/home|/root|/tmp|/var/tmp|/run)/* ]]
  else
    return 1
  fi
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
  if [[ $shell == bash ]] && ! PATH=$search hash bash 2>/dev/null; then
    shell=$BASH
  fi
fi
