# --- views
# What lasts for a session, and what the profile lists itself.

for path in "${session_views[@]}"; do
  overlay "$session_store" "$path" "$path"
done
for ((i = 0; i < ${#listed_views[@]}; i += 3)); do
  path=${listed_views[i + 1]} place=${listed_views[i + 2]}
  [[ $place/ != "$project"/* ]] \
    || die "refusing to share $project: it is or holds $place, which the profile shows otherwise" \
      "start it in a project below, or elsewhere"
  if [[ -d $path ]]; then
    count=${#layers[@]}
    overlay "$stores/keep" "$path" "$place"
    reviewable+=("${layers[@]:count:1}") # the upper layer, and not its work directory
  elif [[ -e $path || ${listed_views[i]} == needed ]]; then
    die "there is no directory $path" "the profile names it in filesystem.overlay"
  fi
done
case $tool_layers in
  keep) tool_at=$stores/keep ;;
  session) tool_at=$session_store ;;
  *) tool_at='' ;;
esac
for path in "${tool_views[@]}"; do # where no overlay can be made, it is read-only
  if [[ $tried_overlays == @(*" !overlays "*|*" !$path "*) ]]; then
    mounts+=(--ro-bind "$path" "$path")
  else
    overlay "$tool_at" "$path" "$path"
  fi
done
