# --- paths
# Checks where variables and symlinks lead, before anything there is created, read or mounted.
# Reads: project, elsewhere, home, base, home_mode, links, open_places, writable_places.
# Sets: opened, bounds, visible.

# Sets REPLY to a path without symlinks, whether or not it exists.
resolve() { # PATH
  local path=$1 rest=''
  until cd -P -- "${path:-/}" 2>/dev/null; do
    if [[ -L $path ]]; then # to a file, or dangling
      REPLY=$(readlink -m -- "$1") || :
      return
    fi
    rest=/${path##*/}$rest
    path=${path%/*}
  done
  REPLY=$PWD$rest
  REPLY=/${REPLY##+(/)} # bash leaves two slashes at the beginning
}

# Reports whether a place may contain credentials or sockets, so that the command must not see it
# unless the policy names it.
is_closed() { # PLACE
  if [[ $home/ == "${1%/}"/* ]]; then
    return 0
  elif [[ $1/ == @("$project"|"${elsewhere:-$project}"|$opened)/* ]]; then
    return 1
  elif [[ $1/ == @("$home"|/root)/?* ]]; then
    [[ $1/ == @("$home"|/root)/@(.*|snap)/* ]] \
      && [[ $1/ != @("$home"|/root)/.@(agents|cache|dotfiles)/?* ]]
  elif [[ $1/ == /@(boot|etc|var/@(db|lib|run|snap|spool))/* ]]; then
    ! shown "$1"
  else
    [[ $1/ == @(/root/|/@(dev|proc|run|sys)/*) ]]
  fi
}

# Reports whether the command could have created a symlink on the way to a place outside of where
# it can write. A symlink that was there when the launcher was generated is in open_places.
escapes() { # PATH PLACE
  local path=$1 root REPLY=''
  [[ $1 != "$2" && $2 != @($opened) ]] || return 1
  while path=${path%/*} && [[ -n $path ]]; do
    resolve "$path"
    for root in "${bounds[@]}"; do
      [[ $REPLY/ != "$root"/* || $2/ == "$root"/* ]] || return 0
    done
  done
  return 1
}

# Reports whether the command may see what a path leads to, and sets REPLY to that place.
may_show() { # PATH
  resolve "$1"
  # What /proc/self leads to is different for each process.
  [[ $1 != /proc/* ]] && ! is_closed "$REPLY" && ! escapes "$1" "$REPLY"
}

# Sets REPLY to where a path leads, and stops the launcher if the command must not see that. Fails
# for a path that begins with an unset variable.
check_path() { # PATH
  [[ $1 == /* && $1 != /proc/nonexistent* ]] || return 1
  may_show "$1" || die "refusing $1: a variable or a symlink leads to $REPLY" \
    "choose another place, or name this one in the profile and generate the launcher again"
}

# Sets REPLY to where a mount for a path belongs. bwrap cannot mount on a symlink: those in the
# host's root and in the project lead on, and so do those that the launcher creates.
stand() { # PATH
  local i root=$base
  case $1 in
    "$project"/*) root=host ;;
    "$home"/*) [[ $home_mode == host ]] || root=none ;;
    /tmp/* | /var/tmp/* | /run/* | /dev/*) root=none ;;
  esac
  if [[ $root == host ]]; then
    resolve "$1"
    return
  fi
  REPLY=$1
  for ((i = 0; i < ${#links[@]}; i += 2)); do
    [[ $1 != "${links[i]}"/* ]] || REPLY=${links[i + 1]}${1#"${links[i]}"}
  done
}

opened=/nonexistent visible=/nonexistent # patterns
for path in "${open_places[@]}"; do
  opened+="|${path//[^a-zA-Z0-9_.\/-]/?}"
done
bounds=("$project")
for path in "${writable_places[@]}"; do
  cd -P -- "$path" 2>/dev/null || continue
  refuse_wide "$PWD" "$path" "correct the variable or the symlink, or name what is needed below it"
  bounds+=("$PWD")
done
cd -- "$cwd"
