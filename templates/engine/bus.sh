# --- bus
# Connects the sandbox to the session bus through xdg-dbus-proxy. That only passes messages to and
# from the names that the profile lists.
# Reads: bus_names, session_runtime, runtime, memory, project. Sets: mounts, set_variables, private.

bus='' bus_directory=$memory
address=${DBUS_SESSION_BUS_ADDRESS:-unix:path=$session_runtime/bus}
path=${address#unix:path=}
if [[ $session_runtime != "$runtime" && $session_runtime/ != "$project"/* ]]; then
  bus_directory=$session_runtime/bwrapgen-$UID
fi
if [[ $address == unix:abstract=* || ($path == /* && -S ${path%%[,;]*}) ]]; then
  bus=$bus_directory/bus-$RANDOM-$$
  mounts+=(--ro-bind "$bus" "$runtime/bus")
  set_variables+=("DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus")
fi
# The proxy exits and removes its socket when the other end of its pipe is closed, however this
# launcher ends. If it is killed first, the next start removes the socket.
start_bus() {
  local path
  [[ -n $bus ]] || return 0
  for path in "$bus_directory"/bus-*; do
    [[ ! -S $path || -e /proc/${path##*-} ]] || rm -f -- "$path"
  done
  [[ -d $bus_directory ]] || mkdir -m 0700 -- "$bus_directory"
  [[ -O $bus_directory && ! -L $bus_directory ]] \
    || die "refusing $bus_directory: it belongs to another user" "remove it"
  hash xdg-dbus-proxy 2>/dev/null || die \
    "xdg-dbus-proxy is not installed, and sockets.pass = [\"dbus\"] needs it" \
    "install the package xdg-dbus-proxy"
  exec {proxy_pipe}< <(run_bus_proxy)
  proxy_process=$!
  private+=("$proxy_pipe")
  read -r -N 1 -u "$proxy_pipe" || die "xdg-dbus-proxy did not start" \
    "to see why, run: xdg-dbus-proxy $address $bus --filter"
}
run_bus_proxy() {
  close_private
  exec </dev/null 2>/dev/null
  trap '' HUP INT QUIT TERM
  exec xdg-dbus-proxy --fd=1 "$address" "$bus" --filter "${bus_names[@]}"
}
end_bus() {
  [[ -n $bus ]] || return 0
  exec {proxy_pipe}<&-
  wait "$proxy_process" || :
}
before+=(start_bus)
after+=(end_bus)
