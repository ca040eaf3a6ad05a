# --- mount-points
# Finds where a mount for a path belongs.
# Reads: base, bounded, home, home_mode, links.

# Sets REPLY to it. bwrap cannot mount on a symbolic link: links in the host's root and in what the
# command can write lead on, and so do those that the launcher creates.
stand() { # PATH
  local i root=$base
  if [[ $1 == @($bounded)/* ]]; then
    root=host
  elif [[ $1 == "$home"/* ]]; then
    [[ $home_mode == host ]] || root=none
  elif [[ $1 == /@(tmp|var/tmp|run|dev)/* ]]; then
    root=none
  fi
  if [[ $root == host ]]; then
    resolve "$1"
    return
  fi
  REPLY=$1
  for ((i = 0; i < ${#links[@]}; i += 2)); do
    [[ $1 != "${links[i]}"/* ]] || REPLY=${links[i + 1]}${1#"${links[i]}"}
  done
}
