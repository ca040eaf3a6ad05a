# Part apply: what the host gets of the changes in a layer.
# shellcheck disable=SC2034,SC2154,SC2206 # other parts and the policy set and use these

# Sets REPLY to why the host is not to have a change, or to nothing.
forbid() { # NAME
  local kind=${kinds[$1]} at=$view/$1 path=$root/${1#./} place
  REPLY=''
  if [[ ${kinds[${1%/*}]-} != @(added|type) ]]; then # nothing of the host's is in the way there
    [[ $action == force ]] || forbid_newer "$1"
    forbid_place "$path"
  fi
  [[ $kind == deleted || -L $at || -d $at || -f $at ]] || REPLY='it is no file, directory or link'
  [[ -L $at || ! -f $at || ! -u $at && ! -g $at ]] || REPLY='it would be set-user-ID'
  [[ $kind != closed ]] || REPLY='what is in it cannot be read'
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
forbid_place() { # PATH
  local place=$1
  [[ ! -e ${1%/*}/.bwrapgen-apply && $1 != */.bwrapgen-apply ]] \
    || REPLY='.bwrapgen-apply is in its way'
  while place=${place%/*} && [[ $place == "$root"/* ]]; do
    [[ -d $place && ! -L $place ]] || REPLY="${place@Q} is not a directory"
  done
}
# The host has changed it, removed it or put it there since the run began that changed it first.
forbid_newer() { # NAME
  local above=$1 note=(${noted[$1]-}) now
  if [[ ${kinds[$1]} == added ]]; then
    [[ ${note[0]-none} == none ]] \
      || REPLY='the host has removed it meanwhile; --sandbox-force brings it back'
    return
  fi
  while [[ -z ${note[0]-} && $above == */* ]]; do
    above=${above%/*}
    note=(${noted[$above]-})
  done
  now=(${had[$above]-})
  if [[ -n ${now[1]-} && ${now[1]} == "${note[0]-}" ]]; then
    case ${kinds[$1]}:${now[0]} in
      mode:4*) [[ ${now[0]} != "${note[1]}" ]] || return 0 ;;
      *:4*) [[ -n $(find "$root/$1" -newerct "@${note[2]}" -print -quit) ]] || return 0 ;;
      *) [[ ${now[2]} > ${note[2]} ]] || return 0 ;;
    esac
  fi
  REPLY='the host has changed it since; --sandbox-force takes it anyway'
}
# What git outside would believe, run, or write through.
forbid_git() { # PATH FILE KIND
  local in_git='' settings='/@(hooks|config|config.worktree|commondir|gitdir)?(/*)'
  [[ ${1#"$project"} != */.git/* ]] || in_git=/${1##*/.git/}
  [[ $1 != "$repository"/* ]] || in_git=${1#"$repository"}
  if [[ $in_git == ?(/@(modules|worktrees)/*)$settings && $in_git != */@(refs|logs)/* ]]; then
    REPLY='it is protected'
  elif [[ $3 == deleted ]]; then
    return
  elif [[ $1 == "$repository" && (-L $2 || ! -d $2) ]]; then
    REPLY='git would take what is elsewhere for the repository'
  elif [[ $1 == "$project"/.git && $repository == "$project" ]]; then
    REPLY='git would take it for the repository'
  elif [[ $1 == "$project"/HEAD && $repository != "$project" ]]; then
    REPLY='git would take the project for a repository'
  elif [[ -L $2 && $1 == "$repository"/* && $repository != "$project" && $in_git != /HEAD ]]; then
    REPLY='git would write through this link'
  fi
}
# Reports whether a file is an index of git. An index can name ../x or .git/hooks/x, and git restore
# would write that file, so the host keeps its own. A branch may be named index, too.
is_index() { # NAME
  local start='' file=$view/$1
  [[ $1 == */@(index|sharedindex.*) && ($1 == */.git/* || $root == "$repository") ]] || return 1
  [[ -e $file || -L $file ]] || file=$root/$1 # it was deleted
  [[ -f $file && ! -L $file ]] || return 1
  IFS= read -r -N 4 start <"$file" || :
  [[ $start == DIRC ]]
}

# Takes changes over; what lies deeper comes first. A new directory comes as a whole.
apply() {
  local i name parent aside
  local -A taken=()
  for name in "${changes[@]}"; do
    parent=${name%/*}
    ! is_index "$name" || continue
    forbid "$name"
    if [[ ${kinds[$parent]-} == @(added|type) && -z ${taken[$parent]-} ]]; then
      [[ $REPLY != 'it is protected' ]] || continue # it was said of the directory
      REPLY='its directory is not applied'
    fi
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
  leave_indexes
}
# Removes the index from the layer, so that the sandbox sees the one that git outside makes.
leave_indexes() {
  local name text
  for name in "${changes[@]}"; do
    is_index "$name" || continue
    printf -v text %q "$root/${name#./}"
    say "not applied: $text: after a commit inside, run git reset in its work tree"
    rm -f -- "$layer/$name"
  done
}
refuse() { # NAME, and the reason in REPLY
  local text
  printf -v text 'not applied: %q: %s' "$root/${1#./}" "$REPLY"
  say "$text"
  failed=3
}
# What is new is made ready beside its place and comes there by one rename: whenever a kill comes, a
# path is the old one or the new one. The next review removes what lies aside then.
take() { # NAME FROM TO
  local name
  if [[ ${kinds[$1]} == mode && -d $2 ]]; then
    chmod --reference="$2" -- "$3"
  elif [[ ${kinds[$1]} == deleted ]]; then
    mv -T -- "$3" "$aside"
  else # a list of who may read it can name users that are not known here
    cp -aT -- "$2" "$aside" \
      || cp -dRT --preserve=links,timestamps --remove-destination -- "$2" "$aside" || return
    for name in "${names[@]}"; do # what is refused, or was not asked for
      [[ -d $2 && $name == "$1"/* && -z ${taken[$name]-} ]] || continue
      erase "$aside/${name#"$1"/}" || return
    done
    if [[ (-d $2 || -d $3) && (-e $3 || -L $3) ]]; then
      swap "$aside" "$3"
    else
      mv -fT -- "$aside" "$3"
    fi
  fi
}
swap() { # PATH PATH: only renameat2(2) does, and mv knows it since coreutils 9.5
  local number=276
  [[ ${BASH_VERSINFO[5]} != x86_64-* ]] || number=316
  REPLY='neither mv(1) nor perl(1) can put it there at once; remove it, and use --sandbox-force'
  mv --exchange -T -- "$1" "$2" 2>/dev/null \
    || perl -e 'exit(0 != syscall(shift() + 0, -100, $ARGV[0], -100, $ARGV[1], 2))' \
      "$number" "$1" "$2" 2>/dev/null
}

# Removes from the layer what is no change. A directory that hides the host's goes as a whole or
# stays: what is not in it would seem deleted. The kernel gives one link to any other one.
prune() {
  local name above all gone=()
  local -A telling=(['.']=yes) merged=(['.']=yes)
  find_telling
  for name in "${names[@]}"; do
    above=${name%/*}
    [[ -z ${telling[$name]-} && -n ${telling[$above]-} ]] || continue
    all=(${has[$above]-})
    : "${merged[$above]:=${all[3]-}:$(stat -c %h -- "$layer/$above")}"
    [[ ${merged[$above]} == @(yes|1:[2-9]*) ]] || continue
    if [[ -d $layer/$name && ! -L $layer/$name ]]; then # by a rename: a part of it hides the rest
      # One that was killed may have left another.
      erase "${layer%upper}dropped"
      mv -T -- "$layer/$name" "${layer%upper}dropped" && erase "${layer%upper}dropped"
    else
      gone+=("$layer/$name")
    fi
  done
  ((${#gone[@]} == 0)) || printf '%s\0' "${gone[@]}" | xargs -0 rm -f --
  keep_notes
}
find_telling() { # sets telling to what tells of changes, and what lies above
  local name
  for name in "${names[@]}"; do
    [[ ${kinds[$name]} != @(|touched) ]] || continue
    [[ $action:${kinds[$name]} != refresh:stale || $root == @("$project"|"$repository") ]] \
      || continue
    while [[ -z ${telling[$name]-} ]]; do
      telling[$name]=yes
      name=${name%/*}
    done
  done
}
keep_notes() { # of what tells of changes
  local name
  for name in "${!noted[@]}"; do
    [[ -z ${telling[$name]-} ]] || printf '%s\0%s\0' "$name" "${noted[$name]}"
  done >"${layer%upper}noted"
}
