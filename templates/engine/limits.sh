# --- limits
# What each process may use. Where the host allows less, that stays.
# shellcheck disable=SC2154 # other parts and the policy set these

limit_each() {
  local i
  for ((i = 0; i < ${#each_process[@]}; i += 2)); do
    ulimit "${each_process[i]}" "${each_process[i + 1]}" 2>/dev/null || :
  done
}
entering+=(limit_each)
if [[ $action == print ]]; then
  text=''
  for ((i = 0; i < ${#each_process[@]}; i += 2)); do
    text+="ulimit ${each_process[i]} ${each_process[i + 1]}; "
  done
  launch=("$BASH" -c "${text}exec \"\$@\"" bash "${launch[@]}")
fi

# The number of processes is that of the sandbox, not the user's: this limit is set inside.
if [[ -n $processes_most ]]; then
  [[ -x /usr/bin/prlimit ]] || die "there is no /usr/bin/prlimit, which limits processes" \
    "install the package util-linux; the profile asks for it in limits.processes"
  while read -r _ word _ most _; do
    if [[ $word == processes && $most != unlimited ]] && ((most < processes_most)); then
      processes_most=$most
    fi
  done </proc/self/limits
  inner+=(/usr/bin/prlimit "--nproc=$processes_most:$processes_most" --)
fi
