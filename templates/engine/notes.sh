# --- notes
# Notes what the host has of each file that a run changed in an overlay. Changes are not applied to
# files that the host changed as well.
# Reads: reviewable, state, store.

host_of() { # LAYER: sets REPLY to the host directory whose upper layer it is
  REPLY=/${1#"$state"/*/*/}
  REPLY=${REPLY%/upper}
}
begin_notes() {
  take_notes # for a run that was killed
  [[ -e $store/since || ! -d $store ]] || : >"$store/since"
}
# Appends to the notes of each layer; the first note on a name counts. The time of store/since is
# when the run began. If the notes cannot be written, the next run writes them.
take_notes() {
  local layer name names note since
  since=$(stat -c %.9Y -- "$store/since" 2>/dev/null) || return 0
  for layer in "${reviewable[@]}"; do
    [[ -d $layer ]] || continue
    local -A now=()
    [[ -r $layer ]] && mapfile -d '' -t names \
      < <(cd -- "$layer" && find . -mindepth 1 -newerct "@$((${since%.*} - 1))" -print0) || return 0
    host_of "$layer"
    ((${#names[@]} == 0)) || look_at now "$REPLY"
    for name in "${names[@]}"; do
      note=(${now[$name]-none none})
      printf '%s\0%s\0' "$name" "${note[*]:0:2} $since" || return 0
    done >>"${layer%upper}noted" || return 0
  done
  rm -f -- "$store/since"
} 2>/dev/null
# Sets TABLE[NAME] for each of names to what DIRECTORY has there: mode, inode, time of last status
# change, number of links, size, time of last modification, name and link target.
look_at() { # TABLE DIRECTORY
  local -n table=$1
  local i all
  mapfile -d '' -t all < <(cd -- "$2" 2>/dev/null && printf '%s\0' "${names[@]}" \
    | xargs -0 stat --printf '%n\0%f %i %.9Z %h %s %.9Y %N\0' -- 2>/dev/null)
  # shellcheck disable=SC2004 # no index of a plain array
  for ((i = 0; i < ${#all[@]}; i += 2)); do table[${all[i]}]=${all[i + 1]}; done
}
before+=(begin_notes)
after+=(take_notes)
