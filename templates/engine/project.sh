# Part project: what is held in a writable one: the host would run or believe it.

[[ $UID != 0 || -O $project ]] || say "root has no power over $project inside: start it as its user"

# Where git has settings and hooks: the repository, its submodules and worktrees, whose names may
# have slashes; in a folder of repositories, each of them.
git_places=("$repository")
[[ -e $repository ]] || git_places=("$project"/*/.git)
for ((i = 0; i < ${#git_places[@]} && i < 9999; i++)); do
  path=${git_places[i]} names=()
  [[ -e $path/HEAD ]] || names=("$path"/*/)
  names+=("$path"/{modules,worktrees}/*/)
  git_places+=("${names[@]%/}")
done
# An absent folder for hooks is made, as git init makes it: what is there can be held.
if [[ -f $repository/HEAD && ! -e $repository/hooks && ! -L $repository/hooks ]] \
  && [[ $project_access != overlay ]]; then
  made_hooks=$repository/hooks
  [[ $action == print ]] || mkdir -- "$made_hooks" 2>/dev/null || :
fi

# git is asked where its settings may lead to hooks, programs or settings in the project, and to
# files that are not visible inside.
named_by_git=() unseen=''
is_missed() { # PATH: git finds it outside and not inside, although it finds the user's settings
  [[ -e $1 && $1/ != @("$project"|"$repository"|/etc)/* ]] || return 1
  [[ $1 != */../* ]] || set -- "$(realpath -ms -- "$1")"
  shown "$home/.gitconfig" || shown "$home/.config/git/config" || return 1
  ! shown "${1/#"$spelled"\//$home/}"
}
leads() { # PLACE: reports whether the settings may lead somewhere
  local file text='' all=''
  for file in "$1"/config{,.worktree} "$home"/{.gitconfig,.config/git/config} /etc/gitconfig; do
    [[ ! -f $file || ! -r $file ]] || IFS= read -r -d '' text <"$file" || all+=$text
  done
  [[ ! $all =~ [eE]xcludes[fF]ile\ *=\ *\"?([^$'\n"']+) ]] \
    || ! is_missed "${BASH_REMATCH[1]/#\~\//$home/}" || return 0
  all=${all,,} all=${all//= refs\//}
  [[ $all =~ hookspath|include|templatedir|=\ *\"?[a-z0-9_.-]+/ || $all == *"${project,,}"/* ]]
}
ask_git() { # PLACE WORK-TREE
  local file text key value
  leads "$1" || return 0
  while IFS= read -r -d '' file && IFS=$'\n' read -r -d '' key value; do
    value=${value/#\~\//$home/} text=$2
    case $key in
      include*) text=${file#file:} text=${text%/*} ;;
      core.hookspath | init.templatedir) ;;
      *) value=${value%% *} ;;
    esac
    [[ $value == /* ]] || value=$text/$value
    file=${file#file:}
    [[ $key != core.@(attributesfile|excludesfile|hookspath) ]] || file=$value
    [[ $unseen == *" $file"* ]] || ! is_missed "$file" || unseen+=" $file"
    value=${value%/} text=${value##*/}
    cd -P -- "$project" && cd -P -- "${value%/*}/" 2>/dev/null || continue
    [[ $PWD/$text == "$project"/?* && $text != @(.|..) ]] || continue
    [[ ! -e $text && $key != @(core.hookspath|include*) ]] || named_by_git+=("$PWD/$text")
  done < <(cd -- "$project" && GIT_DIR=$1 git config --list --show-origin -z --includes 2>/dev/null)
}
for path in "${git_places[@]}"; do
  tree=$project text=''
  [[ $path == "$repository" || ! -f $path/config ]] || IFS= read -r -d '' text <"$path/config" || :
  [[ ! $text =~ worktree\ =\ ([^$'\n']*) ]] || tree=$path/${BASH_REMATCH[1]}
  [[ $path != "$repository" && $text != *[Hh]ook* ]] || ask_git "$path" "$tree"
done
[[ -z $unseen ]] || say "git uses$unseen outside, which is not shown: generate the launcher again \
on this host, or list it in filesystem.read"

# Sets there to what exists of the protected names, in each folder from the project's root down to
# the working directory, and of git's; and dangling to links that lead to nothing, and to what would
# make a repository where there is none. That is not held, but said at the end.
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
while [[ $path == /*/* ]]; do # a repository below another one, which a command may have made
  path=${path%/*}
  [[ ! -e $path/.git ]] || folders+=("$path")
done
find_name() { # PATH; a marked directory without files stands for what is absent
  [[ ! -k $1 || $(find "$1" ! '(' -type d -readable -executable ')' -print -quit) ]] || return 0
  [[ ! -e $1 ]] || there+=("$1")
  [[ -e $1 || ! -L $1 ]] || dangling+=("$1 -> $(readlink -- "$1")")
}
look() {
  local folder path IFS=''
  there=() dangling=()
  for folder in "${folders[@]}"; do
    [[ -x $folder ]] || continue
    cd -- "$folder"
    # shellcheck disable=SC2068 # they may be patterns
    for path in $protected_here ${protected_below[@]} "${reserved[@]}"; do
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
    [[ ! -e $path && ! -L $path ]] || dangling+=("$path -> ")
  done
}
look
# Through a link that leads to nothing the command could make what the profile itself protects, or
# bwrap make it on the host.
for path in "${dangling[@]}"; do
  for name in "${reserved[@]}"; do
    [[ ${path%% -> *} != */"$name" ]] \
      || die "refusing ${path%% -> *}: it is a link that leads to nothing" "remove the link"
  done
  [[ $path != *" -> "?(*/)@(new|old)root/* ]] \
    || die "refusing ${path%% -> *}: it is a link to where bwrap has the host" "remove it"
done
printf -v before_run '//%s' "${there[@]}" "${dangling[@]}" ''
# A commondir that is not the repository's own is a command's, which has killed its launcher.
if [[ -f $repository/commondir ]]; then
  read -r text <"$repository/commondir" || :
  [[ $text == . ]] || before_run=${before_run/"//$repository/commondir"/}
fi

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
    say "$path leads through a symbolic link: only what it leads to is protected"
    path=$(readlink -f -- "$path")
    linked+=("$1" "$path")
    above=${path%/*}
  fi
  [[ $path == "$project"/* || $path == "$repository"/* ]] || return 0
  [[ ! -p $path ]] || die "refusing $path: it is a named pipe, at which bwrap may wait forever" \
    "look at it, and remove it"
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

# Other worktrees: git would prune those that it does not see. The profile may hide others.
for path in "$repository"/worktrees/*/gitdir; do
  [[ -f $path ]] && read -r tree <"$path" && cd -P -- "${path%/*}" || continue
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
