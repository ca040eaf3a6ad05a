# --- overlay
# Mounts overlays: directories of the host with private changes on top.
# Reads: brief_views, kept_views, lacks, memory, old_bwrap, slot, state, warm.
# Sets: kepts, layers, links, lowers, overlay_notes, overlay_set, tried_overlays, untried, uppers.

# What earlier starts have found out: sets of overlays that work, and after a "!" what does not.
overlay_notes=$memory/tried${bwrap//\//%} tried_overlays=''
if [[ -O $overlay_notes && ! $overlay_notes -ot $bwrap ]]; then
  IFS= read -r -d '' tried_overlays <"$overlay_notes" || :
fi
if [[ $lacks == *--overlay-src* && $old_bwrap != yes ]]; then
  say "warning: $bwrap cannot mount overlays: caches start empty; install bubblewrap 0.11 or \
later, or generate the launcher on this machine"
  tried_overlays+=' !overlays '
fi
kepts=() alone=() reviewable=()
# LAYERS is the directory in which upper layers are kept; if it is '', changes are lost on exit.
# READ is a directory with layers that are only read.
overlay() { # LAYERS SOURCE TARGET [READ]
  local path=$2 at=$3 layer=$1$2/upper kept=${4:+$4$2/upper}
  check_path "$path" || return 0
  [[ $1 && $tried_overlays != *" !layers:$state "* ]] || layer=''
  [[ $tried_overlays != *" !warm "* ]] || kept=''
  if [[ -d $kept && ! -d $path ]] && ! shown "$at"; then path=$kept; fi
  if ! enter_lower "$path"; then
    [[ $3 != "$project" ]] || die "cannot mount an overlay of $project" \
      'in the profile, set project.access = "write"'
    mount_alone "$layer" "$at"
    return
  fi
  # bwrap cannot mount on a symbolic link: the link is created inside, and the mount where it leads.
  if [[ $PWD != "$path" ]]; then # symbolic links in its path do not exist inside
    cd -- "$path"
    [[ $at != "$path" ]] || at=$PWD
    path=$PWD
    cd -P .
  fi
  if [[ $PWD != "$path" ]]; then
    [[ $at != "$path" || $base != host ]] || at=$PWD
    if [[ $at == "$path" && $at != @($visible)/* && "|$visible" != *"|$at/"* ]]; then
      mounts+=(--symlink "$PWD" "$at")
      links+=("$at" "$PWD")
      at=$PWD
    fi
    layer=${layer/#"$1$2"/"$1$PWD"} kept=${kept/%"$2/upper"/"$PWD/upper"}
  fi
  show "$3"
  [[ -d $kept && $kept != "$PWD" ]] || kept=''
  [[ -z $layer ]] || layers+=("$layer" "${layer%upper}work")
  if [[ $lacks == *--overlay-src* ]]; then
    mounts+=(--bind "/sys/${#lowers[@]}/view" "$at") # made by part old-bwrap
  else
    mounts+=(--overlay-src "$PWD" ${kept:+--overlay-src "$kept"})
    if [[ $layer ]]; then
      mounts+=(--overlay "$layer" "${layer%upper}work" "$at")
    else
      mounts+=(--tmp-overlay "$at")
    fi
  fi
  uppers+=("$layer")
  kepts+=("$kept")
  lowers+=("$PWD")
}
# Goes to a directory, if an overlay of it can be mounted.
enter_lower() { # PATH
  [[ -x $1/ ]] && cd -P -- "$1" || return 1
  [[ $tried_overlays != @(*" !overlays "*|*" !$PWD "*) ]] || return 1
}
# Without a directory of the host, the sandbox has the upper layer alone, or an empty directory.
mount_alone() {                           # LAYER TARGET
  [[ -d $2 ]] || ! shown "$2" || return 0 # bwrap could not create the mount point
  if [[ $1 ]]; then
    layers+=("$1")
    alone+=("$1")
    mounts+=(--bind "$1" "$2")
  elif [[ $base == select ]]; then
    mounts+=(--tmpfs "$2")
  fi
}
# In an upper layer that is mounted alone, whiteouts hide nothing, and would be visible.
clean_layers() {
  local layer
  for layer in "${alone[@]}"; do
    [[ -d ${layer%upper}work ]] || continue
    find "$layer" -type c -delete
    chmod -R u+rwx -- "${layer%upper}work"
    rm -rf -- "${layer%upper}work"
  done
}
# An overlay that worked for one project works for others whose layers are in the same state
# directory.
find_untried() {
  overlay_set=" ${lowers[*]}:"${uppers[*]/#?*/"$state"}${warm:+:warm}' '
  [[ $tried_overlays == *"$overlay_set"* ]] || untried=yes
}
before+=(clean_layers)
finish+=(find_untried)
for path in "${brief_views[@]}"; do overlay '' "$path" "$path"; done
for path in "${kept_views[@]}"; do overlay "$slot" "$path" "$path" "$warm"; done
