# --- share-overlay
# Mounts the project, and its repository, copy-on-write.
# Reads: elsewhere, held_mounts, project, state, stores, tried_overlays. Sets: mounts, reviewable.

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
show "$project"
