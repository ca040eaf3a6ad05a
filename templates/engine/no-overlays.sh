# --- no-overlays
# Finds out which overlays work on this host, once. What cannot be mounted is reported and
# remembered until bwrap changes, and the launcher starts again without it.
# Reads: lacks, lowers, overlay_notes, overlay_set, untried, uppers.

# Reports whether overlays can be mounted, all in one sandbox, and written to.
attempt() { # [LOWER BETWEEN UPPER]...
  local words=(--dev-bind / / --tmpfs /sys) at upper work script=:
  if [[ $lacks != *--overlay-src* ]]; then
    words+=(--unshare-user)
  elif ((UID > 0)); then
    words+=(--unshare-user --uid 0 --gid 0 --cap-add ALL)
  fi
  while (($#)); do
    at=/sys/$# upper=$3
    work=${upper%upper}work
    words+=(--dir "$at/view" --dir "$at/upper" --dir "$at/work")
    if [[ $lacks == *--overlay-src* ]]; then
      words+=(--symlink "$1" "$at/l" --symlink "${upper:-upper}" "$at/u" --symlink "$work" "$at/w")
      words+=(--symlink "${2:-/}" "$at/b")
      script+=" && mount -n -t overlay o $at/view -o \
userxattr,lowerdir=${2:+$at/b:}$at/l,upperdir=$at/u,workdir=$at/w"
    elif [[ $upper ]]; then
      words+=(--overlay-src "$1" ${2:+--overlay-src "$2"} --overlay "$upper" "$work" "$at/view")
    else
      words+=(--overlay-src "$1" ${2:+--overlay-src "$2"} --tmp-overlay "$at/view")
    fi
    script+=" && test -w $at/view"
    shift 3
  done
  env -i PATH="$system_path" "$bwrap" "${words[@]}" -- /bin/sh -c "$script" >/dev/null 2>&1
}
# Sets REPLY to what to remember if an overlay cannot be mounted. A path: that of this directory;
# overlays: none can; warm: none that reads the layers of other runs; layers: none with upper layers
# in that directory.
find_limit() { # LOWER BETWEEN UPPER
  local bare=(env -i "$bwrap" --dev-bind / / true)
  REPLY=$1
  if ! attempt "$memory" '' '' && "${bare[@]}" 2>/dev/null; then
    REPLY=overlays
  elif [[ $2 ]] && attempt "$1" '' "$3"; then
    REPLY=warm # for example, because overlayfs runs with index=on
  elif [[ $3 ]] && attempt "$1" '' ''; then
    mkdir -p -- "${3%upper}room"/{1,2,3,4} || die "there is no room in $state" "make room there"
    rm -r -- "${3%upper}room"
    REPLY=layers:$state
  fi
}
if [[ $outer ]] && ! env -i "$bwrap" --dev-bind / / true 2>/dev/null; then
  untried='' lowers=() # no sandbox works inside the one around this launcher
fi
for step in "${makers[@]}"; do "$step"; done
refused='' names=() pairs=()
IFS= read -r -d '' text </proc/self/mounts || :
for i in "${!lowers[@]}"; do
  path=${lowers[i]//\\/\\134} # as /proc/self/mounts writes it
  path=${path// /\\040}
  path=${path//$'\t'/\\011}
  path=${path//$'\n'/\\012}
  [[ ! $text =~ " $path/"([^ ]*) ]] || die "cannot mount an overlay of ${lowers[i]}: \
${lowers[i]}/${BASH_REMATCH[1]} is a mount point" "unmount it, or move the cache elsewhere"
  pairs+=("${lowers[i]}" "${kepts[i]}" "${uppers[i]}")
done
if ((${#pairs[@]} > 0)) && ! attempt "${pairs[@]}"; then
  for i in "${!lowers[@]}"; do
    ! attempt "${pairs[@]:3*i:3}" || continue
    find_limit "${pairs[@]:3*i:3}"
    [[ $tried_overlays$refused == *" !$REPLY "* ]] || refused+=" !$REPLY "
    [[ $REPLY != /* ]] || names+=("$REPLY")
  done
fi
# Other launchers add to this file, too. It stays short, because every start reads it.
note_overlays() { # TEXT
  [[ -w $memory ]] || return 0
  if [[ $overlay_notes -ot $bwrap ]] || ((${#tried_overlays} > 8000)); then
    : >"$overlay_notes"
  fi
  printf '%s' "$1" >>"$overlay_notes"
}
if [[ $refused && -w $memory ]]; then
  case $refused in
    *!overlays*) say "warning: overlays do not work here: caches start empty" ;;
    *!layers:*) say "warning: changes to caches will be discarded: $state holds no upper layers" ;;
    *!warm*) say "warning: cannot read caches that another run is using: this run starts cold" ;;
    *) say "warning: cannot mount an overlay of ${names[*]}: it starts empty" ;;
  esac
  note_overlays "$refused" 2>/dev/null || :
  IFS= read -r -d '' text <"$overlay_notes" || :
  [[ $text == *"$refused"* ]] || die "cannot write to $overlay_notes" "make room in $memory"
  unset BWRAPGEN "${set_variables[@]%%=*}"
  export -- "${inherited[@]}"
  PATH=$caller_path
  exec "$BASH" -p "$launcher" "${original[@]}"
fi
note_overlays "$overlay_set" 2>/dev/null || :
[[ -z $untried ]] || run
