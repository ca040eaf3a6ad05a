# --- limits
# Limits each process. A lower limit of the caller stays in force.
# Reads: process_limits, max_processes, action. Sets: entering, launch, inner.

apply_limits() {
  local i
  for ((i = 0; i < ${#process_limits[@]}; i += 2)); do
    ulimit "${process_limits[i]}" "${process_limits[i + 1]}" 2>/dev/null || :
  done
}
entering+=(apply_limits)
if [[ $action == print ]]; then
  text=''
  for ((i = 0; i < ${#process_limits[@]}; i += 2)); do
    text+="ulimit ${process_limits[i]} ${process_limits[i + 1]}; "
  done
  launch=("$BASH" -c "${text}exec \"\$@\"" bash "${launch[@]}")
fi

# The kernel counts the processes of a user per user namespace, so this limit is set inside.
if [[ -n $max_processes ]]; then
  [[ -x /usr/bin/prlimit ]] || die "/usr/bin/prlimit, which limits.processes needs, is not here" \
    "install the package util-linux, or remove limits.processes from the profile"
  while read -r _ word _ most _; do
    if [[ $word == processes && $most != unlimited ]] && ((most < max_processes)); then
      max_processes=$most
    fi
  done </proc/self/limits
  inner+=(/usr/bin/prlimit "--nproc=$max_processes:$max_processes" --)
fi
