# Part environment: of the caller's variables only these come in.

# PATH: the caller's, in its order, without what is not visible inside.
search='' shell=$BASH room=${home_at%/*}
covered() { # PATH: whether nothing of the host is there inside
  [[ $1/ != @(${visible#|})/* && ($home_mode != host || $1/ != "$home"/*) ]] || return 1
  [[ $base == select || $1/ == @("$home"|"${room:-$home}"|/home|/root|/tmp|/var/tmp|/run)/* ]]
}
for path in "${directories[@]}"; do
  [[ $path == /* && $path/ != */../* && -x $path ]] || continue
  if [[ $path/ != @(${visible#|})/* ]]; then # it may lead to what is visible, or to what is not
    cd -P -- "$path" 2>/dev/null && ! covered "$PWD" || continue
    ! covered "$path" || path=$PWD
  fi
  [[ :$search: != *":$path:"* ]] || continue
  search+=${search:+:}$path
  [[ ! -x $path/bash ]] || shell=bash
done
cd -- "$cwd"
[[ $path_inside == caller ]] || search=$path_inside
search=${search:-/usr/local/bin:/usr/bin:/bin}

# bwrap gets the command's environment and nothing else, since it can be read inside. No value
# stands in an argument list, where other users of the host could see it.
for name in $required; do
  [[ -v $name ]] || die "$name is not set" "the profile requires it in environment.require"
done
mapfile -d '' -t inherited </proc/self/environ
plumbing+=(--unsetenv _)
if ! export -n -- "${inherited[@]%%=*}" OLDPWD PWD SHLVL 2>/dev/null; then
  for name in "${inherited[@]%%=*}"; do # a function of the caller's has such a name
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ || -z $name ]] || plumbing+=(--unsetenv "$name")
  done
fi
[[ -z ${XDG_RUNTIME_DIR-}$sockets ]] || set_variables+=("XDG_RUNTIME_DIR=$runtime")
# shellcheck disable=SC2163,SC2086 # it is a list of names
export -- HOME $pass USER="$user" LOGNAME="$user" "${set_variables[@]}"
export -n LC_ALL
[[ $locale_inside != caller ]] || locale_inside=$locale
for word in "${set_in_project[@]}"; do
  export "${word%%=*}=$project${word#*=}"
done
