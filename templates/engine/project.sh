# Part project: what is held in a writable one: the host would run or believe it.

[[ $UID != 0 || -O $project ]] || say "root has no power over $project inside: start it as its user"

# Where git has settings and hooks: the repository, its submodules and its linked worktrees, whose
# names may contain slashes; in a folder of repositories, each of them.
repositories=("$repository")
[[ -e $repository ]] || repositories=("$project"/*/.git)
git_places=("${repositories[@]}")
shopt -s dotglob
for ((i = 0; i < ${#git_places[@]}; i++)); do
  path=${git_places[i]} names=()
  ((i < 2000)) || die "there are too many directories in $repository/modules and worktrees" \
    "remove those that git does not need"
  for folder in "$path" "$path"/{modules,worktrees}; do
    [[ ! -d $folder || (-r $folder && -x $folder) ]] \
      || die "cannot look for settings of git in $folder" "make it readable: chmod u+rwx"
  done
  [[ -f $path/HEAD || -L $path/HEAD ]] || names=("$path"/*/)
  names+=("$path"/{modules,worktrees}/*/)
  git_places+=("${names[@]%/}")
done
shopt -u dotglob
# Creates the directory for hooks if there is none, as git init does: only what exists can be
# protected.
if [[ -f $repository/HEAD && ! -e $repository/hooks && ! -L $repository/hooks ]] \
  && [[ $project_access != overlay ]]; then
  made_hooks=$repository/hooks
  [[ $action == print ]] || mkdir -- "$made_hooks" 2>/dev/null || :
fi

# Sets named_by_git to what core.hooksPath and include.path name in the project or repository: git
# outside runs the one and believes the other.
named_by_git=() settings_read=0
read_settings() { # FILE WORK-TREE
  local file=$1 tree=$2 section='' key line value
  local plain='[^"\#;[:space:]]|[^"\#;[:space:]][^"\#;]*[^"\#;[:space:]]'
  local setting='^[[:space:]]*([[:alnum:]-]+)[[:space:]]*=[[:space:]]*(.*[^[:space:]])'
  read_text "$file" 262144
  ((${#REPLY} < 262144 && ++settings_read < 9999)) \
    || die "cannot look for core.hooksPath and include.path in $file: it is too large" \
      "remove settings that git does not need"
  [[ ${REPLY,,} =~ hookspath|include ]] || return 0
  [[ $file != */modules/*/config || ! $REPLY =~ worktree\ =\ ([^$'\n']*) ]] \
    || tree=${file%/*}/${BASH_REMATCH[1]}
  while IFS= read -r line; do
    [[ $line == *[=[]* ]] || continue
    if [[ $line =~ ^[[:space:]]*\[([[:alnum:].-]+)([[:space:]]*\".*\")?\](.*) ]]; then
      section=${BASH_REMATCH[1],,} line=${BASH_REMATCH[3]}
    fi
    [[ $line =~ $setting ]] || continue
    key=$section.${BASH_REMATCH[1],,} value=${BASH_REMATCH[2]}
    [[ $key == @(core.hookspath|include.path|includeif.path) ]] || continue
    [[ $value =~ ^(\"([^\"\\]*)\"|($plain))[[:space:]]*([#\;].*)?$ ]] \
      || die "cannot read $key in $file: $value" "write its value without quotes and backslashes"
    add_named "$key" "${BASH_REMATCH[2]}${BASH_REMATCH[3]}" "$file" "$tree"
  done <<<"$REPLY"
}
add_named() { # KEY VALUE FILE WORK-TREE
  local value=${2/#\~\//$home/}
  [[ $1 == core.hookspath || $value == /* ]] || value=${3%/*}/$value
  [[ $value == /* ]] || value=$4/$value
  value=${value%/}
  if cd -P -- "${value%/*}/" 2>/dev/null; then
    value=$PWD/${value##*/}
  else
    value=$(realpath -ms -- "$value")
  fi
  [[ $value != @("$project"|"$repository")/?* || $value == */@(.|..) ]] \
    || named_by_git+=("$value")
  [[ $1 == core.hookspath ]] || read_settings "$value" "$4"
}
for path in "${git_places[@]/%//config}" "${git_places[@]/%//config.worktree}" \
  "$home"/{.gitconfig,.config/git/config} /etc/gitconfig; do
  read_settings "$path" "$project"
done

# Protected names are looked for in each directory from the project's root down to the working
# directory, and in those above it that are repositories: a command may have made this one.
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
find_name() { # PATH; a placeholder, empty and with a sticky bit, counts as absent
  [[ ! -k $1 || $(find "$1" ! '(' -type d -readable -executable ')' \
    ! '(' -type f -empty -perm -1000 ')' -print -quit) ]] || return 0
  [[ ! -e $1 ]] || there+=("$1")
  [[ -e $1 || ! -L $1 ]] || dangling+=("$1")
}
# Sets there to the protected names that exist, and dangling to those that are links to nothing.
# The latter, and what would make a repository where there is none, cannot be protected; what the
# command creates of them is reported on exit.
look() {
  local folder path IFS=''
  there=() dangling=()
  for folder in "${folders[@]}"; do
    [[ -x $folder ]] || continue
    cd -- "$folder"
    # shellcheck disable=SC2068 # they may be patterns
    for path in $protected_here ${protected_below[@]} "${reserved[@]%/}"; do
      [[ ! -e $path && ! -L $path ]] || find_name "$folder/$path"
    done
  done
  for folder in "${git_places[@]}"; do
    for path in "$folder"/{hooks,config{,.worktree},commondir,gitdir,objects/info/alternates}; do
      [[ ! -e $path && ! -L $path ]] || find_name "$path"
    done
  done
  for path in "${named_by_git[@]}" "${lacking[@]}"; do
    [[ ! -e $path && ! -L $path ]] || find_name "$path"
  done
  for path in "${git_absent[@]}"; do
    [[ ! -e $path && ! -L $path ]] || dangling+=("$path")
  done
}
look
# Through a link to nothing the command could create what the profile itself protects, or bwrap
# would create it on the host.
declare -A before_run=()
for path in "${there[@]}"; do before_run[$path]=there; done
for path in "${dangling[@]}"; do
  before_run[$path]=there
  [[ -L $path ]] || continue
  before_run[$path]="to $(readlink -- "$path")"
  for name in "${reserved[@]%/}"; do
    [[ $path != */"$name" ]] \
      || die "refusing $path: it is a link that leads to nothing" "remove the link"
  done
  [[ ${before_run[$path]} != "to "?(*/)@(new|old)root/* ]] \
    || die "refusing $path: it is a link to where bwrap has the host" "remove it"
done

# What is there is read-only. What lies above it is pinned, by a mount that the second one of the
# project covers: it can be written to, but not renamed.
held_mounts=() pinned=() linked=()
declare -A seen=()
hold_name() { # PATH
  local path=$1 above=${1%/*}
  [[ -z ${seen[$path]-} && -e $path && ($path == "$project"/* || $path == "$repository"/*) ]] \
    && cd -P -- "$above" || return 0
  seen[$path]=held
  if [[ -L $path || $PWD != "$above" ]]; then
    say "$path is behind a symbolic link: only the file that it leads to is protected"
    path=$(readlink -f -- "$path")
    linked+=("$1" "$path")
    above=${path%/*}
  fi
  [[ $path == "$project"/* || $path == "$repository"/* ]] || return 0
  [[ ! -p $path ]] || die "refusing $path: it is a named pipe, at which bwrap may wait forever" \
    "remove it"
  held_mounts+=(--ro-bind "$path" "$path")
  while [[ -z ${seen[$above]-} && ($above == "$project"/* || $above/ == "$repository"/*) ]]; do
    seen[$above]=pinned
    pinned+=(--ro-bind "$above" "$above")
    above=${above%/*}
  done
}
cd -- "$project"
for path in "${protected_below[@]%%/*}"; do # what stands below a link would stand elsewhere
  [[ ! -L $path || $(readlink -- "$path") != *(../|/)@(new|old)root/* ]] \
    || die "refusing $path: it is a link to where bwrap has the host" "remove it"
done
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

# Other worktrees: git would prune those that it does not see, so each has an empty .git inside.
# The profile may hide others.
shopt -s dotglob
names=("$repository"/worktrees/*/gitdir)
shopt -u dotglob
for path in "${names[@]}"; do
  read_text "$path"
  tree=${REPLY%$'\n'}
  [[ $tree == @(/|../)*/.git ]] && cd -P -- "${path%/*}" || continue
  cd -P -- "${tree%/*}" 2>/dev/null || continue
  tree=$PWD/.git
  [[ -f $tree && (-n $project_at || ! $tree -ef $project/.git) ]] || continue
  tree=${tree%/.git}
  if [[ $tree != "$project"/* && $tree != "$repository"/* ]] && ! shown "$tree"; then
    held_mounts+=(--ro-bind /dev/null "$tree/.git")
    revealed+=("$tree/.git")
    continue
  fi
  worktrees+=("$tree")
  [[ $tree != "$repository"/* ]] || hold_name "$tree"
done
cd -- "$cwd"
