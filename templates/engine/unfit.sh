# Part unfit: overlays that nobody has tried here, or with which bwrap has failed. What cannot be
# made is said, remembered until bwrap changes, and the launcher starts anew without.

attempt() { # LOWER UPPER: whether an overlay can be made
  local words=(--dev-bind / / --tmpfs /sys --dir /sys/upper --dir /sys/work)
  local at=${2:-/sys/upper} work=/sys/work
  [[ -z $2 ]] || work=${2%upper}work
  if [[ $lacks == *--overlay-src* ]]; then
    ((UID == 0)) || words+=(--unshare-user --uid 0 --gid 0 --cap-add ALL)
    words+=(--symlink "$1" /sys/l --symlink "$at" /sys/u --symlink "$work" /sys/w -- /bin/sh -c)
    words+=("PATH=$system_path mount -n -t overlay o /mnt -o \
userxattr,lowerdir=/sys/l,upperdir=/sys/u,workdir=/sys/w")
  else
    words+=(--unshare-user --overlay-src "$1" --overlay "$at" "$work" /mnt -- true)
    [[ -n $2 ]] || words=(--unshare-user --dev-bind / / --overlay-src "$1" --tmp-overlay /mnt true)
  fi
  env -i "$bwrap" "${words[@]}" >/dev/null 2>&1
}
unfit() { # LOWER UPPER: what there is to remember of an overlay that cannot be made
  local bare=(env -i "$bwrap" --dev-bind / / true)
  if ! attempt "$memory" '' && "${bare[@]}" 2>/dev/null; then
    printf '%s' %overlays
  elif [[ $2 ]] && attempt "$1" ''; then
    printf '%s' "%layers:$state"
  else
    printf '%s' "$1"
  fi
}
((${#layers[@]} == 0)) || make_layers
good='' lost='' names=()
IFS= read -r -d '' text </proc/self/mounts || :
for i in "${!lowers[@]}"; do
  [[ $found != *" +${lowers[i]}:${uppers[i]} "* ]] || [[ -z $untried ]] || continue
  path=${lowers[i]//\\/\\134}
  path=${path// /\\040}
  path=${path//$'\t'/\\011}
  path=${path//$'\n'/\\012}
  [[ ! $text =~ " $path/"([^ ]*) ]] || die "no view of ${lowers[i]} can be made: \
${lowers[i]}/${BASH_REMATCH[1]} is mounted below it" "unmount it, or have the cache elsewhere"
  if attempt "${lowers[i]}" "${uppers[i]}"; then
    good+=" +${lowers[i]}:${uppers[i]} "
    continue
  fi
  path=$(unfit "${lowers[i]}" "${uppers[i]}")
  [[ $found$lost == *" $path "* ]] || lost+=" $path "
  [[ $path == %* ]] || names+=("$path")
done
if [[ $lost && -w $memory ]]; then
  case $lost in
    *%overlays*) say "no overlays can be made here: caches are empty, or the store's own" ;;
    *%layers*) say "$stores holds no layers: what is written to caches is thrown away" ;;
    *) say "no overlay of ${names[*]} can be made: empty, or the store's own" ;;
  esac
  printf '%s' "$lost" >>"$found_in"
  export -- "${inherited[@]}"
  PATH=$caller_path
  exec "$BASH" -p "$0" "${original[@]}"
fi
if [[ -w $memory ]]; then
  # A long record would cost each run more than to try again.
  ((${#found} < 8000)) || : >"$found_in"
  printf '%s' "$good" >>"$found_in"
fi
[[ -z $untried ]] || run
