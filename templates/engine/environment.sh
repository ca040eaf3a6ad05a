# Part environment: of the caller's variables only these come in; and the account.

# PATH: the caller's, in its order, without what is not visible inside.
first=${command[0]-${1-}}
search='' told=' ' shell=$BASH room=${home_at%/*}
covered() { # PATH: whether nothing of the host is there inside
  [[ $1/ != @(${visible#|})/* && ($home_mode != host || $1/ != "$home"/*) ]] || return 1
  [[ $base == select || $1/ == @("$home"|"${room:-$home}"|/home|/root|/tmp|/var/tmp|/run)/* ]]
}
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
  [[ $path == /* && $path/ != */../* && -x $path/ ]] || continue
  if [[ $path/ != @(${visible#|})/* ]]; then # it may lead to what is visible, or to what is not
    cd -P -- "$path" || continue
    if [[ $base:$PWD == "select:$path" ]] || covered "$PWD"; then
      tell_elsewhere "$PWD"
      continue
    fi
    ! covered "$path" || path=$PWD
  fi
  [[ :$search: != *":$path:"* ]] || continue
  search+=${search:+:}$path
  [[ ! -x $path/bash ]] || shell=bash
done
cd -- "$cwd"
[[ $path_inside == caller ]] || search=$path_inside
search=${search:-/usr/local/bin:/usr/bin:/bin}

# The user's shell is the same as outside, where it is visible.
sees_shell() {
  [[ ${SHELL-} == /+([[:alnum:]_./+-]) && -f $SHELL && -x $SHELL ]] || return 1
  [[ $SHELL != */@(nologin|false) ]] || return 1
  REPLY=$SHELL
  [[ ! -L $SHELL || $SHELL == /?(usr/)bin/* ]] || follow "$SHELL"
  shown "$SHELL" && shown "$REPLY"
}
word=/bin/sh
if sees_shell; then
  shell=$SHELL word=$SHELL
  set_variables=("SHELL=$SHELL" "${set_variables[@]}")
fi
if [[ $accounts == yes ]]; then
  feed "$user:x:$UID:${GROUPS[0]}::${home_at:-$HOME}:$word"
  mounts+=(--ro-bind-data "$fd" "$accounts_at/passwd")
  feed "$user:x:${GROUPS[0]}:"
  mounts+=(--ro-bind-data "$fd" "$accounts_at/group")
fi

# bwrap gets the command's environment and nothing else, since it can be read inside. No value
# stands in an argument list, where other users of the host could see it.
mapfile -d '' -t inherited </proc/self/environ
outer=${BWRAPGEN-} # the sandbox around this one
plumbing+=(--unsetenv _)
if ! export -n -- "${inherited[@]%%=*}" OLDPWD PWD SHLVL 2>/dev/null; then
  for name in "${inherited[@]%%=*}"; do # a function of the caller's has such a name
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ || -z $name ]] || plumbing+=(--unsetenv "$name")
  done
fi
# Who does not want to be counted, reported or updated does not want it inside, either.
words='DO_NOT_TRACK|TELEMETRY|ANALYTICS|SEND_METRICS|DISABLE_METRICS|AUTO_?UPDATE|UPDATE_NOTIFIER'
words+='|CRASH_REPORT|ERROR_REPORT|NONESSENTIAL|CHECKPOINT_DISABLE'
if [[ ${inherited[*]%%=*} =~ $words ]]; then
  for name in "${inherited[@]%%=*}"; do
    [[ $name =~ ^[A-Z][A-Z0-9_]+$ && $name =~ $words ]] || continue
    [[ ${!name} != @([01]|[Tt]rue|[Ff]alse|yes|no|on|off) ]] || pass+=" $name"
  done
fi
[[ -z ${XDG_RUNTIME_DIR-}$sockets ]] || set_variables+=("XDG_RUNTIME_DIR=$runtime")
# shellcheck disable=SC2163,SC2086 # it is a list of names
export -- HOME $pass USER="$user" LOGNAME="$user" BWRAPGEN="$self" "${set_variables[@]}"
export -n LC_ALL
[[ $locale_inside != caller ]] || locale_inside=$locale
for word in "${set_in_project[@]}"; do
  export "${word%%=*}=$project${word#*=}"
done
