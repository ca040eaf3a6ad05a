# Part no-overlays: overlays that nobody has tried here, or with which bwrap has failed. What cannot
# be made is said and remembered until bwrap changes, and the launcher starts again without it.

# Reports whether overlays can be made, all in one sandbox, and written to.
attempt() { # [LOWER BETWEEN UPPER]...
  local words=(--dev-bind / / --tmpfs /sys) at upper work script=:
  if [[ $lacks != *--overlay-src* ]]; then
    words+=(--unshare-user)
  elif ((UID > 0)); then
    words+=(--unshare-user --uid 0 --gid 0 --cap-add ALL)
  fi
  while (($# > 0)); do
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
# Sets unfit to what there is to remember of an overlay that cannot be made.
unfit() { # LOWER BETWEEN UPPER
  local bare=(env -i "$bwrap" --dev-bind / / true)
  unfit=$1
  if ! attempt "$memory" '' '' && "${bare[@]}" 2>/dev/null; then
    unfit=overlays
  elif [[ $2 ]] && attempt "$1" '' "$3"; then
    unfit=warm # as with index=on, another run's layer cannot be read
  elif [[ $3 ]] && attempt "$1" '' ''; then
    mkdir -p -- "${3%upper}room"/{1,2,3,4} || die "no room in $state" "make room there"
    rm -r -- "${3%upper}room"
    unfit=layers:$state
  fi
}
if [[ $outer ]] && ! env -i "$bwrap" --dev-bind / / true 2>/dev/null; then
  untried='' lowers=() # no sandbox can be made inside that one
fi
((${#layers[@]} == 0)) || make_layers
refused='' names=() pairs=()
IFS= read -r -d '' text </proc/self/mounts || :
for i in "${!lowers[@]}"; do
  path=${lowers[i]//\\/\\134}
  path=${path// /\\040}
  path=${path//$'\t'/\\011}
  path=${path//$'\n'/\\012}
  [[ ! $text =~ " $path/"([^ ]*) ]] || die "no view of ${lowers[i]} can be made: \
${lowers[i]}/${BASH_REMATCH[1]} is mounted below it" "unmount it, or have the cache elsewhere"
  pairs+=("${lowers[i]}" "${between[i]}" "${uppers[i]}")
done
if ((${#pairs[@]} > 0)) && ! attempt "${pairs[@]}"; then
  for i in "${!lowers[@]}"; do
    ! attempt "${pairs[@]:3*i:3}" || continue
    unfit "${pairs[@]:3*i:3}"
    [[ $tried_overlays$refused == *" !$unfit "* ]] || refused+=" !$unfit "
    [[ $unfit != /* ]] || names+=("$unfit")
  done
fi
# Others add to the note meanwhile. A long one would cost each start more than to try again.
note_overlays() { # TEXT
  [[ -w $memory ]] || return 0
  if [[ $overlay_notes -ot $bwrap ]] || ((${#tried_overlays} > 8000)); then
    : >"$overlay_notes"
  fi
  printf '%s' "$1" >>"$overlay_notes"
}
if [[ $refused && -w $memory ]]; then
  case $refused in
    *!overlays*) say "no overlays can be made here: caches are empty, or the store's own" ;;
    *!layers:*) say "$state holds no layers: what is written to caches is thrown away" ;;
    *!warm*) say "caches that another run is using cannot be read: this run starts without them" ;;
    *) say "no overlay of ${names[*]} can be made: empty, or the store's own" ;;
  esac
  note_overlays "$refused" 2>/dev/null || :
  IFS= read -r -d '' text <"$overlay_notes" || :
  [[ $text == *"$refused"* ]] || die "cannot write to $overlay_notes" "make room in $memory"
  unset BWRAPGEN "${set_variables[@]%%=*}"
  export -- "${inherited[@]}"
  PATH=$caller_path
  exec "$BASH" -p "$0" "${original[@]}"
fi
note_overlays "$overlay_set" 2>/dev/null || :
[[ -z $untried ]] || run
