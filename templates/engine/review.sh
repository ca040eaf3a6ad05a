# --- review
# Instead of a run: lists, shows or applies changes in overlays. It compares each overlay with the
# host's directory in a sandbox, which can write to that directory only to apply changes.
# Reads: action, folders, held_mounts, layers, named_by_git, own, project, repository, reviewable,
# store, stores, there. Sets: reviewed, safe, selected.

# Compares a layer with the host. Sets names (of files in the layer), had and has (the version of
# each on the host and in the overlay), and kinds (how each was changed; empty if it was not).
compare() {
  local name path
  had=() has=() kinds=(['.']='')
  mapfile -d '' -t names < <(cd -- "$layer" && find . -mindepth 1 -print0 2>/dev/null | sort -z)
  look_at had "$root"
  look_at has "$view"
  for name in "${names[@]}"; do kinds[$name]=''; done
  for name in "${names[@]}"; do
    judge_change "$name"
    [[ ${had[$name]-}:${has[$name]-} == 4*:4* && ${kinds[$name]} == @(|mode) ]] || continue
    set +f
    for path in "$root/$name"/*; do # an opaque directory hides what it does not name
      path=$name/${path##*/}
      [[ -z ${kinds[$path]+listed} && ! -e $view/$path && ! -L $view/$path ]] || continue
      kinds[$path]=deleted
      names+=("$path")
    done
    set -f
  done
}
judge_change() { # NAME: sets its kind
  local was=(${had[$1]-}) is=(${has[$1]-}) kind=''
  if [[ ${kinds[${1%/*}]-} == @(added|type) ]]; then was=(); fi # a link on the host leads elsewhere
  case ${was[0]-none}:${is[0]-none} in
    none:none) [[ -c $layer/$1 ]] || kind=closed ;; # deleted; or its name is too long
    none:2000) ;;
    none:*) kind=added ;;
    *:none) kind=deleted ;;
    4*:4*) [[ ${was[0]} == "${is[0]}" ]] || kind=mode ;;
    a*:a*) [[ ${had[$1]#* * * * * * } == "${has[$1]#* * * * * * }" ]] || kind=modified ;;
    8*:8*)
      [[ ${was[0]} == "${is[0]}" ]] || kind=mode
      if ((is[4] > 999999999)); then # it may take hours to read, so compare its size and times
        [[ ${was[*]:4} == "${is[*]:4}" && ! ${was[2]} < ${is[2]} ]] || kind=modified
      else
        cmp -s -- "$root/$1" "$view/$1" || kind=modified
      fi
      ;;
    *) kind='type' ;;
  esac
  [[ ${is[0]-} != 4* || -r $view/$1 && -x $view/$1 ]] || kind=closed
  kinds[$1]=$kind
}
# Reports whether the user named a change, a directory above it, or a file in a new directory.
asked_for() { # NAME
  local path=$root/${1#./} place status=1
  for place in "${selected[@]}"; do
    if [[ $path/ == "${place%/}"/* ]]; then
      found[$place]=yes status=0
    elif [[ $place == "$path"/* && ${kinds[$1]} == @(added|type) ]]; then
      place=$view/${place#"$root"/}
      [[ ! -e $place && ! -L $place ]] || status=0
    fi
  done
  return "$status"
}

# Prints a change, line by line.
show_change() { # NAME
  local name=${1#./} old=/dev/null new=/dev/null was=(${had[$1]-}) is=(${has[$1]-})
  printf '%s: %q\n' "${kinds[$1]}" "$root/$name"
  [[ ! -L b/$name ]] || printf '  -> %q\n' "$(readlink -- "b/$name")"
  [[ -z ${is[0]-} || ${is[0]} == "${was[0]-}" ]] || printf '  mode %o\n' "0x${is[0]}"
  [[ ${kinds[$1]} == added || -L a/$name || ! -f a/$name ]] || old=a/$name
  [[ -L b/$name || ! -f b/$name ]] || new=b/$name
  if ((${was[4]-0} > 999999999 || ${is[4]-0} > 999999999)); then
    printf '  too large to be compared\n'
  elif [[ $old$new != /dev/null/dev/null ]]; then
    diff -u -- "$old" "$new" || :
  fi
}
# On a terminal, replaces control and bidirectional formatting characters: they could hide changes.
plain() {
  [[ -t 1 ]] || exec cat
  local edit=$'s/[\x01-\x08\x0b-\x1f\x7f]/?/g;s/\xc2[\x80-\x9f]/?/g'
  edit+=$';s/\xd8\x9c/?/g;s/\xe2\x80[\x8e\x8f\xaa-\xae]/?/g;s/\xe2\x81[\xa6-\xa9]/?/g'
  [[ -n $no_color ]] || edit+=$';s/^-.*/\e[31m&\e[m/;s/^+.*/\e[32m&\e[m/;s/^@.*/\e[36m&\e[m/'
  sed "$edit"
}

# Lists, shows or applies the changes in one layer.
review_layer() { # HOST LAYER VIEW
  local root=$1 layer=$2 view=$3 i name names changes=() all=()
  local -A kinds had has noted=()
  ln -sfn -- "$root" a
  ln -sfn -- "$view" b
  [[ ! -s ${layer%upper}noted ]] || mapfile -d '' -t all <"${layer%upper}noted"
  for ((i = 0; i + 1 < ${#all[@]}; i++)); do # a note that a full disk cut off is skipped
    [[ ${all[i]} == ./* && ${all[i + 1]} =~ ^[0-9a-z]+\ [0-9a-z]+\ [0-9.]+$ ]] || continue
    : "${noted[${all[i]}]:=${all[i + 1]}}"
  done
  compare
  for name in "${names[@]}"; do
    [[ -z ${kinds[$name]} ]] || ! asked_for "$name" || changes+=("$name")
  done
  if [[ $action == apply ]]; then
    apply
    [[ ! -e $root ]] || sync -f -- "$root" # before they are removed from the layer
    compare
    prune
  elif [[ $action == status ]]; then
    for name in "${changes[@]}"; do printf '%-8s  %q\n' "${kinds[$name]}" "$root/${name#./}"; done
    printf 'changes in %q: %d, %s\n' "$root" "${#changes[@]}" \
      "$(cd -- "$layer" && du -sh | cut -f 1)"
  else
    for name in "${changes[@]}"; do show_change "$name"; done | plain
  fi
}
review() {
  local i place failed=0
  local -A found=(['/']=yes)
  cd /sys || return
  set -f # names are not patterns
  for ((i = 0; i < ${#reviewed[@]}; i += 3)); do review_layer "${reviewed[@]:i:3}"; done
  for place in "${selected[@]}"; do
    [[ -n ${found[$place]-} ]] || say "there are no changes in $place"
  done
  return "$failed"
}

# Mounts the overlays that contain a selected path, below /sys.
mount_layers() {
  local layer names place reached
  mounts=() lowers=() uppers=() kepts=() launch=("$bwrap")
  for layer in "${reviewable[@]}"; do
    names=("$layer"/*)
    host_of "$layer"
    path=$REPLY
    [[ -d $layer ]] || continue
    reached=''
    for place in "${selected[@]}"; do
      [[ $path/ != "${place%/}"/* && $place/ != "$path"/* ]] || reached=yes
    done
    [[ $reached ]] || continue
    if [[ $action == apply && ${#names[@]} -gt 0 ]]; then
      mkdir -p -- "$path"
      bounds+=(--bind "$path" "$path")
    fi
    if [[ -d $path ]]; then
      mkdir -p -- "${layer%upper}work"
      overlay "${layer%"$path/upper"}" "$path" "/sys/${#reviewed[@]}"
    else # the host has no such directory
      mounts+=(--bind "$layer" "/sys/${#reviewed[@]}")
    fi
    reviewed+=("$path" "$layer" "/sys/${#reviewed[@]}")
  done
}

if [[ $action == @(status|diff|apply) ]]; then
  selected=(/) reviewed=() safe=("${there[@]}" "${own[@]}" "${named_by_git[@]}")
  (($# == 0)) || mapfile -d '' -t selected \
    < <(cd -P -- "$cwd" && realpath -zms -- "${@/#"$spelled/"/"$home/"}" 2>/dev/null)
  (($# == 0 || $# == ${#selected[@]})) \
    || die "these are not names of files: ${*@Q}" "name files that were changed"
  for i in "${!selected[@]}"; do # follow a symbolic link only if it leads to an overlay
    path=${selected[i]}
    if cd -P -- "${path%/*}/" 2>/dev/null; then path=${PWD%/}/${path##*/}; fi
    if cd -P -- "$path" 2>/dev/null && [[ -d $store$PWD/upper ]]; then path=$PWD; fi
    selected[i]=$path
  done
  for layer in "${layers[@]}"; do
    [[ $layer == */upper && " ${reviewable[*]} " != *" $layer "* ]] || continue
    host_of "$layer"
    for path in "${selected[@]}"; do
      [[ $path/ != "$REPLY"/* ]] || die "$path is in a cache: its changes cannot be applied" \
        "--sandbox-status lists caches, --sandbox-discard discards what they keep"
    done
  done
  [[ -d $stores ]] || exit 0
  take_store
  take_notes
  trap : XFSZ
  if [[ -s $store/pending ]]; then # a copy that was left when applying was killed
    path=$(<"$store/pending")
    [[ $path != */.bwrapgen-apply ]] || erase "$path"
    : >"$store/pending"
  fi
  shopt -s dotglob
  status=0 bounds=(
    --die-with-parent --unshare-pid --cap-add CAP_DAC_OVERRIDE # to read files of any mode
    --ro-bind / / --dev /dev --bind "$stores" "$stores" --tmpfs /sys
  )
  mount_layers
  ((${#reviewed[@]})) || exit 0
  for step in "${builders[@]}"; do "$step"; done
  held=("$protected_here" "${protected_below[@]}" "${reserved[@]}")
  patterns=$(IFS='|' && printf %s "${held[*]}")
  env -i "PATH=$PATH" "${launch[@]}" "${bounds[@]}" "${mounts[@]}" "${held_mounts[@]}" -- \
    "$BASH" -p -c "set -euo pipefail
      shopt -s extglob nullglob dotglob
      $(declare -f)
      $(declare -p self locale action store project repository folders safe selected reviewed)
      patterns=${patterns@Q} no_color='${NO_COLOR:+yes}'
      review" || status=$?
  trap - EXIT
  # 141: the reader closed the pipe; 3: a change was refused
  [[ $status != @(0|141) ]] || exit "$status"
  [[ $status != 3 ]] || exit 1
  die "cannot review the changes" "the reason is above"
fi
