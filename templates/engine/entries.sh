# Part entries: what the profile lists, parents before children.

# Reports whether an entry can be mounted. What has to be there, and is not, is refused.
mountable() { # FLAG SOURCE TARGET
  local key='write' path=$2 what=''
  case $1 in
    --symlink) return ;;
    --ro-bind*) key='read' ;;
    --tmpfs*) key=empty ;;
  esac
  if [[ $1 == --tmpfs* || -e $2 ]]; then
    ! has_place "$@" || return 0
    path=$3 what=' that something could stand at'
  fi
  [[ $1 != *-try ]] || return 1
  key+="; write ${path/#"$project/"/./}? there if it is optional"
  die "there is no $path$what" "the profile names it in filesystem.$key"
}

# Reports whether a mount has something to stand at. In the host's root bwrap could make nothing,
# and in the project it would make that on the host.
has_place() { # FLAG SOURCE TARGET
  local above=$3 all
  [[ $1 == --tmpfs* || $2 != "$3" ]] || return 0
  [[ ! -e $3 ]] || return 0
  [[ $3 != "$project"/* ]] || return 1
  [[ $base == host ]] || return 0
  all=" $system_mounts ${mounts[*]} "
  while above=${above%/*} && [[ -n $above ]]; do
    [[ $all != *" --tmpfs $above "* ]] || return 0
    [[ $all != *" $above $above "* ]] || return 1
  done
  [[ $home_mode != host && $3 == "$home"/* ]]
}

# Refuses a project that the profile shows in another way.
refuse_project() { # FLAG SOURCE TARGET
  if [[ $1 == --ro-bind* && $2 == "$3" ]]; then
    [[ $project_access == read || ! $2 -ef $project ]] \
      || die "refusing to share $project: the profile lists it as read-only" \
        'write project.access = "read", or start it elsewhere'
  elif [[ $3 == "$project" && $1 != --bind* ]]; then
    die "refusing to share $project: it is $3, which the profile shows otherwise" \
      "start it in a project below, or elsewhere"
  fi
}

# Mounts what is listed. What lies in the project is left for later, so that the most specific path
# wins whatever the project is.
mount_entries() { # FLAG SOURCE TARGET...; pin: it cannot be renamed
  local flag source target
  while (($#)); do
    flag=$1 source=$2 target=${3/#.\//"$project/"}
    shift 3
    [[ $flag == --symlink ]] || source=${source/#.\//"$project/"}
    [[ $target != /proc/nonexistent* ]] || continue
    if [[ $flag != --@(symlink|tmpfs)* && $source:$target != "$project"/*:"$source" ]]; then
      check_path "$source" || continue
    fi
    if [[ $flag == pin ]]; then
      stand "$target"
      [[ $target/ == "$project"/* || ! -e $source ]] || mounts+=(--ro-bind "$source" "$REPLY")
    elif [[ $target == "$project"/* ]]; then
      in_project+=("$flag" "$source" "$target")
    elif mountable "$flag" "$source" "$target"; then
      refuse_project "$flag" "$source" "$target"
      mount_entry "$flag" "$source" "$target"
    fi
  done
}
mount_entry() { # FLAG SOURCE TARGET
  REPLY=$3
  [[ $1 == --symlink ]] || stand "$3"
  if [[ $1 == --tmpfs* ]]; then
    mounts+=(--tmpfs "$REPLY")
    return
  fi
  mounts+=("${1%-try}" "$2" "$REPLY")
  [[ $1 != --symlink ]] || return 0
  show "$3"
  if [[ $1 == --bind* ]]; then
    hold_own "$2" "$REPLY"
  elif cd -P -- "$2" 2>/dev/null && [[ $PWD != "$REPLY" && $state/ == "$PWD"/* && -d $state ]]; then
    mounts+=(--tmpfs "$REPLY${state#"$PWD"}") # else it would be visible by another name
  fi
}

# Makes read-only what lies in something writable, and the host would run or believe. What is not
# there cannot be held: the command may make it, and it is moved aside at the end.
hold() { # PATH...
  local path
  for path; do
    [[ $path != /proc/nonexistent* ]] || continue
    if [[ ! -e $path && ! -L $path ]]; then
      [[ ! -x ${path%/*}/ ]] || ! cd -P -- "${path%/*}" || lacking+=("$PWD/${path##*/}")
      continue
    elif [[ $path == "$project"/* ]]; then
      in_project+=(--ro-bind "$path" "$path")
      continue
    fi
    check_path "$path" || continue
    if [[ -L $path ]]; then
      say "$path is a symbolic link: only what it leads to is protected"
      follow "$path"
      path=$REPLY
    fi
    [[ ! -p $path || $lacks != *--disable-userns* ]] \
      || die "refusing $path: it is a named pipe: bwrap may wait" "look at it, and remove it"
    stand "$path"
    [[ ! -e $path ]] || mounts+=(--ro-bind "$path" "$REPLY")
  done
}
mount_entries "${entries[@]}" "${inside[@]}"
hold "${held[@]}"
for path in "${read_in_project[@]}"; do # the host's root shows it elsewhere
  refuse_project --ro-bind "$path" "$path"
  [[ $path != "$project"/* ]] || in_project+=(--ro-bind-try "$path" "$path")
done
cd -- "$cwd"
