# Part filter: the system call filter for this machine.

machine=${BASH_VERSINFO[5]%%-*} filter_fd='' filter_name=''
if [[ " $filter_machines " == *" $machine "* ]]; then
  filter_name=filter_$machine
  feed ''
  filter_fd=$fd
  plumbing+=(--seccomp "$fd")
elif [[ $filter != terminal ]]; then
  die "this launcher has no system call filter for $machine" \
    "generate the launcher on such a machine"
fi
fill_filter() {
  [[ -n $filter_fd ]] || return 0
  read -r -u "$filter_fd"
  printf '%b' "${!filter_name}" >>"/proc/self/fd/$filter_fd"
}
before+=(fill_filter)
