# --- links
# Where paths lead, and where they stand inside.

# Sets REPLY to where a path leads, if anybody can tell, and goes there or above it.
locate() { # PATH
  if cd -P -- "$1" 2>/dev/null; then
    REPLY=$PWD
  elif cd -P -- "${1%/*}/" 2>/dev/null; then
    REPLY=${PWD%/}/${1##*/}
    [[ ! -L $REPLY ]] || REPLY=$(readlink -f -- "$REPLY")
  else
    return 1
  fi
}

# Sets REPLY to where a mount for a path stands. No mount stands on a link: those of the host's
# root and of the project lead on, and so do those that the launcher makes.
stand() { # PATH
  local i root=$base
  case $1 in
    "$project"/*) root=host ;;
    "$home"/*) [[ $home_mode == host ]] || root=none ;;
    /tmp/* | /var/tmp/* | /run/* | /dev/*) root=none ;;
  esac
  if [[ $root == host ]] && locate "$1"; then
    return
  fi
  REPLY=$1
  for ((i = 0; i < ${#links[@]}; i += 2)); do
    [[ $1 != "${links[i]}"/* ]] || REPLY=${links[i + 1]}${1#"${links[i]}"}
  done
}

# Reports whether a link is on the way to a path in the project, and sets REPLY to it.
find_link() { # PATH
  REPLY=$1/
  while REPLY=${REPLY%/*} && [[ $REPLY == "$project"/* ]]; do
    [[ ! -L $REPLY ]] || return 0
  done
  return 1
}
