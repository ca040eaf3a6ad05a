# Part hide: an empty file or directory stands there, and cannot be changed.

# What the profile shows below something hidden is shown: the most specific path wins.
[[ $reveals_project != yes ]] || revealed+=("$project" ${elsewhere:+"$elsewhere"})
for path in "${revealed[@]}"; do
  path=${path/#.\//"$project/"}
  [[ $path == /* ]] || continue
  revealed+=("$path")
  resolve "$path"
  revealed+=("$REPLY")
done

# Mounts an empty directory: before what is listed below it, and after what lies above, or in the
# project below and is not listed.
mask() { # PATH
  local word flag='' at='' root listed place=${#mounts[@]} start=0 i=0 below=()
  for root in "${revealed[@]}"; do
    [[ $root != "$1"/* ]] || below+=("$root")
  done
  for word in ${below:+"${mounts[@]}" --}; do
    if [[ $word == --* ]]; then
      listed=''
      for root in "${below[@]}"; do
        [[ $at/ != "$root"/* ]] || listed=yes
      done
      if [[ $1/ == "$at"/* || (-z $listed && $at == "$1"/* && $1 == "$project"/*) ]]; then
        place=${#mounts[@]}
      elif [[ -n $listed ]] && ((place > start)); then
        place=$start
      fi
      [[ $flag == --overlay-src ]] || start=$i
      flag=$word
    fi
    at=$word i=$((i + 1))
  done
  mounts=("${mounts[@]:0:place}" --tmpfs "$1" "${mounts[@]:place}")
}

hidden_directories=()
declare -A hidden_files=()
# Reports whether a path is hidden already, with what it lies in.
hidden_above() { # PATH
  local directory root above=''
  for directory in "${hidden_directories[@]}"; do
    [[ $1/ != "$directory"/* ]] || ((${#directory} < ${#above})) || above=$directory
  done
  for root in ${above:+"${revealed[@]}"}; do
    [[ $1/ != "$root"/* ]] || ((${#root} <= ${#above})) || above=''
  done
  [[ -n $above ]]
}
hide() { # PATH
  local path
  [[ $1 == /* && -e $1 ]] || return 0
  for path in "${open_settings[@]}"; do # they hold no login
    [[ $1 != "$path" ]] || return 0
  done
  stand "$1"
  [[ ! -L $REPLY ]] || follow "$REPLY"
  path=$REPLY
  ! hidden_above "$path" || return 0
  if [[ -d $path ]]; then
    [[ $project/ != "$path"/* || ($reveals_project == yes && $project != "$path") ]] \
      || die "refusing $project: the profile hides $path" \
        "start it elsewhere, or hide what lies beside the project"
    mask "$path"
    hidden_directories+=("$path")
  elif [[ -z ${hidden_files[$path]-} ]]; then # two names may lead to one file
    [[ ! -p $path || $lacks != *--disable-userns* ]] \
      || die "refusing $path: it is a named pipe: bwrap may wait" "look at it, and remove it"
    exec {fd}</dev/null
    mounts+=(--ro-bind-data "$fd" "$path")
    hidden_files[$path]=yes
  fi
}

# In the project, and in a repository around it, in which a command may have made this one.
path=$project
while [[ -n $path ]]; do
  folder=$path path=${path%/*}
  [[ $folder == "$project" || -e $folder/.git ]] || continue
  cd -- "$folder"
  IFS=''
  names=(${hidden_names[@]})
  IFS=$' \t\n'
  for name in "${names[@]}"; do
    [[ $folder/$name != "$project"/* ]] || hide "$folder/$name"
  done
done
for name in $hidden_at_home; do
  hide "$home/$name"
done
for word in $hidden_by_variables; do
  name=${word%%/*}
  [[ -z ${!name-} ]] || hide "${!name}${word#"$name"}"
done
for path in "${hidden[@]}"; do
  hide "$path"
done
for path in "${hidden_in_project[@]}"; do # where the project holds what links in home lead to
  [[ $path != "$project"/* ]] || hide "$path"
done

# A worktree that is hidden is still there for git, which would prune it.
for path in "${worktrees[@]}"; do
  ! hidden_above "$path" || mounts+=(--ro-bind /dev/null "$path/.git")
done

# What tells of other projects, where a tool writes, too: empty at the start.
for path in "${emptied[@]}"; do
  [[ -d $path ]] || continue
  stand "$path"
  mask "$REPLY"
done
closing+=("${hidden_directories[@]}")
cd -- "$cwd"
