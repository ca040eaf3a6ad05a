# --- scope
# Limits the memory and processes of the whole sandbox by a systemd scope.
# Reads: max_memory, max_tasks, max_processes, runtime. Sets: launch.

scope=() manager_runtime=${XDG_RUNTIME_DIR-}
if [[ ! -x /usr/bin/systemd-run || ! -d /run/systemd/system ]]; then
  manager_runtime=''
elif [[ $UID == 0 || -S $manager_runtime/systemd/private ]]; then
  scope=(--quiet --scope --collect "--description=$self")
  if ((UID != 0)); then
    scope+=(--user)
  fi
  if [[ -n $max_memory ]]; then
    scope+=("--property=MemoryMax=$max_memory" --property=MemorySwapMax=0)
  fi
  if [[ -n $max_tasks ]]; then
    scope+=("--property=TasksMax=$max_tasks")
  fi
fi
[[ $UID != 0 || -z $max_processes || ${#scope[@]} -gt 0 ]] \
  || die "cannot apply limits.processes: the kernel exempts root, and systemd does not run here" \
    "run it as an ordinary user, or remove limits.processes from the profile"
start_in_scope() {
  local runtime_inside=(-u XDG_RUNTIME_DIR)
  local words="${launch[*]} ${mounts[*]} ${plumbing[*]} $cwd ${inner[*]} ${command[*]}"
  ((${#scope[@]})) || return 0
  # systemd-run from version 254 on expands variables in its arguments.
  if [[ $words == *'$'* && $(/usr/bin/systemd-run --help 2>&1) == *--expand-environment* ]]; then
    scope=(--expand-environment=no "${scope[@]}")
  fi
  if [[ -n ${XDG_RUNTIME_DIR-} ]]; then
    runtime_inside=("XDG_RUNTIME_DIR=$runtime")
  fi
  launch=(
    /usr/bin/env "XDG_RUNTIME_DIR=$manager_runtime" /usr/bin/systemd-run "${scope[@]}"
    -- /usr/bin/env "${runtime_inside[@]}" "${launch[@]}"
  )
}
before+=(start_in_scope)
