# --- git
# Finds the repository of the project, which may be elsewhere. The directory git_dir has HEAD and
# the index of this work tree; elsewhere is a repository outside the project.
# Reads: home, mounts, project. Sets: elsewhere, git_dir, own, repository.

# In a linked worktree or a submodule, .git is a file that names the repository. An earlier command
# may have changed it to name any directory; therefore, that directory must point back to the
# project.
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
      "see git worktree repair, or run: git config core.worktree $project"
  # An earlier command may also have created it, in a directory that it could write to.
  [[ $PWD == "$project"/* || (! -e .git && ($PWD/ == *.git/* || $PWD == *bare)) ]] \
    || [[ ! -e .git && " $project ${mounts[*]} " != *" $PWD"[\ /]* && $PWD != "$home"/.* ]] \
    || die "refusing the repository $PWD: an earlier command may have created it" \
      "check $project/.git; rename the repository to .git, NAME.git or bare if it is yours"
  own+=("$repository")
  repository=$PWD
  [[ $PWD == "$project"/* ]] || elsewhere=$PWD
elif [[ -L $repository ]]; then
  follow "$repository"
  die "refusing $repository: it is a symbolic link, which a command could replace" \
    "replace it by a file with the line gitdir: $REPLY, and run git config core.worktree $project"
elif [[ ! -e $repository && -f $project/HEAD && -d $project/objects ]]; then
  repository=$project # a bare repository
fi
git_dir=${git_dir:-$repository}
