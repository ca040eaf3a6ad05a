# Part notes: what the host has of the changed names at the end of a run, and when the run began.
# shellcheck disable=SC2154 # other parts and the policy set and use these
# By that a review knows what the host has changed, removed or put there since.

find_changed() { # sets changed to the layers that hold something
  local layer names
  changed=()
  shopt -s dotglob
  for layer in "${reviewable[@]}"; do
    names=("$layer"/*)
    ((${#names[@]} == 0)) || changed+=("$layer")
  done
  shopt -u dotglob
}
begin_notes() { # a layer without changes begins anew
  local layer
  find_changed
  for layer in "${reviewable[@]}"; do
    [[ " ${changed[*]} " == *" $layer "* ]] || : >"${layer%upper}noted"
  done
  ((${#changed[@]})) || : >"$store/noted"
  [[ ${#changed[@]} -gt 0 && -e $store/since ]] || : >"$store/since"
}
# Of each name the first note counts. What a killed run has changed, the next one notes.
take_notes() {
  find_changed
  [[ ${#changed[@]} -gt 0 && -e $store/since ]] || return 0
  ! note_names 2>/dev/null >>"$store/noted" || rm -f -- "$store/since"
}
# Prints for each name what the host has there, if that is something, and then the name in the
# layer; each with inode, mode and the time.
note_names() {
  local since
  since=$(stat -c %.9Y -- "$store/since") || return
  find "${changed[@]}" -newerct "@$((${since%.*} - 1))" -printf '%H/./%P\0' \
    | LC_ALL=C sed -zE "s|^.{${#stores}}/[^/]*(.*)/upper/\./(.*)|\1/\2\x00&|" \
    | xargs -0 stat --printf "%n\0%i %f $since\0" -- || :
  printf '\0' # or the disk is full
}
before+=(begin_notes)
after+=(take_notes)
