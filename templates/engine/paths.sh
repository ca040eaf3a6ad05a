# --- paths
# Decides whether the command may see what a variable or a symbolic link leads to.
# Reads: elsewhere, home, open_places, project, writable_places. Sets: bounded, bounds, opened.

# Sets REPLY to a path without symbolic links, whether or not it exists.
resolve() { # PATH
  local path=$1 rest=''
  until cd -P -- "${path:-/}" 2>/dev/null; do
    if [[ -L $path ]]; then # a link to a file, or to nothing
      REPLY=$(readlink -m -- "$1") || :
      return
    fi
    rest=/${path##*/}$rest
    path=${path%/*}
  done
  REPLY=$PWD$rest
  REPLY=/${REPLY##+(/)} # PWD may begin with two slashes
}
# Reports whether the command may see the place that a path leads to, and sets REPLY to it.
may_show() { # PATH
  local path=$1 place root above
  resolve "$path"
  place=$REPLY above=$REPLY
  [[ $path != /proc/* && $home/ != "${place%/}"/* ]] || return 1
  until [[ -z $above || -n ${opened[$above]-} ]]; do above=${above%/*}; done
  if [[ -n $above || $place/ == @("$project"|"${elsewhere:-$project}")/* ]]; then
    :                                              # the policy lists it
  elif [[ $place/ == "$home"/@(.*|snap)/* ]]; then # credentials and sockets
    [[ $place/ == "$home"/.@(agents|cache|dotfiles)/?* ]] || return 1
  elif [[ $place/ == /@(boot|dev|etc|proc|run|sys|var/@(db|lib|run|snap|spool))/* ]]; then
    shown "$place" || return 1
  fi
  # The command may have created a link where it can write. Targets of links that existed when the
  # launcher was generated are in open_places.
  while [[ $place != "$1" && $place != "$above" ]] && path=${path%/*} && [[ -n $path ]]; do
    resolve "$path"
    for root in "${bounds[@]}"; do
      if [[ $REPLY/ == "$root"/* && $place/ != "$root"/* ]]; then
        REPLY=$place
        return 1
      fi
    done
  done
  REPLY=$place
}
# Sets REPLY to the place that a path leads to, or stops the launcher. Fails for /proc/nonexistent,
# which the policy has in place of variables that are not set.
check_path() { # PATH
  [[ $1 == /* && $1 != /proc/nonexistent* ]] || return 1
  may_show "$1" || die "refusing $1: a variable or a symbolic link leads to $REPLY" \
    "choose another place, or name this one in the profile and generate the launcher again"
}
declare -A opened=()
for path in "${open_places[@]}"; do opened[$path]=yes; done
bounds=("$project")
for path in "${writable_places[@]}"; do
  cd -P -- "$path" 2>/dev/null || continue
  refuse_wide "$PWD" "$path" "correct the variable or the link, or name only what is needed in it"
  bounds+=("$PWD")
done
IFS='|'
bounded=${bounds[*]//[^a-zA-Z0-9_.\/-]/?} # a pattern
IFS=$' \t\n'
