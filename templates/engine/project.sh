# --- project
# Finds files in the project that your tools run or trust, to mount them read-only. These are git's
# settings and hooks, and the protected names of the policy.
# Reads: cwd, own, project, protected, protected_below, repository, reserved. Sets: before_run,
# dangling, git_places, held_mounts, linked, pinned, there, worktrees.

[[ $UID != 0 || -O $project ]] \
  || say "warning: inside, root may not be able to write to this project; start as its owner"

# Sets git_places to the directories in which git has settings and hooks: the repository, its
# submodules and linked worktrees, whose names may contain slashes. If the project is not a
# repository, it is those of the repositories in it.
repositories=("$repository")
[[ -e $repository ]] || repositories=("$project"/*/.git)
git_places=("${repositories[@]}")
git_names='annex|branches|hooks|info|lfs|logs|modules|objects|rebase-*|refs|rr-cache|worktrees'
shopt -s dotglob
for ((i = 0; i < ${#git_places[@]}; i++)); do
  path=${git_places[i]} names=()
  ((i < 2000)) || die "there are too many directories in $repository/modules and worktrees" \
    "remove those that git does not need"
  for folder in "$path" "$path"/{modules,worktrees}; do
    [[ ! -d $folder || (-r $folder && -x $folder) ]] \
      || die "cannot search $folder for git's settings" "make it readable: chmod u+rwx"
  done
  # A HEAD that the command created must not hide repositories below it.
  if [[ $path == */modules/* || ! (-f $path/HEAD || -L $path/HEAD) ]]; then names=("$path"/*/); fi
  for folder in "${names[@]%/}" "$path"/{modules,worktrees}/*; do
    [[ ! -d $folder || ($folder == */modules/?*/@($git_names) && -e $path/HEAD) ]] \
      || git_places+=("$folder")
  done
done
shopt -u dotglob
# Only what exists can be mounted read-only, so an absent hooks directory is created, as git init
# does.
if [[ -f $repository/HEAD && ! -e $repository/hooks && ! -L $repository/hooks ]] \
  && [[ $project_access != overlay ]]; then
  made_hooks=$repository/hooks
  [[ $action == print ]] || mkdir -- "$made_hooks" 2>/dev/null || :
fi

# Sets named_by_git to what core.hooksPath and include.path name in the project or the repository:
# git outside would run or trust it.
named_by_git=() settings_read=0
read_settings() { # FILE WORK-TREE
  local tree=$2 section='' key value line
  local plain='[^"\#;[:space:]]|[^"\#;[:space:]][^"\#;]*[^"\#;[:space:]]'
  local setting='^[[:space:]]*([[:alnum:]-]+)[[:space:]]*=[[:space:]]*(.*[^[:space:]])'
  read_text "$1" 262144
  ((${#REPLY} < 262144 && ++settings_read < 9999)) \
    || die "cannot look for core.hooksPath and include.path in $1: it, or what it includes, is too \
large" \
      "remove settings that git does not need"
  [[ ${REPLY,,} =~ hookspath|include ]] || return 0
  if [[ $1 == */modules/*/config && $REPLY =~ worktree\ =\ ([^$'\n']*) ]]; then
    tree=${1%/*}/${BASH_REMATCH[1]}
  fi
  while IFS= read -r line; do
    [[ $line == *[=[]* ]] || continue
    if [[ $line =~ ^[[:space:]]*\[([[:alnum:].-]+)([[:space:]]*\".*\")?\](.*) ]]; then
      section=${BASH_REMATCH[1],,} line=${BASH_REMATCH[3]}
    fi
    [[ $line =~ $setting ]] || continue
    key=$section.${BASH_REMATCH[1],,} value=${BASH_REMATCH[2]}
    [[ $key == @(core.hookspath|include.path|includeif.path) ]] || continue
    [[ $value =~ ^(\"([^\"\\]*)\"|($plain))[[:space:]]*([#\;].*)?$ ]] \
      || die "cannot read $key in $1: $value" "write its value without quotes and backslashes"
    value=${BASH_REMATCH[2]}${BASH_REMATCH[3]}
    value=${value/#\~\//$home/}
    if [[ $key != core.hookspath && $value != /* ]]; then value=${1%/*}/$value; fi
    [[ $value == /* ]] || value=$tree/$value
    value=${value%/}
    resolve "${value%/*}/"
    value=${REPLY%/}/${value##*/}
    [[ $value != @("$project"|"$repository")/?* || $value == */@(.|..) ]] \
      || named_by_git+=("$value")
    [[ $key == core.hookspath ]] || read_settings "$value" "$tree"
  done <<<"$REPLY"
}
for path in "${git_places[@]/%//config}" "${git_places[@]/%//config.worktree}" \
  "$home"/{.gitconfig,.config/git/config} /etc/gitconfig; do
  read_settings "$path" "$project"
done

# Protected names are looked for in each directory from the project's root down to the working
# directory, and in enclosing repositories: an earlier command may have created this one.
names=($protected)
IFS='|'
protected_here="@(${names[*]})"
IFS=$' \t\n'
folders=("$project") git_absent=()
[[ -e $project/.git ]] || git_absent=("$project/.git")
[[ -e $repository ]] || git_absent+=("$project"/{HEAD,objects,refs})
path=$cwd
while [[ $path == "$project"/* ]]; do
  folders+=("$path")
  path=${path%/*}
done
[[ $project != "$repository"/* ]] || folders+=("$repository")
while [[ $path == /*/* ]]; do
  path=${path%/*}
  [[ ! -e $path/.git ]] || folders+=("$path")
done
find_name() { # PATH; an empty one with a sticky bit is a placeholder, and counts as absent
  [[ ! -k $1 || $(find "$1" ! '(' -type d -readable -executable ')' \
    ! '(' -type f -empty -perm -1000 ')' -print -quit) ]] || return 0
  if [[ -e $1 ]]; then
    there+=("$1")
  elif [[ -L $1 ]]; then
    dangling+=("$1")
  fi
}
# Sets there to the protected names that exist, and dangling to those that are symbolic links to
# nothing. The latter, and what would turn the project into a repository, cannot be protected; the
# launcher reports on exit which of these the command created.
look() {
  local folder path IFS=''
  there=() dangling=()
  for folder in "${folders[@]}"; do
    [[ -x $folder ]] || continue
    cd -- "$folder"
    # shellcheck disable=SC2068 # they may be patterns
    for path in $protected_here ${protected_below[@]} "${reserved[@]%/}"; do
      find_name "$folder/$path"
    done
  done
  for folder in "${git_places[@]}"; do
    for path in "$folder"/{hooks,config{,.worktree},commondir,gitdir,objects/info/alternates}; do
      find_name "$path"
    done
  done
  for path in "${named_by_git[@]}" "${lacking[@]}"; do find_name "$path"; done
  for path in "${git_absent[@]}"; do
    [[ ! -e $path && ! -L $path ]] || dangling+=("$path")
  done
}
look
# Refuses broken links at names that the profile itself protects, and links to /oldroot and
# /newroot, where bwrap mounts the host.
declare -A before_run=()
for path in "${there[@]}"; do before_run[$path]=there; done
for path in "${dangling[@]}"; do
  before_run[$path]=there
  [[ -L $path ]] || continue
  before_run[$path]="to $(readlink -- "$path")"
  for name in "${reserved[@]%/}"; do
    [[ $path != */"$name" ]] || die "$path is a broken symbolic link" "remove the link"
  done
  [[ ${before_run[$path]} != "to "?(*/)@(new|old)root/* ]] \
    || die "refusing $path: it links to where bwrap mounts the host" "remove the link"
done
cd -- "$project"
for path in "${protected_below[@]%%/*}"; do
  [[ ! -L $path || $(readlink -- "$path") != *(../|/)@(new|old)root/* ]] \
    || die "refusing $path: it links to where bwrap mounts the host" "remove the link"
done

# Protected files are mounted read-only (held_mounts). The directories above them become mount
# points (pinned), so that they cannot be renamed.
held_mounts=() pinned=() linked=()
declare -A seen=()
hold_name() { # PATH
  local path=$1 above=${1%/*}
  [[ -z ${seen[$path]-} && -e $path && ($path == "$project"/* || $path == "$repository"/*) ]] \
    && cd -P -- "$above" || return 0
  seen[$path]=held
  if [[ -L $path || $PWD != "$above" ]]; then
    say "warning: $path is, or is below, a symbolic link: only its target is protected"
    path=$(readlink -f -- "$path")
    linked+=("$1" "$path")
    above=${path%/*}
  fi
  [[ $path == "$project"/* || $path == "$repository"/* ]] || return 0
  [[ ! -p $path ]] || die "refusing $path: bwrap could wait forever at a named pipe" "remove it"
  held_mounts+=(--ro-bind "$path" "$path")
  while [[ -z ${seen[$above]-} && ($above == "$project"/* || $above/ == "$repository"/*) ]]; do
    seen[$above]=pinned
    pinned+=(--ro-bind "$above" "$above")
    above=${above%/*}
  done
}
IFS=''
hidden_here=(${hidden_names[@]})
IFS=$' \t\n'
for path in "${there[@]}" "${own[@]}" "${hidden_here[@]/#/"$project/"}" \
  "${hidden_in_project[@]}"; do
  hold_name "$path"
done
for ((i = 2; i < ${#in_project[@]}; i += 3)); do
  hold_name "${in_project[i]}"
done
[[ -z $made_hooks || -e $made_hooks ]] || held_mounts+=(--ro-bind "$made_hooks" "$made_hooks")

# Git would prune other worktrees of this repository that it does not see, so each of them gets an
# empty .git inside.
shopt -s dotglob
names=("$repository"/worktrees/*/gitdir)
shopt -u dotglob
for path in "${names[@]}"; do
  read_text "$path"
  tree=${REPLY%$'\n'}
  [[ $tree == @(/|../)*/.git ]] && cd -P -- "${path%/*}" || continue
  cd -P -- "${tree%/*}" 2>/dev/null || continue
  tree=$PWD
  [[ -f $tree/.git && (-n $project_at || ! $tree/.git -ef $project/.git) ]] || continue
  if [[ $tree != "$project"/* && $tree != "$repository"/* ]] && ! shown "$tree"; then
    held_mounts+=(--ro-bind /dev/null "$tree/.git")
    revealed+=("$tree/.git")
  else
    worktrees+=("$tree")
    [[ $tree != "$repository"/* ]] || hold_name "$tree"
  fi
done
