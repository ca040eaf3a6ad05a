# --- machines
# Refuses to start on a machine for which this launcher has no filter, where the command could type
# into this terminal: TIOCSTI runs what it types in the caller's shell.
# Reads: filter_machines. Sets: machine.
# shellcheck disable=SC2154 # the policy sets these

machine=${BASH_VERSINFO[5]%%-*}
typing=1
if [[ -r /proc/sys/dev/tty/legacy_tiocsti ]]; then
  read -r typing </proc/sys/dev/tty/legacy_tiocsti
fi
[[ $typing != 1 || " $filter_machines " == *" $machine "* ]] \
  || die "nothing on $machine keeps the command from typing into this terminal" \
    'set terminal.mode = "new-session" in the profile; or run: sysctl -w dev.tty.legacy_tiocsti=0'
