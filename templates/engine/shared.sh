# --- shared
# Mounts directories that the host and the sandbox share, such as an agent's own. Names in them
# that tools outside would run or trust are read-only, and state of other sessions looks empty.
# Reads: shared_directories, project. Sets: mounts, in_project, lacking, link_folders.

shared_at='' shared_links=()
# Mounts a directory and goes there. Sets shared_at to its place inside; nothing: it does not exist.
enter_shared() { # KIND DIRECTORY
  shared_at=''
  check_path "$2" || return 0
  [[ $1 != create ]] || create_directories "$2"
  if [[ ! -e $2 ]]; then
    [[ $1 != write ]] || die "there is no $2" "the profile names it in filesystem.write; create it"
    return
  fi
  stand "$2"
  shared_at=$REPLY
  cd -P -- "$2" 2>/dev/null \
    || die "cannot enter $2" "the profile shares it: it must be a directory of yours"
  [[ $PWD/ != "$project"/* && $2/ != "$project"/* ]] \
    || die "refusing to share $project: it contains $2, which the profile shares" \
      "start it elsewhere, or let the variable that names the directory lead elsewhere"
  mounts+=(--bind "$PWD" "$shared_at")
  show "$shared_at"
  hold_own "$PWD" "$shared_at"
  cd -P -- "$2"
}
# Makes a name in the current directory read-only. An absent one can be created inside: then it is
# moved aside on exit.
protect_name() { # NAME
  local path=$PWD/$1 at=$shared_at/$1
  if [[ -L $path ]]; then
    say "warning: $path is a symbolic link: only its target is protected"
    shared_links+=("$path")
    follow "$path"
    path=$REPLY at=${REPLY/#"$PWD"/"$shared_at"}
    [[ $path != "$project"/* ]] || in_project+=(--ro-bind "$path" "$path")
    [[ $path == "$PWD"/* ]] || return 0 # the profile has to show it
  elif [[ ! -e $path ]]; then
    lacking+=("$path")
    return
  fi
  [[ ! -p $path || $lacks != *--disable-userns* ]] \
    || die "refusing $path: it is a named pipe, at which bwrap may wait forever" "remove it"
  mounts+=(--ro-bind "$path" "$at")
}
# A directory above a read-only name cannot be renamed while a mount is on it, hidden by a second
# mount of the shared directory.
pin_directories() { # NAME...
  local name
  for name; do
    [[ ! -e $name ]] || mounts+=(--ro-bind "$PWD/$name" "$shared_at/$name")
  done
  mounts+=(--bind "$PWD" "$shared_at")
  hold_own "$PWD" "$shared_at"
}
share_names() { # KIND NAME...
  local kind=$1 name
  shift
  for name; do
    [[ $kind != @(pins|empty) || ! -L $name ]] \
      || die "refusing $PWD/$name: it is a symbolic link to $(readlink -- "$name")" \
        "replace it by a directory"
  done
  case $kind in
    pins) pin_directories "$@" ;;
    folders | links | empty) create_directories "$@" ;;
    'file '*) for name; do create_file "$name" "${kind#file }"$'\n'; done ;;
  esac
  [[ $kind != links ]] || link_folders+=("${@/#/"$PWD/"}")
  for name; do
    case $kind in
      pins) ;;
      empty) [[ ! -d $name ]] || mounts+=(--tmpfs "$shared_at/$name") ;;
      *) protect_name "$name" ;;
    esac
  done
}
for ((i = 0; i < ${#shared_directories[@]}; i += 2)); do
  if [[ ${shared_directories[i]} == @(create|write|write-try) ]]; then
    enter_shared "${shared_directories[@]:i:2}"
  elif [[ -n $shared_at ]]; then
    share_names "${shared_directories[i]}" ${shared_directories[i + 1]}
  fi
done
cd -- "$cwd"
# Refuses links to what the sandbox does not show otherwise: a command could have planted them, to
# read more at the next start.
check_links() {
  local path
  for path in "${shared_links[@]}"; do
    follow "$path"
    shown "$REPLY" || die "refusing $path: it leads to $REPLY, which the sandbox does not show" \
      "name that in filesystem.read, or generate the launcher again here"
  done
}
finish+=(check_links)
