# --- slots
# Keeps caches in four slots, shared by launchers and worktrees of a repository. Each run has a
# slot to itself, and also reads the first slot, so that all start warm.
# Reads: action, project, project_access, repository. Sets: lock, slot, slots, warm.

path=$repository
if [[ ! -e $path ]]; then path=$project; fi
name_directory '' "$path"
slots=$REPLY/cache
# A launcher that cannot change the project must not fill the caches of those that can.
if [[ $project_access != write ]]; then slots=$REPLY/$project_access-cache; fi
slot=$slots.1
if [[ $action == @(run|shell|doctor) ]]; then
  private+=(${lock:+"$lock"}) # bwrap can hold only one lock, so this script holds that of the store
  # Waits briefly for slot 1, which a run may be releasing. Number 5 is not a slot: runs without one
  # share its lock, so that nobody discards slot 1 while they read it.
  waits=(-w0.2 -n -n -n -sw1)
  for slot in "$slots".{1..5}; do
    status=0
    take_lock "$slot" "${waits[${slot##*.} - 1]}" || status=$?
    ((status == 1)) || break
  done
  if [[ $status == 0 && $slot != *.1 ]]; then warm=$slots.1; fi
  if [[ $status != 0 || $slot == *.5 ]]; then
    say "warning: changes to caches will be discarded: ${REPLY#"${slots%/*}/"}"
    slot=''
  fi
  [[ -s ${slots%/*}/about ]] || printf '\0%s\0' "$path" 2>/dev/null >"${slots%/*}/about" || :
fi
