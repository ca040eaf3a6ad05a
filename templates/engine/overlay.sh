# Part overlay: directories of the host that can be written to, and stay as they are.
#
# A bwrap before 0.11 mounts no overlays: then another one, root in a namespace of its own, has
# mount(8) build them below /sys, and starts the sandbox.

# What earlier starts have tried: sets of overlays that can be made, and behind a ! what cannot.
overlay_notes=$memory/tried${bwrap//\//%} tried_overlays=''
if [[ -O $overlay_notes && ! $overlay_notes -ot $bwrap ]]; then
  IFS= read -r -d '' tried_overlays <"$overlay_notes" || :
fi
builder=() fstab='' alone=() reviewable=() between=()
# Shows a view of a directory. The functions below are its steps, and use its variables: path is
# the directory, at is where it stands, layer takes changes, and kept is a layer that is only read.
overlay() { # LAYERS SOURCE TARGET [READ]: changes go to LAYERS, or to memory; READ has layers, too
  local path=$2 at=$3 kept=${4:+$4$2/upper} layer=$1$2/upper
  [[ $path != /proc/nonexistent* ]] || return 0
  [[ $1 && $tried_overlays != *" !layers:$state "* ]] || layer=''
  [[ $tried_overlays != *" !warm "* ]] || kept=''
  if [[ -d $kept && ! -d $path ]] && ! shown "$at"; then path=$kept; fi # the host has nothing
  if ! enter_lower; then
    [[ $3 != "$project" ]] || die "no view of $project can be made" 'write project.access = "write"'
    stand_alone
    return
  fi
  follow_lower "$1" "$2"
  show "$3"
  [[ -d $kept && $kept != "$PWD" ]] || kept=''
  [[ -z $layer ]] || layers+=("$layer" "${layer%upper}work")
  uppers+=("$layer")
  lowers+=("$PWD")
  between+=("$kept")
  if [[ $lacks == *--overlay-src* ]]; then
    list_overlay
  elif [[ $layer ]]; then
    mounts+=(--overlay-src "$PWD" ${kept:+--overlay-src "$kept"})
    mounts+=(--overlay "$layer" "${layer%upper}work" "$at")
  else
    mounts+=(--overlay-src "$PWD" ${kept:+--overlay-src "$kept"} --tmp-overlay "$at")
  fi
}
# Goes to the directory, if there is one of which overlays can be made.
enter_lower() {
  [[ -x $path/ ]] && cd -P -- "$path" || return 1
  [[ $tried_overlays != @(*" !overlays "*|*" !$PWD "*) ]] || return 1
  # What leads through /proc is somewhere else for each process.
  [[ $PWD/ != @(/proc|/sys|/dev)/* && $path != /proc/* && $home/ != "${PWD%/}"/* ]] \
    && [[ $path != "$project"/* || $PWD/ == "$project"/* ]] \
    || die "refusing to share $path: it leads to $PWD" "mend the variable or the link"
}
# There is nothing to see, or all that is seen is of the sandbox's own. In what is shown of the host
# nothing can stand where there is nothing.
stand_alone() {
  [[ -d $at ]] || ! shown "$at" || return 0
  if [[ $layer ]]; then
    layers+=("$layer")
    alone+=("$layer")
    mounts+=(--bind "$layer" "$at")
  elif [[ $base == select ]]; then
    mounts+=(--tmpfs "$at")
  fi
}
# No overlay stands on a link: the link is there inside, too, and the overlay where it leads.
follow_lower() { # LAYERS SOURCE
  # Links above it are none inside.
  if [[ $PWD != "$path" ]]; then
    cd -- "$path"
    [[ $at != "$path" ]] || at=$PWD
    path=$PWD
    cd -P .
  fi
  [[ $PWD != "$path" ]] || return 0
  [[ $at != "$path" || $base != host ]] || at=$PWD
  if [[ $at == "$path" && $at != @($visible)/* && "|$visible" != *"|$at/"* ]]; then
    mounts+=(--symlink "$PWD" "$at")
    links+=("$at" "$PWD")
    at=$PWD
  fi
  layer=${layer/#"$1$2"/"$1$PWD"} kept=${kept/%"$2/upper"/"$PWD/upper"}
}
# An old bwrap mounts no overlay: it is listed for mount(8), and what that has made is shown.
list_overlay() {
  local below=/sys/${#lowers[@]} upper
  upper=$below/mine
  builder+=(--dir "$below/view" --dir "$upper/upper" --dir "$upper/work")
  builder+=(--symlink "$PWD" "$below/lower" --symlink "${kept:-/}" "$below/kept")
  builder+=(--symlink "${layer%upper}." "$below/own")
  [[ -z $layer ]] || upper=$below/own
  fstab+="overlay $below/view overlay userxattr,lowerdir=${kept:+$below/kept:}$below/lower"
  fstab+=",upperdir=$upper/upper,workdir=$upper/work"$'\n'
  mounts+=(--bind "$below/view" "$at")
}
build_overlays() {
  # What was tried for one project holds for others whose layers are in the same state directory.
  overlay_set=" ${lowers[*]}:"${uppers[*]/#?*/"$state"}${warm:+:warm}' '
  [[ $tried_overlays == *"$overlay_set"* ]] || untried=yes
  [[ $fstab ]] || return 0
  feed "$fstab"
  launch+=(--die-with-parent --dev-bind / / --tmpfs /sys --file "$fd" /sys/fstab "${builder[@]}")
  ((UID == 0)) || launch+=(--unshare-user --uid 0 --gid 0 --cap-add CAP_SYS_ADMIN
    --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP)
  launch+=(-- /bin/sh -c "PATH=$system_path mount -n -a -T /sys/fstab && exec \"\$@\"" sh "$bwrap")
}
# A layer of a directory that the host has no more stands alone: what it hid is no file.
clean_layers() {
  local layer
  for layer in "${alone[@]}"; do
    [[ -d ${layer%upper}work ]] || continue
    find "$layer" -type c -delete
    chmod -R u+rwx -- "${layer%upper}work"
    rm -rf -- "${layer%upper}work"
  done
}
before+=(clean_layers)
finish+=(build_overlays)
for path in "${brief_views[@]}"; do overlay '' "$path" "$path"; done
for path in "${kept_views[@]}"; do overlay "$slot" "$path" "$path" "$warm"; done
