# --- machines
# Refuses machines on which the command could type into this terminal. TIOCSTI does that, and the
# caller's shell would run what is typed.
# Reads: filter_machines. Sets: machine.

machine=${BASH_VERSINFO[5]%%-*}
typing=1
if [[ -r /proc/sys/dev/tty/legacy_tiocsti ]]; then
  read -r typing </proc/sys/dev/tty/legacy_tiocsti
fi
[[ $typing != 1 || " $filter_machines " == *" $machine "* ]] \
  || die "nothing on $machine keeps the command from typing into this terminal" \
    'set terminal.mode = "new-session" in the profile; or run: sysctl -w dev.tty.legacy_tiocsti=0'
