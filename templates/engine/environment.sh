# Part environment: of the caller's variables only these come in.

# PATH: the caller's, in its order, without what is not visible inside.
first=${command[0]-${1-}}
search='' told=' ' shell=$BASH room=${home_at%/*}
tell_elsewhere() { # DIRECTORY: the caller has a program there that the command will not find
  local name
  [[ $action == @(run|shell) ]] || return 0
  for name in $wanted "$first"; do
    [[ -x $1/$name && -f $1/$name && $told != *" $name "* && $name != */* ]] || continue
    ! PATH=${search:-/nonexistent} hash -- "$name" 2>/dev/null || continue
    [[ ! $1/$name -ef $launcher ]] || continue
    told+="$name "
    say "$name is $1/$name outside, and not shown: toolchains.use or filesystem.read"
  done
}
for ((i = ${#program_paths[@]} - 1; i >= 0; i--)); do # of several the last
  directories+=("${program_paths[i]}")
done
for path in "${directories[@]}"; do
  [[ $path == /* && $path/ != */../* && -x $path ]] || continue
  if [[ $path/ != @($visible)/* ]]; then # it may lead to what is
    cd -P -- "$path" 2>/dev/null || continue
    path=$PWD
    if [[ $path/ != @($visible)/* ]]; then
      tell_elsewhere "$path"
      continue
    fi
  fi
  [[ :$search: != *":$path:"* ]] || continue
  if [[ $base == host && $home_mode != host ]]; then
    cd -P -- "$path"
    if [[ $PWD/ == @("$home"|"${room:-$home}"|/tmp|/var/tmp|/run)/* ]]; then
      tell_elsewhere "$PWD"
      continue
    fi
  fi
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
