# Part after: names what the command has made that the host would run or believe.

find_links() { # sets git_links to those in the repository: git makes none, and writes through them
  git_links=()
  for path in "$repository"/*; do
    [[ ! -L $path || $path == */HEAD ]] || git_links+=("$path")
  done
}
find_links
# The commit that HEAD names, unless it is packed. It can be as new as the run, and is not of it.
head_was='' text=''
[[ ! -f $git_head ]] || read -r text <"$git_head" || :
path=$repository/${text#ref: }
[[ $text != ref:* || ! -f $path ]] || read -r text <"$path" || :
[[ $text == ref:* ]] || head_was=$text
printf -v began '%(%s)T' -1
tracked=() links_before=" ${git_links[*]} "
for path in "${there[@]}"; do
  [[ $path == "$repository"/* ]] || tracked+=("$path")
done
# The command may have broken the repository, and made the project look like one.
is_bare() {
  local text=''
  [[ -e $project/objects || -e $project/commondir ]] || return 1
  [[ ! -f $project/HEAD ]] || read -r text <"$project/HEAD" || :
  [[ -L $project/HEAD || $text =~ ^(ref:|[0-9a-f]{40}) ]]
}
bare_head=$project/HEAD
[[ -e $project/.git ]] && ! is_bare || bare_head=''
tell_made() {
  local path i
  look
  find_links
  for path in "${git_links[@]}"; do
    [[ $links_before == *" $path "* ]] || there+=("$path")
  done
  [[ -z $bare_head ]] || ! is_bare || there+=("$bare_head")
  for ((i = 0; i < ${#linked[@]}; i += 2)); do
    [[ $(readlink -f -- "${linked[i]}") == "${linked[i + 1]}" ]] || dangling+=("${linked[i]} -> ")
  done
  for path in "${there[@]}" "${dangling[@]}"; do
    [[ $before_run// != *"//$path//"* ]] || continue
    path=${path%% -> *}
    say "look at $path: the command has made it, and the host may run it"
    ! is_believed "$path" || move_aside "$path"
  done
}
is_believed() { # PATH: git, or the host, would believe it at once
  [[ $1 == "$repository"/* || $1 == */.git/* || $1 == "$bare_head" ]] \
    || [[ " ${lacking[*]} ${named_by_git[*]} " == *" $1 "* ]]
}
move_aside() { # PATH
  local name=${1##*/}
  cd -P -- "${1%/*}" 2>/dev/null && [[ $PWD/$name == "$1" ]] || return 0
  if [[ -L $name ]]; then
    rm -f -- "$name"
  else
    mv -T -- "$name" "$name.untrusted-$RANDOM"
  fi
}
# A checkout inside cannot change a held file, and commit -a would revert what HEAD has of it.
tell_reverted() {
  local path start=/proc/self/fd/$sign
  [[ $git_head -nt $start || ${git_head%HEAD}logs/HEAD -nt $start ]] || return 0
  ((${#tracked[@]})) || return 0
  while IFS= read -r -d '' path; do
    say "look at $path: it was held, and HEAD or a new commit differs: git diff HEAD, git log -p"
  done < <(cd -- "$project" && {
    unset "${!GIT_@}" # a hook's index
    git diff --name-only -z HEAD -- "${tracked[@]}"
    git log --reflog HEAD --since=@$began ${head_was:+--not "$head_was"} --format= --name-only -z \
      -- "${tracked[@]}"
  } 2>/dev/null | sort -zu)
}
# What installs git's hooks fails inside, and its own words, or its status, seldom say so.
tell_hooks() {
  local managers hooks text=''
  [[ -z $failed && " ${command[*]} " =~ " "(add|ci|i|install|yarn)" " ]] || return 0
  managers=("$project"/{.husky*,{.,}lefthook.y*ml,.pre-commit-config.y*ml})
  ((${#managers[@]})) && [[ -f $repository/config ]] || return 0
  hooks=("$repository"/hooks/*[!e]) # a .sample is none
  IFS= read -r -d '' text <"$repository/config" || :
  ((status == 0)) && [[ ${#hooks[@]} -gt 0 || ${text,,} == *hookspath* ]] \
    || say "git's hooks and settings are read-only here: install hooks outside, or without scripts"
}
# A worktree beside the project is made in the sandbox's own home, and git would list it.
tell_lost() {
  local path tree start=/proc/self/fd/$sign
  [[ -z $project_at ]] || return 0
  for path in "$repository"/worktrees/*/gitdir; do
    [[ -f $path && $path -nt $start ]] && read -r tree <"$path" && cd -P -- "${path%/*}" || continue
    [[ -e $tree ]] || say "the worktree ${tree%/.git} is not on the host: make worktrees in the \
project, or outside the sandbox"
  done
}
[[ $project_access != write ]] || after+=(tell_made tell_reverted tell_lost tell_hooks)
