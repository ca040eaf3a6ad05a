# Part no-overlays: overlays that nobody has tried here, or with which bwrap has failed. What cannot
# be made is said and remembered until bwrap changes, and the launcher starts again without it.

attempt() { # LOWER UPPER: whether an overlay can be made, and written to
  local words=(--dev-bind / / --tmpfs /sys --dir /sys/upper --dir /sys/work --dir /sys/view)
  local at=${2:-/sys/upper} work=/sys/work script='test -w /sys/view'
  [[ -z $2 ]] || work=${2%upper}work
  if [[ $lacks == *--overlay-src* ]]; then
    ((UID == 0)) || words+=(--unshare-user --uid 0 --gid 0 --cap-add ALL)
    words+=(--symlink "$1" /sys/l --symlink "$at" /sys/u --symlink "$work" /sys/w)
    script="mount -n -t overlay o /sys/view -o \
userxattr,lowerdir=/sys/l,upperdir=/sys/u,workdir=/sys/w && $script"
  elif [[ $2 ]]; then
    words+=(--unshare-user --overlay-src "$1" --overlay "$at" "$work" /sys/view)
  else
    words+=(--unshare-user --overlay-src "$1" --tmp-overlay /sys/view)
  fi
  env -i PATH="$system_path" "$bwrap" "${words[@]}" -- /bin/sh -c "$script" >/dev/null 2>&1
}
unfit() { # LOWER UPPER: sets unfit to what there is to remember of an overlay that cannot be made
  local bare=(env -i "$bwrap" --dev-bind / / true)
  unfit=$1
  if ! attempt "$memory" '' && "${bare[@]}" 2>/dev/null; then
    unfit=overlays
  elif [[ $2 ]] && attempt "$1" ''; then
    mkdir -p -- "${2%upper}room"/{1,2,3,4} || die "no room in $stores" "make room there"
    rm -r -- "${2%upper}room"
    unfit=layers:$state
  fi
}
if [[ $outer ]] && ! env -i "$bwrap" --dev-bind / / true 2>/dev/null; then
  untried='' lowers=() # no sandbox can be made inside that one
fi
((${#layers[@]} == 0)) || make_layers
refused='' names=()
IFS= read -r -d '' text </proc/self/mounts || :
for i in "${!lowers[@]}"; do
  path=${lowers[i]//\\/\\134}
  path=${path// /\\040}
  path=${path//$'\t'/\\011}
  path=${path//$'\n'/\\012}
  [[ ! $text =~ " $path/"([^ ]*) ]] || die "no view of ${lowers[i]} can be made: \
${lowers[i]}/${BASH_REMATCH[1]} is mounted below it" "unmount it, or have the cache elsewhere"
  ! attempt "${lowers[i]}" "${uppers[i]}" || continue
  unfit "${lowers[i]}" "${uppers[i]}"
  [[ $tried_overlays$refused == *" !$unfit "* ]] || refused+=" !$unfit "
  [[ $unfit != /* ]] || names+=("$unfit")
done
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
    *!layers:*) say "$stores holds no layers: what is written to caches is thrown away" ;;
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
