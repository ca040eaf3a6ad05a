# --- notes
# Records, after each run, what the host has of each name that the run changed.
# A review then refuses what the host changed since that run began. It reads reviewable and store;
# the notes lie beside each layer, and the time of store/since is when the run began.
# shellcheck disable=SC2154 # other parts and the policy set and use these

begin_notes() {
  take_notes # of a run that was killed
  [[ -e $store/since ]] || : >"$store/since"
}
# Appends to the notes of each layer; the first note of a name counts. Notes that cannot be written
# now are written by the next run, with the start of this one.
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
# Sets the items of a table to what a directory has of each of names: mode, inode, time of change,
# links, size, time, link target.
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
