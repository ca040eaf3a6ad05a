# Part review: what was changed in the layers, and what becomes of it.
# shellcheck disable=SC2034,SC2154,SC2206 # other parts and the policy set and use these
#
# A layer is compared with the host's directory as the kernel shows both: in a namespace that has
# the overlays, and where nothing can be written to but the store and, to apply changes, the host's
# directories without what is protected.

# Sets names to those in the layer, had and has to what the host and the overlay have of each: mode,
# inode, time of change, links, size, time, and where a link leads; kinds to what became of it.
compare() {
  local name path
  had=() has=() kinds=(['.']='')
  mapfile -d '' -t names < <(cd -- "$layer" && find . -mindepth 1 -print0 2>/dev/null)
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
  for path in "${selected[@]}"; do # a part of what was deleted as a whole
    name=./${path#"$root"/}
    [[ $path == "$root"/* && -z ${kinds[$name]+listed} ]] || continue
    [[ -e $path || -L $path ]] && [[ ! -e $view/$name && ! -L $view/$name ]] || continue
    kinds[$name]=deleted
    names+=("$name")
  done
}
look_at() { # TABLE DIRECTORY
  local -n table=$1
  local i all
  mapfile -d '' -t all < <(cd -- "$2" 2>/dev/null && printf '%s\0' "${names[@]}" \
    | xargs -0 stat --printf '%n\0%f %i %.9Z %h %s %.9Y %N\0' -- 2>/dev/null)
  # shellcheck disable=SC2004 # no index of a plain array
  for ((i = 0; i < ${#all[@]}; i += 2)); do table[${all[i]}]=${all[i + 1]}; done
}
judge_change() { # NAME: sets its kind
  local was=(${had[$1]-}) is=(${has[$1]-}) kind=''
  [[ ${kinds[${1%/*}]-} != @(added|type) ]] || was=() # a link of the host's leads elsewhere
  case ${was[0]-none}:${is[0]-none} in
    none:none) [[ -c $layer/$1 ]] || kind=closed ;; # deleted; or its name is too long
    none:2000) ;;
    none:*) kind=added ;;
    *:none) kind=deleted ;;
    4*:4*) [[ ${was[0]} == "${is[0]}" ]] || kind=mode ;;
    a*:a*)
      kind=touched
      [[ ${had[$1]#* * * * * * } == "${has[$1]#* * * * * * }" ]] || kind=modified
      ;;
    8*:8*)
      kind=touched
      [[ ${was[0]} == "${is[0]}" ]] || kind=mode
      if [[ ${was[4]} != "${is[4]}" ]] || ! alike "$1"; then
        kind=modified
        [[ ! ${was[2]} > ${is[2]} ]] || kind=stale # the host's is newer
      fi
      ;;
    *) kind='type' ;;
  esac
  [[ ${is[0]-} != 4* || -r $view/$1 && -x $view/$1 ]] || kind=closed
  kinds[$1]=$kind
}
# Reports whether files hold the same. To read a huge one may take hours, and its times tell.
alike() { # NAME
  if ((is[4] > 999999999)); then
    [[ ${was[5]} == "${is[5]}" && ! ${was[2]} < ${is[2]} ]]
  else
    cmp -s -- "$root/$1" "$view/$1"
  fi
}

# Reports whether a change was asked for: it, what it lies in, or something in a new directory.
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

# Shows the lines that differ.
show_all() {
  local name
  for name in "${changes[@]}"; do show_change "$name"; done
}
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
# On a terminal, what that would obey or show in another order is replaced: a change could hide so.
plain() {
  local edit=$'s/[\x01-\x08\x0b-\x1f\x7f]/?/g;s/\xc2[\x80-\x9f]/?/g'
  edit+=$';s/\xd8\x9c/?/g;s/\xe2\x80[\x8e\x8f\xaa-\xae]/?/g;s/\xe2\x81[\xa6-\xa9]/?/g'
  [[ -n $no_color ]] || edit+=$';s/^-.*/\e[31m&\e[m/;s/^+.*/\e[32m&\e[m/;s/^@.*/\e[36m&\e[m/'
  sed "$edit"
}

# Does with one layer what was asked for.
review_layer() { # HOST LAYER VIEW
  local root=$1 layer=$2 view=$3 name names changes=()
  local -A kinds had has noted=()
  ln -sfn -- "$root" a
  ln -sfn -- "$view" b
  read_notes
  compare
  ((${#names[@]} == 0)) || mapfile -d '' -t names < <(printf '%s\0' "${names[@]}" | sort -z)
  for name in "${names[@]}"; do
    [[ -n ${kinds[$name]} && (${kinds[$name]} != touched || $action == sta*) ]] || continue
    ! asked_for "$name" || changes+=("$name")
  done
  case $action in
    status | stale) list ;;
    diff) if [[ -t 1 ]]; then show_all | plain; else show_all; fi ;;
    refresh) prune ;;
    apply | force)
      apply
      [[ ! -e $root ]] || sync -f -- "$root" # before the layer forgets it
      compare
      prune
      ;;
  esac
}
# Hands the notes of the runs out to the layers.
sort_notes() {
  local i name path='' note='' all=()
  [[ ! -s $store/noted ]] || mapfile -d '' -t all <"$store/noted"
  for ((i = 0; i + 1 < ${#all[@]}; i++)); do # one that was cut off is skipped
    [[ ${all[i + 1]} =~ ^[0-9]+\ [0-9a-f]+\ [0-9.]+$ ]] || continue
    if [[ ${all[i]} == "$stores"/*/upper/./* ]]; then
      name=./${all[i]#*/upper/./}
      host_of "${all[i]%%/./*}"
      [[ $path == "$REPLY${name#.}" ]] || note="none - ${all[i + 1]##* }"
      printf '%s\0%s\0' "${name%/}" "$note" >>"${all[i]%%upper/./*}noted" || return
    fi
    path=${all[i]} note=${all[i + 1]}
  done
  : >"$store/noted"
}
read_notes() {
  local i all=()
  [[ ! -s ${layer%upper}noted ]] || mapfile -d '' -t all <"${layer%upper}noted"
  for ((i = 0; i + 1 < ${#all[@]}; i++)); do # one that was cut off is skipped
    [[ ${all[i]} == .* && ${all[i + 1]} =~ ^[^/\ ]+\ [^/\ ]+\ [0-9.]+$ ]] || continue
    : "${noted[${all[i]}]:=${all[i + 1]}}"
  done
}
list() {
  local name
  for name in "${changes[@]}"; do
    [[ $action == status || ${kinds[$name]} == @(stale|touched) ]] || continue
    printf '%-8s  %q\n' "${kinds[$name]}" "$root/${name#./}"
  done
  [[ $action == stale ]] || printf 'changes in %q: %d, %s\n' "$root" "${#changes[@]}" \
    "$(cd -- "$layer" && du -sh | cut -f 1)"
}
review() {
  local i place failed=0
  local -A found=(['/']=yes)
  cd /sys || return
  set -f # names are no patterns
  for ((i = 0; i < ${#reviewed[@]}; i += 3)); do review_layer "${reviewed[@]:i:3}"; done
  for place in "${selected[@]}"; do
    [[ -n ${found[$place]-} ]] || say "nothing has changed at $place"
  done
  return "$failed"
}

# Makes the overlays of the layers, each at a place of its own.
mount_layers() {
  local layer names
  mounts=() lowers=() uppers=() builder=() fstab='' launch=("$bwrap")
  for layer in "${reviewable[@]}"; do
    names=("$layer"/*)
    host_of "$layer"
    path=$REPLY
    [[ -d $layer ]] || continue
    reaches "$path" || continue
    if [[ $action == @(apply|force) && ${#names[@]} -gt 0 ]]; then
      mkdir -p -- "$path"
      bounds+=(--bind "$path" "$path")
    fi
    if [[ -d $path ]]; then
      mkdir -p -- "${layer%upper}work"
      overlay "${layer%"$path/upper"}" "$path" "/sys/${#reviewed[@]}"
    else # all of it is new
      mounts+=(--bind "$layer" "/sys/${#reviewed[@]}")
    fi
    reviewed+=("$path" "$layer" "/sys/${#reviewed[@]}")
  done
}
# Starts the review there. It reads also what its owner may not.
start_review() {
  local patterns held status=0 bounds=(
    --die-with-parent --unshare-pid --cap-add CAP_DAC_OVERRIDE
    --ro-bind / / --dev /dev --bind "$stores" "$stores" --tmpfs /sys
  )
  mount_layers
  ((${#reviewed[@]})) || exit 0
  [[ -z $fstab ]] || build_overlays
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
  case $status in
    0 | 141) exit "$status" ;; # 141: who reads it has seen enough
    3) exit 1 ;;
  esac
  die "what was changed cannot be looked at" "the reason is above"
}
reaches() { # DIRECTORY: whether something in it was asked for
  local place
  for place in "${selected[@]}"; do
    [[ $1/ != "${place%/}"/* && $place/ != "$1"/* ]] || return 0
  done
  return 1
}

if [[ $action == @(status|diff|apply|force|refresh) ]]; then
  [[ $action != refresh || $# -eq 0 ]] \
    || die "--sandbox-refresh takes no path: $*" "it drops all that is no change"
  if [[ $action == status && ${1-} == --stale ]]; then
    action=stale
    shift
  fi
  selected=(/) reviewed=() caches=() safe=("${there[@]}" "${own[@]}" "${named_by_git[@]}")
  (($# == 0)) || mapfile -d '' -t selected \
    < <(cd -P -- "$cwd" && realpath -zms -- "${@/#"$spelled/"/"$home/"}" 2>/dev/null)
  (($# == 0 || $# == ${#selected[@]})) \
    || die "not the names of files: ${*@Q}" "name what was changed"
  for i in "${!selected[@]}"; do # a link is itself, unless it leads to an overlay
    path=${selected[i]}
    if cd -P -- "${path%/*}/" 2>/dev/null; then path=${PWD%/}/${path##*/}; fi
    if cd -P -- "$path" 2>/dev/null && [[ -d $store$PWD/upper ]]; then path=$PWD; fi
    selected[i]=$path
  done
  for layer in "${layers[@]}"; do
    [[ $layer == */upper && " ${reviewable[*]} " != *" $layer "* ]] || continue
    caches+=("$layer")
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
  sort_notes 2>/dev/null || : # on a full disk they stay where they are

  if [[ -s $store/pending ]]; then # what a killed application has left aside
    path=$(<"$store/pending")
    [[ $path != */.bwrapgen-apply ]] || erase "$path"
    : >"$store/pending"
  fi
  shopt -s dotglob
  [[ $action${selected[*]} != status/ ]] || list_caches "${caches[@]}"
  start_review
fi
