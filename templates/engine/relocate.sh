# --- relocate
# Gives the project or home another path inside than on the host.
# Reads: project_at, home_at, elsewhere. Sets: mounts, closing, cwd, search.

# A repository elsewhere, as that of a linked worktree, keeps its path: .git names it.
translate() { # PATH: sets REPLY to where a path of the host is inside
  REPLY=$1
  case $1/ in
    "$project"/*) REPLY=${project_at:-$project}${1#"$project"} ;;
    "${elsewhere:-/}"/*) ;;
    "$home"/*) REPLY=${home_at:-$home}${1#"$home"} ;;
    "$spelled"/*) REPLY=${home_at:-$spelled}${1#"$spelled"} ;;
  esac
}

# Translates the last argument of each option of bwrap, which is the mount point, and both arguments
# of --symlink. The system's mounts come first and stay as they are.
relocate() {
  local i word next flag='' begun=''
  for ((i = 0; i < ${#mounts[@]}; i++)); do
    word=${mounts[i]} next=${mounts[i + 1]---}
    if [[ $word == --* ]]; then
      flag=$word
    elif [[ -n $begun && ($flag == --symlink || ($next == --* && $flag != --overlay-src)) ]]; then
      translate "$word"
      if [[ "${mounts[i - 1]} $word" != /dev/null*/.git ]]; then
        mounts[i]=$REPLY
      fi
    elif [[ $flag == --dir && $word == "$runtime" ]]; then # the last of the system's
      begun=yes
    fi
  done
  for i in "${!closing[@]}"; do
    translate "${closing[i]}"
    closing[i]=$REPLY
  done
  translate "$cwd"
  cwd=$REPLY
}
finish+=(relocate)

# Variables and PATH name paths inside.
for name in HOME $pass "${set_variables[@]%%=*}" "${set_in_project[@]%%=*}"; do
  [[ -v $name && $name != LC_ALL ]] || continue # LC_ALL is the launcher's
  translate "${!name}"
  export "$name=$REPLY"
done
IFS=: read -r -a directories <<<"$search"
search=''
for name in "${directories[@]}"; do
  translate "$name"
  search+=${search:+:}$REPLY
done
