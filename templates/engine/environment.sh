# --- environment
# Passes through the variables that the policy lists, and no others. Makes an account for the user.
# Reads: command, directories, pass, program_paths, set_variables, spelled, wanted.
# Sets: search, shell.

# PATH is the caller's, followed by directories of the toolchains that the sandbox shows.
search=$caller_path
for ((i = ${#program_paths[@]} - 1; i >= 0; i--)); do # the last of several versions comes first
  path=${program_paths[i]}
  [[ ! -x $path/ || :$search: == *":$path:"* ]] || search+=${search:+:}$path
done
[[ $path_inside == caller ]] || search=$path_inside
search=${search:-/usr/local/bin:/usr/bin:/bin}

# Warns if the sandbox does not show a program under this name. HOME may lead through symbolic
# links, which exist inside as well.
tell_outside() { # PROGRAM
  local path=${1/#"$spelled"/"$home"}
  if [[ $path != "$project"/* ]] && ! shown "$path"; then
    say "warning: the sandbox does not show $1; to use it inside, add it to toolchains.use or \
filesystem.read"
    [[ $1 != /snap/bin/* ]] || say "hint: snaps need snapd; show /snap in the profile, and run the \
program in /snap/${1##*/}/current instead"
  fi
}
for name in $wanted; do # another version might run unnoticed
  if [[ $action == @(run|shell) ]] && find_program "$name"; then tell_outside "$REPLY"; fi
done

# The user's shell is the same as outside, if it is visible.
sees_shell() {
  [[ ${SHELL-} == /+([[:alnum:]_./+-]) && -f $SHELL && -x $SHELL ]] || return 1
  [[ $SHELL != */@(nologin|false) ]] || return 1
  REPLY=$SHELL
  [[ ! -L $SHELL || $SHELL == /?(usr/)bin/* ]] || follow "$SHELL"
  shown "$SHELL" && shown "$REPLY"
}
shell=bash login_shell=/bin/sh
if sees_shell; then
  shell=$SHELL login_shell=$SHELL
  set_variables=("SHELL=$SHELL" "${set_variables[@]}")
fi
if [[ $accounts == yes ]]; then
  feed "$user:x:$UID:${GROUPS[0]}::${home_at:-$HOME}:$login_shell"
  mounts+=(--ro-bind-data "$fd" "$accounts_at/passwd")
  feed "$user:x:${GROUPS[0]}:"
  mounts+=(--ro-bind-data "$fd" "$accounts_at/group")
fi

# bwrap gets the command's environment and nothing else, because the command can read the
# environment of bwrap. Values are never arguments, which other users of this machine can see.
mapfile -d '' -t inherited </proc/self/environ
outer=${BWRAPGEN-} # the launcher of the sandbox that this one runs in, if any
plumbing+=(--unsetenv _)
if ! export -n -- "${inherited[@]%%=*}" OLDPWD PWD SHLVL 2>/dev/null; then
  for name in "${inherited[@]%%=*}"; do # an exported function has another kind of name
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ || -z $name ]] || plumbing+=(--unsetenv "$name")
  done
fi
# Settings of git for the command. Garbage collection in the background would be killed with the
# sandbox, and leave locks behind.
count=${GIT_CONFIG_COUNT-}
[[ $pass == *[[:space:]]GIT_CONFIG_COUNT[[:space:]]* && $count =~ ^[0-9]{1,3}$ ]] || count=0
for name in "${!GIT_CONFIG_VALUE_@}"; do
  if [[ ${!name} =~ ://[^/[:space:]]*@|[Aa]uthorization: ]]; then
    say "$name contains credentials: the settings of git in GIT_CONFIG_COUNT are not passed through"
    unset "$name"
    count=0
  fi
done
for word in gc.autoDetach=false "${git_settings[@]}"; do
  set_variables+=("GIT_CONFIG_KEY_$count=${word%%=*}" "GIT_CONFIG_VALUE_$count=${word#*=}")
  ((++count))
done
set_variables+=("GIT_CONFIG_COUNT=$count")
[[ -z ${XDG_RUNTIME_DIR-}$sockets ]] || set_variables+=("XDG_RUNTIME_DIR=$runtime")
# shellcheck disable=SC2163,SC2086 # it is a list of names
export -- HOME $pass USER="$user" LOGNAME="$user" BWRAPGEN="$self" "${set_variables[@]}"
export -n LC_ALL
[[ $locale_inside != caller ]] || locale_inside=$locale
for word in "${set_in_project[@]}"; do
  export "${word%%=*}=$project${word#*=}"
done
