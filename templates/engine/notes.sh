# Part notes: what the host has of the changed names at the end of a run, and when the run began.
# shellcheck disable=SC2154 # other parts and the policy set and use these
# By that a review knows what the host has changed, removed or put there since.

host_of() { # LAYER: sets REPLY to the host's directory that it is a layer of
  REPLY=${1#"$stores"/}
  REPLY=/${REPLY#*/}
  REPLY=${REPLY%/upper}
}
# A layer without changes begins anew.
begin_notes() {
  local layer names
  shopt -s dotglob
  for layer in "${layers[@]}"; do
    [[ $layer == */upper ]] || continue
    names=("$layer"/*)
    if ((${#names[@]} == 0)); then
      : >"${layer%upper}since"
      : >"${layer%upper}noted"
    elif [[ ! -e ${layer%upper}since ]]; then
      : >"${layer%upper}since"
    fi
  done
  shopt -u dotglob
}
# Of each name the first note counts. What a killed run has changed, the next one notes.
take_notes() {
  local layer since names whole=()
  shopt -s dotglob
  for layer in "${layers[@]}"; do
    names=("$layer"/*)
    [[ $layer == */upper && -e ${layer%upper}since && ${#names[@]} -gt 0 ]] || continue
    since=$(stat -c %.9Y -- "${layer%upper}since")
    host_of "$layer"
    ! (note_names "$layer" "$REPLY" "$since") 2>/dev/null >>"${layer%upper}noted" \
      || whole+=("${layer%upper}since")
  done
  shopt -u dotglob
  ((${#whole[@]} == 0)) || rm -f -- "${whole[@]}"
}
note_names() { # LAYER HOST SINCE: prints each name with inode and mode, or none, and the time
  local recent=(-newerct "@$((${3%.*} - 1))")
  cd -- "$1" || return
  find . "${recent[@]}" -print0 | (cd -- "$2" && xargs -0 stat --printf "%n\0%i %f $3\0" --) || :
  find . "${recent[@]}" -printf "%p\0none - $3\0"
}
before+=(begin_notes)
after+=(take_notes)
