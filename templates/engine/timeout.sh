# --- timeout
# Ends the command after a time: first TERM to its processes, then KILL.
# Reads: timeout, max_timeout, kill_after, chosen.
# Sets: status, timed_out, failed, plumbing, private.

read_timeout() { # DURATION, such as 90, 90s, 2m or 1h: sets timeout to its seconds
  [[ $1 =~ ^([0-9]{1,9})([smh]?)$ ]] \
    || die "--sandbox-timeout is not a duration: ${1@Q}" "write 90, 90s, 2m or 1h"
  timeout=$((10#${BASH_REMATCH[1]}))
  case ${BASH_REMATCH[2]} in
    m) timeout=$((timeout * 60)) ;;
    h) timeout=$((timeout * 3600)) ;;
  esac
  ((timeout >= 1 && timeout <= max_timeout)) || die "--sandbox-timeout is out of range: $1" \
    "from 1s to ${max_timeout}s; limits.max-timeout in the profile sets the maximum"
}

# Sets family to a process and its descendants, at most 10,000 or so: a command can start more.
find_family() { # PID
  local i file children
  family=("$1")
  for ((i = 0; i < ${#family[@]} && i < 10000; i++)); do
    for file in "/proc/${family[i]}/task/"*/children; do
      children=()
      { read -r -a children <"$file"; } 2>/dev/null || :
      family+=("${children[@]}")
    done
  done
}

# Runs next to the sandbox, in its own process group, so that the command cannot stop it with a
# signal to the launcher's. Its input ends with the launcher. Fails if the time ran out.
watch() {
  local pid line='' family
  close_private
  read -r -t "$timeout" || (($? > 128)) || return 0
  read -r -t 1 -u "$bwrap_status" line || :
  if [[ $line =~ child-pid\"?:\ ?([0-9]+) ]]; then
    pid=${BASH_REMATCH[1]}
    find_family "$pid"
    kill -TERM "${family[@]:1}" 2>/dev/null || :
    read -r -t "$kill_after" || (($? > 128)) || return 1
    kill -KILL "$pid" 2>/dev/null || :
    find_family "$$"
    kill -CONT "${family[@]}" 2>/dev/null || : # the command may have stopped the launcher
  else
    find_family "$$"
    for pid in "${family[@]}"; do # bwrap is still setting up the sandbox
      { read -r line <"/proc/$pid/comm"; } 2>/dev/null || continue
      if [[ $line == bwrap ]]; then
        kill -KILL "$pid"
      fi
    done
  fi
  return 1
}
start_watch() {
  local input status_writer
  if [[ -v chosen[timeout] ]]; then
    read_timeout "${chosen[timeout]}"
  fi
  exec {input}< <(:) {bwrap_status}< <(:) # two pipes
  exec {watch_lifeline}>"/proc/self/fd/$input" {status_writer}>"/proc/self/fd/$bwrap_status"
  private+=("$watch_lifeline")
  plumbing+=(--json-status-fd "$status_writer")
  set -m
  watch <&"$input" {input}<&- &
  watcher=$!
  set +m
  exec {input}<&-
  private+=("$bwrap_status")
}
end_watch() {
  exec {watch_lifeline}>&-
  wait "$watcher" && return
  timed_out=true status=124 failed=''
  say "timed out after $timeout seconds"
}
before+=(start_watch)
after+=(end_watch)
