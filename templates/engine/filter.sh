# --- filter
# Picks the system call filter for this machine.
# Reads: filter, filter_machines. Sets: filter_fd, filter_name, plumbing.

machine=${BASH_VERSINFO[5]%%-*} filter_fd='' filter_name=''
if [[ " $filter_machines " == *" $machine "* ]]; then
  filter_name=filter_$machine
  feed ''
  filter_fd=$fd
  plumbing+=(--seccomp "$fd")
elif [[ $filter != terminal ]]; then
  die "this launcher has no system call filter for $machine" "generate it on such a machine"
fi
# Reads past the empty line that feed wrote, and appends the program. Variables cannot hold zero
# bytes, so the policy has it with escapes.
fill_filter() {
  [[ -n $filter_fd ]] || return 0
  read -r -u "$filter_fd"
  printf '%b' "${!filter_name}" >>"/proc/self/fd/$filter_fd"
}
before+=(fill_filter)
