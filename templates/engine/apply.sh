# --- apply
# Applies the changes in a layer to the host's directory, except what is refused.
# Reads: changes, folders, had, has, kinds, layer, names, noted, patterns, project, repository,
# root, safe, store, view. Sets: failed.

# Sets REPLY to the reason why a change is refused, or to nothing.
forbid() { # NAME
  local kind=${kinds[$1]} at=$view/$1 path=$root/${1#./} place
  REPLY=''
  # To replace a file with a directory takes two renames, and a kill in between leaves neither.
  if [[ $kind == type && ${had[$1]::1}${has[$1]::1} == *4* ]]; then
    REPLY='a directory would replace a file, or a file a directory; remove the old one first'
  fi
  if [[ ${kinds[${1%/*}]-} != @(added|type) ]]; then # the host has the directory that contains it
    forbid_newer "$1"
    place=$path
    while place=${place%/*} && [[ $place == "$root"/* ]]; do
      [[ -d $place && ! -L $place ]] || REPLY="${place@Q} is not a directory"
    done
    [[ ! -e ${path%/*}/.bwrapgen-apply && $path != */.bwrapgen-apply ]] \
      || REPLY='.bwrapgen-apply is in its way'
  fi
  [[ $kind == deleted || -L $at || -d $at || -f $at ]] \
    || REPLY='it is not a regular file, directory or symbolic link'
  [[ -L $at || ! -f $at || ! -u $at && ! -g $at ]] || REPLY='it would be set-user-ID'
  [[ $kind != closed ]] || REPLY='it cannot be read'
  for place in "${safe[@]}"; do
    [[ $path/ != "$place"/* ]] || REPLY='it is protected'
    [[ $place != "$path"/* || $kind != @(deleted|type) ]] \
      || REPLY="the protected ${place@Q} lies in it"
  done
  for place in "${folders[@]}"; do
    [[ $path != "$place"/* || ${path#"$place"/} != @($patterns)?(/*) ]] || REPLY='it is protected'
  done
  [[ $path/ != @("$project"|"$repository")/* ]] || forbid_git "$path" "$at" "$kind"
}
# Refuses a file that the host changed, removed or created since the first run to change it began.
forbid_newer() { # NAME
  local above=$1 kind=${kinds[$1]} note now
  while [[ -z ${noted[$above]-} && $kind != added && $above == */* ]]; do above=${above%/*}; done
  note=(${noted[$above]-none none}) now=(${had[$above]-none none})
  if [[ ${note[1]} == "${now[1]}" ]]; then
    case $kind:${now[0]} in
      *:none) return ;;
      mode:4*) [[ ${now[0]} != "${note[0]}" ]] || return 0 ;;
      *:4*) [[ -n $(find "$root/$1" -newerct "@${note[2]}" -print -quit 2>&1) ]] || return 0 ;;
      *) [[ ${now[2]} > ${note[2]} ]] || return 0 ;;
    esac
  elif [[ $kind == added && ${note[0]::1}${has[$1]::1} == @(4[!4]|[!4]4) ]]; then
    return # the user removed what this could not replace
  fi
  REPLY="the host changed it since; see --sandbox-diff, then discard or change the host's by hand"
}
# Refuses a file that git outside would trust, run, or write through.
forbid_git() { # PATH FILE KIND
  local in_git='' settings='/@(hooks|config|config.worktree|commondir|gitdir)?(/*)'
  [[ ${1#"$project"} != */.git/* ]] || in_git=/${1##*/.git/}
  [[ $1 != "$repository"/* ]] || in_git=${1#"$repository"}
  if [[ $in_git == ?(/@(modules|worktrees)/*)$settings && $in_git != */@(refs|logs)/* ]]; then
    REPLY='it is protected'
  elif [[ $3 == deleted ]]; then
    return
  elif [[ $1 == "$repository" && (-L $2 || ! -d $2) ]]; then
    REPLY='git would use a repository elsewhere'
  elif [[ $1 == "$project"/.git && $repository == "$project" ]]; then
    REPLY='git would use it as the repository'
  elif [[ $1 == "$project"/HEAD && $repository != "$project" ]]; then
    REPLY='git would use the project as a repository'
  elif [[ -L $2 && $1 == "$repository"/* && $repository != "$project" && $in_git != /HEAD ]]; then
    REPLY='git would write through this link'
  fi
}
# Reports whether a file is an index of git. Git trusts it, so the host keeps its own. A branch may
# be called index, too.
is_index() { # NAME
  local start='' file=$view/$1
  [[ $1 == */@(index|sharedindex.*) && ($1 == */.git/* || $root == "$repository") ]] || return 1
  [[ -e $file || -L $file ]] || file=$root/$1 # it was deleted
  [[ -f $file && ! -L $file ]] || return 1
  IFS= read -r -N 4 start <"$file" || :
  [[ $start == DIRC ]]
}

# Applies the changes, the deepest first. A new directory is applied as a whole.
apply() {
  local i name parent aside
  local -A taken=()
  for name in "${changes[@]}"; do
    parent=${name%/*}
    if is_index "$name"; then
      REPLY='after a commit inside, run git reset in its work tree'
      refuse "$name" 0
      rm -f -- "$layer/$name"
      continue
    fi
    # Of a new directory that is refused, only its own name is printed.
    [[ ${kinds[$parent]-} != @(added|type) || -n ${taken[$parent]-} ]] || continue
    forbid "$name"
    [[ -z $REPLY ]] || refuse "$name"
    [[ -n $REPLY ]] || taken[$name]=yes
  done
  for ((i = ${#changes[@]} - 1; i >= 0; i--)); do
    name=${changes[i]} parent=${changes[i]%/*}
    [[ -n ${taken[$name]-} && ${kinds[$parent]-} != @(added|type) ]] || continue
    aside=$root/$parent/.bwrapgen-apply REPLY='the reason is above'
    printf %s "$aside" >"$store/pending"
    take "$name" "$view/$name" "$root/$name" || refuse "$name"
    [[ ! -e $aside && ! -L $aside ]] || erase "$aside" || return 0 # the next review removes it
    : >"$store/pending"
  done
}
refuse() { # NAME [STATUS]: REPLY is the reason
  local text
  printf -v text 'not applied: %q: %s' "$root/${1#./}" "$REPLY"
  say "$text"
  failed=$((failed | ${2-3}))
}
# Copies a new file next to its destination and renames the copy, so that a kill leaves the old file
# or the new one. The next review removes the copy.
take() { # NAME FROM TO
  local name
  if [[ ${kinds[$1]} == mode && -d $2 ]]; then
    chmod --reference="$2" -- "$3"
  elif [[ ${kinds[$1]} == deleted ]]; then
    mv -T -- "$3" "$aside"
  else # without ACLs if one names a user that is unknown in this namespace
    cp -aT -- "$2" "$aside" \
      || cp -dRT --preserve=links,timestamps --remove-destination -- "$2" "$aside" || return
    for name in "${names[@]}"; do # remove what was refused or not selected
      [[ -d $2 && $name == "$1"/* && -z ${taken[$name]-} ]] || continue
      erase "$aside/${name#"$1"/}" || return
    done
    mv -fT -- "$aside" "$3"
  fi
}

# Removes files that are no longer a change from the layer, and notes on them. In a directory that
# hides the host's directory they stay, because the file would seem deleted without them. Other
# directories are merged: the kernel reports one link for those.
prune() {
  local name above all gone=() dropped=${layer%upper}dropped
  local -A telling=(['.']=yes) merged=(['.']=yes) # telling: changes, and what is above them
  for name in "${names[@]}"; do
    [[ -n ${kinds[$name]} ]] || continue
    while [[ -z ${telling[$name]-} ]]; do telling[$name]=yes name=${name%/*}; done
  done
  for name in "${names[@]}"; do
    above=${name%/*}
    [[ -z ${telling[$name]-} && -n ${telling[$above]-} ]] || continue
    all=(${has[$above]-})
    : "${merged[$above]:=${all[3]-}:$(stat -c %h -- "$layer/$above")}"
    [[ ${merged[$above]} == @(yes|1:[2-9]*) ]] || continue
    if [[ -d $layer/$name && ! -L $layer/$name ]]; then # at once: a part of it would hide the rest
      erase "$dropped"
      mv -T -- "$layer/$name" "$dropped" && erase "$dropped"
    else
      gone+=("$layer/$name")
    fi
  done
  ((${#gone[@]} == 0)) || printf '%s\0' "${gone[@]}" | xargs -0 rm -f --
  for name in "${!noted[@]}"; do
    [[ -z ${telling[$name]-} ]] || printf '%s\0%s\0' "$name" "${noted[$name]}"
  done >"${layer%upper}noted"
}
