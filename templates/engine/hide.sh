# --- hide
# Hides files and directories behind empty ones, which cannot be changed.
# Reads: hidden_names, hidden_at_home, hidden_by_variables, hidden, hidden_in_project, emptied,
# revealed, reveals_project, open_settings, worktrees. Sets: mounts, closing.

# What the profile shows below something hidden stays visible: the most specific path wins.
if [[ $reveals_project == yes ]]; then
  revealed+=("$project" ${elsewhere:+"$elsewhere"})
fi
for path in "${revealed[@]}"; do
  path=${path/#.\//"$project/"}
  [[ $path == /* ]] || continue
  revealed+=("$path")
  resolve "$path"
  revealed+=("$REPLY")
done

# Mounts an empty directory: before mounts of revealed paths below it, and after mounts above it, or
# others below it in the project.
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
# Reports whether a directory above a path is hidden, and the path with it.
hidden_above() { # PATH
  local directory root above=''
  for directory in "${hidden_directories[@]}"; do
    if [[ $1/ == "$directory"/* ]] && ((${#directory} >= ${#above})); then
      above=$directory
    fi
  done
  for root in ${above:+"${revealed[@]}"}; do
    if [[ $1/ == "$root"/* ]] && ((${#root} > ${#above})); then
      above=''
    fi
  done
  [[ -n $above ]]
}
hide() { # PATH
  local path
  [[ $1 == /* && -e $1 ]] || return 0
  for path in "${open_settings[@]}"; do # they hold no credentials
    [[ $1 != "$path" ]] || return 0
  done
  stand "$1"
  [[ ! -L $REPLY ]] || follow "$REPLY"
  path=$REPLY
  ! hidden_above "$path" || return 0
  if [[ -d $path ]]; then
    [[ $project/ != "$path"/* || ($reveals_project == yes && $project != "$path") ]] \
      || die "refusing $project: the profile hides $path" \
        "start it elsewhere, or hide only what is next to the project"
    mask "$path"
    hidden_directories+=("$path")
  elif [[ -z ${hidden_files[$path]-} ]]; then # two names may lead to the same file
    [[ ! -p $path || $lacks != *--disable-userns* ]] \
      || die "refusing $path: it is a named pipe, at which bwrap may wait forever" "remove it"
    exec {fd}</dev/null
    mounts+=(--ro-bind-data "$fd" "$path")
    hidden_files[$path]=yes
  fi
}

# In the project, and in repositories around it: a command may have created the inner one.
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
for path in "${hidden_in_project[@]}"; do # links in home lead to these
  [[ $path != "$project"/* ]] || hide "$path"
done

# A hidden worktree keeps a .git for git, which would prune it otherwise.
for path in "${worktrees[@]}"; do
  ! hidden_above "$path" || mounts+=(--ro-bind /dev/null "$path/.git")
done

# Directories in which tools keep traces of other projects: empty at start-up, and writable.
for path in "${emptied[@]}"; do
  [[ -d $path ]] || continue
  stand "$path"
  mask "$REPLY"
done
closing+=("${hidden_directories[@]}")
