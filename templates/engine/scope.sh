# --- scope
# Where there is systemd, it limits the sandbox as a whole.
# shellcheck disable=SC2154 # other parts and the policy set these

scope=() manager=${XDG_RUNTIME_DIR-}
if [[ ! -x /usr/bin/systemd-run || ! -d /run/systemd/system ]]; then
  manager=''
elif [[ $UID == 0 || -S $manager/systemd/private ]]; then
  scope=(--quiet --scope --collect "--description=$self")
  ((UID == 0)) || scope+=(--user)
  [[ -z $memory_most ]] || scope+=("--property=MemoryMax=$memory_most" --property=MemorySwapMax=0)
  [[ -z $tasks_most ]] || scope+=("--property=TasksMax=$tasks_most")
fi
if [[ $UID == 0 && -n $processes_most && ${#scope[@]} == 0 ]]; then
  [[ $kernel_require == best ]] \
    || die "limits.processes cannot be kept: the kernel exempts root, and there is no systemd" \
      'run it as an ordinary user, or write kernel.require = "best"'
  say "limits.processes does not hold: the kernel exempts root, and there is no systemd"
fi
start_in_scope() {
  local runtime_inside=(-u XDG_RUNTIME_DIR)
  local words="${launch[*]} ${mounts[*]} ${plumbing[*]} $cwd ${inner[*]} ${command[*]}"
  ((${#scope[@]})) || return 0
  # From 254 on systemd-run may replace what looks like a variable.
  if [[ $words == *'$'* && $(/usr/bin/systemd-run --help 2>&1) == *--expand-environment* ]]; then
    scope=(--expand-environment=no "${scope[@]}")
  fi
  [[ -z ${XDG_RUNTIME_DIR-} ]] || runtime_inside=("XDG_RUNTIME_DIR=$runtime")
  launch=(
    /usr/bin/env "XDG_RUNTIME_DIR=$manager" /usr/bin/systemd-run "${scope[@]}"
    -- /usr/bin/env "${runtime_inside[@]}" "${launch[@]}"
  )
}
before+=(start_in_scope)
