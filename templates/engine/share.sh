# --- share
# The project, twice. What lies between, above a held name, is pinned by a mount that
# the second one covers: it can be written to, but not renamed.

shared=(--bind "$project" "$project" ${elsewhere:+--bind "$elsewhere" "$elsewhere"})
if [[ $project_access == overlay ]]; then
  IFS= read -r -d '' text </proc/self/mounts || :
  [[ ! $text =~ " $project/"([^ ]*) ]] || die "no view of $project can be made: \
$project/${BASH_REMATCH[1]} is mounted below it" 'project.access = "write" does without'
  if [[ $tried_overlays == *" !"@(overlays|"layers:$state"|"$project")" "* ]]; then
    # What it changes would be lost: another try.
    rm -f -- "$overlay_notes"
    die "no view of $project can be made that lasts" 'project.access = "write" does without'
  fi
  for path in "$project" ${elsewhere:+"$elsewhere"}; do
    count=${#layers[@]}
    overlay "$stores/keep" "$path" "$path"
    reviewable+=("${layers[@]:count:1}") # the upper layer, and not its work directory
    kept_directories+=("$path" "$stores/keep$path/upper")
  done
  mounts+=("${held_mounts[@]}")
else
  mounts+=("${shared[@]}" "${pinned[@]}" "${shared[@]}" "${held_mounts[@]}")
fi
show "$project"
cd -- "$cwd"
