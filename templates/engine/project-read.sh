# --- project-read
# Shows the project and its repository, read-only.
# Reads: elsewhere, project, project_at, repository. Sets: git_settings, mounts, set_variables.

folders=() there=() named_by_git=() held_mounts=() protected_here=''
for path in "$project" ${elsewhere:+"$elsewhere"}; do
  mounts+=(--ro-bind "$path" "$path")
  show "$path"
done
# git-lfs writes where it keeps its objects, so it does that elsewhere, and finds those of the
# repository as well.
if [[ -d $repository/lfs && -z $project_at ]]; then
  git_settings+=(lfs.storage=/tmp/lfs)
  set_variables+=("GIT_ALTERNATE_OBJECT_DIRECTORIES=$repository/objects")
fi
