# --- views
# Mounts the overlays of sessions, toolchains and the profile's own list.
# Reads: session_views, listed_views, tool_views, tool_layers, stores, session_store. Sets:
# reviewable.

for path in "${session_views[@]}"; do
  overlay "$session_store" "$path" "$path"
done
for ((i = 0; i < ${#listed_views[@]}; i += 3)); do # NEED SOURCE TARGET
  path=${listed_views[i + 1]} place=${listed_views[i + 2]}
  [[ $place/ != "$project"/* ]] \
    || die "refusing to share $project: it is or contains $place, an overlay in the profile" \
      "start the launcher in another project, or in one below"
  if [[ -d $path ]]; then
    count=${#layers[@]}
    overlay "$stores/keep" "$path" "$place"
    reviewable+=("${layers[@]:count:1}") # the upper layer, and not its work directory
  elif [[ -e $path || ${listed_views[i]} == needed ]]; then
    die "there is no directory $path" "create it, or remove it from filesystem.overlay"
  fi
done
case $tool_layers in
  keep) tool_at=$slot tool_reads=$warm ;;
  session) tool_at=$session_store tool_reads='' ;;
  *) tool_at='' tool_reads='' ;;
esac
for path in "${tool_views[@]}"; do
  check_path "$path" || continue
  if [[ $tried_overlays == @(*" !overlays "*|*" !$path "*) ]]; then
    mounts+=(--ro-bind "$path" "$path") # this host cannot make the overlay
  else
    overlay "$tool_at" "$path" "$path" "$tool_reads"
  fi
done
