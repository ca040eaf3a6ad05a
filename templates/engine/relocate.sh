# --- relocate
# The project or home stands elsewhere inside than on the host.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

# Sets REPLY to where a path of the host stands inside. A repository elsewhere is where .git says.
place() { # PATH
  REPLY=$1
  case $1/ in
    "$project"/*) REPLY=${project_at:-$project}${1#"$project"} ;;
    "${elsewhere:-/}"/*) ;;
    "$home"/*) REPLY=${home_at:-$home}${1#"$home"} ;;
    "$spelled"/*) REPLY=${home_at:-$spelled}${1#"$spelled"} ;;
  esac
}

# What follows the system's mounts is placed: the last word of each flag, which says where a mount
# stands, and what a link leads to.
relocate() {
  local i word next flag='' begun=''
  for ((i = 0; i < ${#mounts[@]}; i++)); do
    word=${mounts[i]} next=${mounts[i + 1]---}
    if [[ $word == --* ]]; then
      flag=$word
    elif [[ -n $begun && ($flag == --symlink || ($next == --* && $flag != --overlay-src)) ]]; then
      place "$word"
      [[ "${mounts[i - 1]} $word" == /dev/null*/.git ]] || mounts[i]=$REPLY
    elif [[ $flag == --dir && $word == "$runtime" ]]; then # the last of the system's
      begun=yes
    fi
  done
  for i in "${!closing[@]}"; do
    place "${closing[i]}"
    closing[i]=$REPLY
  done
  place "$cwd"
  cwd=$REPLY
}
finish+=(relocate)

# Variables and PATH name what is inside.
for name in HOME $pass "${set_variables[@]%%=*}" "${set_in_project[@]%%=*}"; do
  [[ -v $name && $name != LC_ALL ]] || continue # that one is the launcher's
  place "${!name}"
  export "$name=$REPLY"
done
IFS=: read -r -a directories <<<"$search"
search=''
for name in "${directories[@]}"; do
  place "$name"
  search+=${search:+:}$REPLY
done
