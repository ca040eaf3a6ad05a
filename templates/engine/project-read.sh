# Part project: read-only, with its repository.

folders=() there=() named_by_git=() held_mounts=() protected_here=''
for path in "$project" ${elsewhere:+"$elsewhere"}; do
  mounts+=(--ro-bind "$path" "$path")
  show "$path"
done
