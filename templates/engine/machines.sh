# --- machines
# What is lost on a machine that the profile has no filter for.
# shellcheck disable=SC2154 # other parts and the policy set and use these

without_filter() {
  local typing=1
  [[ ! -r /proc/sys/dev/tty/legacy_tiocsti ]] || read -r typing </proc/sys/dev/tty/legacy_tiocsti
  if [[ $terminal == job-control && $typing == 1 ]]; then
    [[ $kernel_require == best ]] \
      || die "nothing on $machine keeps the command from typing into this terminal" \
        'write terminal.mode = "new-session"; or sysctl -w dev.tty.legacy_tiocsti=0'
    say "there is no system call filter for $machine: the command can type into this terminal"
  fi
  [[ $filter == terminal ]] \
    || say "there is no system call filter for $machine: all that the kernel offers is in reach"
}
