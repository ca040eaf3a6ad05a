# --- old-bwrap
# Mounts overlays for a bwrap before 0.11, which cannot. Another bwrap, root in its own namespace,
# has mount(8) make them below /sys, and starts the sandbox.
# Reads: kepts, lacks, lowers, uppers. Sets: builders, launch.

build_overlays() {
  local i below upper fstab='' builder=()
  [[ $lacks == *--overlay-src* && ${#lowers[@]} -gt 0 ]] || return 0
  for i in "${!lowers[@]}"; do
    below=/sys/$i upper=/sys/$i/mine
    builder+=(--dir "$below/view" --dir "$upper/upper" --dir "$upper/work")
    builder+=(--symlink "${lowers[i]}" "$below/lower" --symlink "${kepts[i]:-/}" "$below/kept")
    builder+=(--symlink "${uppers[i]%upper}." "$below/own")
    [[ -z ${uppers[i]} ]] || upper=$below/own
    fstab+="overlay $below/view overlay userxattr"
    fstab+=",lowerdir=${kepts[i]:+$below/kept:}$below/lower"
    fstab+=",upperdir=$upper/upper,workdir=$upper/work"$'\n'
  done
  feed "$fstab"
  launch+=(--die-with-parent --dev-bind / / --tmpfs /sys --ro-bind-try /sys/devices /sys/devices)
  launch+=(--file "$fd" /sys/fstab "${builder[@]}")
  ((UID == 0)) || launch+=(--unshare-user --uid 0 --gid 0 --cap-add CAP_SYS_ADMIN
    --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP)
  launch+=(-- /bin/sh -c "PATH=$system_path mount -n -a -T /sys/fstab && exec \"\$@\"" sh "$bwrap")
}
finish+=(build_overlays)
builders+=(build_overlays)
