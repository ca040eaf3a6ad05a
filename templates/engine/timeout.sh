# --- timeout
# When the time of a command is over, it is asked to end, and then killed.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

# Sets timeout to what the option says: 90, 90s, 2m or 1h.
read_timeout() { # DURATION
  [[ $1 =~ ^([0-9]{1,9})([smh]?)$ ]] \
    || die "--sandbox-timeout is no duration: ${1@Q}" "write seconds, 90s, 2m or 1h"
  timeout=$((10#${BASH_REMATCH[1]}))
  case ${BASH_REMATCH[2]} in
    m) timeout=$((timeout * 60)) ;;
    h) timeout=$((timeout * 3600)) ;;
  esac
  ((timeout >= 1 && timeout <= timeout_most)) || die "--sandbox-timeout is out of range: $1" \
    "from 1s to ${timeout_most}s; the profile decides, in limits.max-timeout"
}

# Sets family to a process, what it has started, and what that has: to a bound, since a command
# decides how far that goes.
find_family() { # PID
  local i file started
  family=("$1")
  for ((i = 0; i < ${#family[@]} && i < 10000; i++)); do
    for file in "/proc/${family[i]}/task/"*/children; do
      started=()
      { read -r -a started <"$file"; } 2>/dev/null || :
      family+=("${started[@]}")
    done
  done
}

# Runs beside the sandbox, in a group of its own, where the command cannot stop it. Its input ends
# with the launcher. It succeeds if the command has ended in time.
watch() {
  local pid line='' family
  close_private
  read -r -t "$timeout" || (($? > 128)) || return 0
  read -r -t 1 -u "$bwrap_says" line || :
  if [[ $line =~ child-pid\"?:\ ?([0-9]+) ]]; then
    pid=${BASH_REMATCH[1]}
    find_family "$pid"
    kill -TERM "${family[@]:1}" 2>/dev/null || :
    read -r -t "$kill_after" || (($? > 128)) || return 1
    kill -KILL "$pid" 2>/dev/null || :
    find_family "$$"
    kill -CONT "${family[@]}" 2>/dev/null || : # the command may have stopped its group
  else
    find_family "$$"
    for pid in "${family[@]}"; do # bwrap, which is still making the sandbox
      { read -r line <"/proc/$pid/comm"; } 2>/dev/null || continue
      [[ $line != bwrap ]] || kill -KILL "$pid"
    done
  fi
  return 1
}
start_watch() {
  local ends tell
  [[ ! -v chosen[timeout] ]] || read_timeout "${chosen[timeout]}"
  exec {ends}< <(:) {bwrap_says}< <(:)
  exec {timer}>"/proc/self/fd/$ends" {tell}>"/proc/self/fd/$bwrap_says"
  private+=("$timer")
  plumbing+=(--json-status-fd "$tell")
  set -m
  watch <&"$ends" {ends}<&- &
  watcher=$!
  set +m
  exec {ends}<&-
  private+=("$bwrap_says")
}
end_watch() {
  exec {timer}>&-
  wait "$watcher" && return
  timed_out=true status=124 failed=''
  say "timed out after $timeout seconds"
}
before+=(start_watch)
after+=(end_watch)
