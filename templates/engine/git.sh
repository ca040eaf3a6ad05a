# Part git: the repository of the project, which may lie elsewhere.

# The file .git of a linked worktree or a submodule leads there. It is shared if it points back: a
# command can have made the file lead anywhere.
repository=$project/.git elsewhere='' git_head=''
if [[ -f $repository ]]; then
  read -r word path <"$repository" || :
  cd -- "$project"
  [[ $word == gitdir: ]] && cd -P -- "${path/#-/./-}" 2>/dev/null \
    || die "there is no repository $path" "see git worktree repair"
  back='' text=''
  [[ ! -f config ]] || IFS= read -r -d '' text <config || :
  [[ ! $text =~ worktree\ =\ \"?([^$'\n"']*) ]] || back=${BASH_REMATCH[1]}/.git
  if [[ ${PWD%/*} == */worktrees && -f gitdir ]]; then
    read -r back <gitdir || :
    [[ ! $back -ef $repository ]] || back=$repository
    git_head=$PWD/HEAD
    cd -P ../..
  fi
  [[ $back -ef $repository || $PWD == "$project"/* ]] && [[ $home/ != "$PWD"/* ]] \
    || die "refusing the repository $PWD: it does not point back to $project" \
      "see git worktree repair; or have it point: git config core.worktree $project"
  # Where a command can write, it can have made what looks like a repository, and holds more.
  [[ $PWD == "$project"/* || (! -e .git && ($PWD/ == *.git/* || $PWD == *bare)) ]] \
    || [[ ! -e .git && " $project ${mounts[*]} " != *" $PWD"[\ /]* && $PWD != "$home"/.* ]] \
    || die "refusing the repository $PWD: a command can have made $project/.git lead there" \
      "look at that file, and remove it; or call your repository .git, NAME.git or bare"
  own+=("$repository")
  repository=$PWD
  [[ $PWD == "$project"/* ]] || elsewhere=$PWD
elif [[ -L $repository ]]; then
  follow "$repository"
  die "refusing $repository: it is a link, which a command could replace" \
    "write a file in its place, gitdir: $REPLY, and then git config core.worktree $project"
elif [[ ! -e $repository && -f $project/HEAD && -d $project/objects ]]; then
  repository=$project # a bare one
fi
git_head=${git_head:-$repository/HEAD}

# It may borrow objects of another one. The profile decides whether these are shown: a command may
# have written where they are.
if [[ -f $repository/objects/info/alternates ]]; then
  while IFS= read -r path; do
    cd -- "$repository/objects" && cd -P -- "$path" 2>/dev/null || continue
    [[ $PWD/ == "$project"/* ]] || shown "$PWD" || shown "$path" \
      || say "$PWD is not shown, from which .git/objects/info/alternates borrows: list it in \
filesystem.read, if you want that"
  done <"$repository/objects/info/alternates"
  cd -- "$cwd"
fi
