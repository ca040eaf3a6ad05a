# --- git
# Finds the repository of the project, which may lie elsewhere.
# Reads project, home and mounts. Sets repository, git_dir (it has HEAD and the index of this work
# tree) and elsewhere (the repository, if it lies outside the project).

# In a linked worktree or a submodule, .git is a file that names the repository. That is shared only
# if it points back to the project: a command can have made the file name any directory.
repository=$project/.git elsewhere='' git_dir=''
if [[ -f $repository ]]; then
  read_text "$repository"
  path=${REPLY#'gitdir: '}
  path=${path%$'\n'}
  cd -- "$project"
  [[ $REPLY == 'gitdir: '* ]] && cd -P -- "${path/#-/./-}" 2>/dev/null \
    || die "there is no repository $path" "see git worktree repair"
  git_dir=$PWD back=''
  read_text config 65536
  [[ ! $REPLY =~ worktree\ =\ \"?([^$'\n"']*) ]] || back=${BASH_REMATCH[1]}/.git
  if [[ ${PWD%/*} == */worktrees && -f gitdir ]]; then
    read_text gitdir
    back=${REPLY%$'\n'}
    [[ ! $back -ef $repository ]] || back=$repository
    cd -P ../..
  fi
  [[ $back -ef $repository || $PWD == "$project"/* ]] && [[ $home/ != "$PWD"/* ]] \
    || die "refusing the repository $PWD: it does not point back to $project" \
      "see git worktree repair; or set it: git config core.worktree $project"
  # A command can have made what looks like a repository in a directory in which it can write.
  [[ $PWD == "$project"/* || (! -e .git && ($PWD/ == *.git/* || $PWD == *bare)) ]] \
    || [[ ! -e .git && " $project ${mounts[*]} " != *" $PWD"[\ /]* && $PWD != "$home"/.* ]] \
    || die "refusing the repository $PWD: a command can have made $project/.git name it" \
      "check that file, and remove it; or call your repository .git, NAME.git or bare"
  own+=("$repository")
  repository=$PWD
  [[ $PWD == "$project"/* ]] || elsewhere=$PWD
elif [[ -L $repository ]]; then
  follow "$repository"
  die "refusing $repository: it is a symbolic link, which a command could replace" \
    "write a file in its place, gitdir: $REPLY, and then git config core.worktree $project"
elif [[ ! -e $repository && -f $project/HEAD && -d $project/objects ]]; then
  repository=$project # a bare one
fi
git_dir=${git_dir:-$repository}
cd -- "$cwd"
