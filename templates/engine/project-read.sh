# --- project-read
# Read-only, with its repository.

folders=() there=() named_by_git=() held_mounts=() protected_here=''
for path in "$project" ${elsewhere:+"$elsewhere"}; do
  mounts+=(--ro-bind "$path" "$path")
  show "$path"
done
# git-lfs writes down what it looks at: elsewhere, and finds what the repository has all the same.
if [[ -d $repository/lfs && -z $project_at ]]; then
  set_variables+=(
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=lfs.storage GIT_CONFIG_VALUE_0=/tmp/lfs
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=$repository/objects"
  )
fi
