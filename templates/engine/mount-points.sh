# --- mount-points
# Finds where a mount for a path belongs.
# Reads: base, bounded, home, home_mode, links.

# Sets REPLY to it. bwrap cannot mount on a symbolic link: links in the host's root and in what the
# command can write lead on, and so do those that the launcher creates.
stand() { # PATH
  local i root=$base
  case $1 in
    @($bounded)/*) root=host ;;
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
