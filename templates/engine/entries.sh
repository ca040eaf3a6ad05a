# --- entries
# Mounts what the profile lists outside the project, parents before children.
# Reads: bounded, entries, inside, read_in_project, project, project_access, base, home_mode, state.
# Sets: mounts, in_project.

# Reports whether an entry can be mounted. A required one that cannot ends the launcher.
is_mountable() { # FLAG SOURCE TARGET
  local key='write' path=$2 what=''
  case $1 in
    --symlink) return ;;
    --ro-bind*) key='read' ;;
    --tmpfs*) key=empty ;;
  esac
  if [[ $1 == --tmpfs* || -e $2 ]]; then
    ! has_mount_point "$@" || return 0
    path=$3 what=' to mount something on'
  fi
  [[ $1 != *-try ]] || return 1
  key+="; write ${path/#"$project"/.}? there if it is optional"
  die "there is no $path$what" "the profile names it in filesystem.$key"
}

# Reports whether something can be mounted there. bwrap creates mount points, but cannot do so in
# the host's root, and in the project it would do so on the host.
has_mount_point() { # FLAG SOURCE TARGET
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

# Refuses a project that an entry of the profile would cover.
refuse_project() { # FLAG SOURCE TARGET
  if [[ $1 == --ro-bind* && $2 == "$3" ]]; then
    [[ $project_access == read || ! $2 -ef $project ]] \
      || die "refusing to share $project: the profile lists it as read-only" \
        'write project.access = "read", or start it elsewhere'
  elif [[ $3 == "$project" && $1 != --bind* ]]; then
    die "refusing to share $project: the profile mounts something else there" \
      "start it in a project below, or elsewhere"
  fi
}

# Entries in the project are mounted later, so that the most specific path wins.
mount_entries() { # FLAG SOURCE TARGET...; the flag pin: the directory cannot be renamed
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
    elif is_mountable "$flag" "$source" "$target"; then
      refuse_project "$flag" "$source" "$target"
      mount_entry "$flag" "$source" "$target"
    fi
  done
}
mount_entry() { # FLAG SOURCE TARGET
  REPLY=$3
  if [[ $1 == --symlink ]]; then
    mounts+=("$@")
    return
  fi
  stand "$3"
  [[ ! -L $3 || $3 != @($bounded)/* ]] \
    || say "warning: $3 is a symbolic link: only its target is protected"
  if [[ $1 == --tmpfs* ]]; then
    mounts+=(--tmpfs "$REPLY")
    return
  fi
  mounts+=("${1%-try}" "$2" "$REPLY")
  show "$3"
  if [[ $1 == --bind* ]]; then
    hold_own "$2" "$REPLY"
  elif cd -P -- "$2" 2>/dev/null && [[ $PWD != "$REPLY" && $state/ == "$PWD"/* && -d $state ]]; then
    mounts+=(--tmpfs "$REPLY${state#"$PWD"}") # the stores would be visible by another name
  fi
}
mount_entries "${entries[@]}" "${inside[@]}"
for path in "${read_in_project[@]}"; do # in the host's root, everything else is read-only anyway
  refuse_project --ro-bind "$path" "$path"
  [[ $path != "$project"/* ]] || in_project+=(--ro-bind-try "$path" "$path")
done
