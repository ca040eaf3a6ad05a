# --- share
# Mounts the project twice. Between the two mounts, directories above protected names are mounted on
# themselves: they can be written to, but not renamed.
# Reads: project, elsewhere, project_access, pinned, held_mounts, stores, tried_overlays.
# Sets: mounts, shared, reviewable, kept_directories.

shared=(--bind "$project" "$project" ${elsewhere:+--bind "$elsewhere" "$elsewhere"})
if [[ $project_access == overlay ]]; then
  IFS= read -r -d '' text </proc/self/mounts || :
  [[ ! $text =~ " $project/"([^ ]*) ]] || die "cannot mount an overlay of $project: \
$project/${BASH_REMATCH[1]} is mounted below it" 'project.access = "write" needs no overlay'
  if [[ $tried_overlays == *" !"@(overlays|"layers:$state"|"$project")" "* ]]; then
    # Changes would be lost without a word. The next start tries again.
    rm -f -- "$overlay_notes"
    die "cannot keep an overlay of $project" 'project.access = "write" needs no overlay'
  fi
  for path in "$project" ${elsewhere:+"$elsewhere"}; do
    count=${#layers[@]}
    overlay "$stores/keep" "$path" "$path"
    reviewable+=("${layers[@]:count:1}") # the upper layer, without its work directory
    kept_directories+=("$path" "$stores/keep$path/upper")
  done
  mounts+=("${held_mounts[@]}")
else
  mounts+=("${shared[@]}" "${pinned[@]}" "${shared[@]}" "${held_mounts[@]}")
fi
show "$project"
cd -- "$cwd"
