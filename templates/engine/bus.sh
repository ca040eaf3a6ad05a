# --- bus
# The session bus, through a filter that runs beside the sandbox.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

bus='' bus_directory=$memory
address=${DBUS_SESSION_BUS_ADDRESS:-unix:path=$seat/bus}
path=${address#unix:path=}
[[ $seat == "$runtime" || $seat/ == "$project"/* ]] || bus_directory=$seat/bwrapgen-$UID
if [[ $address == unix:abstract=* || ($path == /* && -S ${path%%[,;]*}) ]]; then
  bus=$bus_directory/bus-$RANDOM-$$
  mounts+=(--ro-bind "$bus" "$runtime/bus")
  set_variables+=("DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus")
fi
# The filter takes its socket away when nobody is left to read from it: after this launcher,
# whatever ends that. What it had no time for, the next one does.
start_bus() {
  local path
  [[ -n $bus ]] || return 0
  for path in "$bus_directory"/bus-*; do
    [[ ! -S $path || -e /proc/${path##*-} ]] || rm -f -- "$path"
  done
  [[ -d $bus_directory ]] || mkdir -m 0700 -- "$bus_directory"
  [[ -O $bus_directory && ! -L $bus_directory ]] \
    || die "refusing $bus_directory: it belongs to somebody else" "remove it"
  hash xdg-dbus-proxy 2>/dev/null || die \
    "xdg-dbus-proxy is not installed, so that the session bus cannot be filtered" \
    "install the package xdg-dbus-proxy"
  exec {filter_end}< <(filter_bus)
  filter_process=$!
  private+=("$filter_end")
  read -r -N 1 -u "$filter_end" || die "xdg-dbus-proxy has not started" \
    "try: xdg-dbus-proxy $address $bus --filter"
}
filter_bus() {
  close_private
  exec </dev/null 2>/dev/null
  trap '' HUP INT QUIT TERM
  exec xdg-dbus-proxy --fd=1 "$address" "$bus" --filter "${bus_names[@]}"
}
end_bus() {
  [[ -n $bus ]] || return 0
  exec {filter_end}<&-
  wait "$filter_process" || :
}
before+=(start_bus)
after+=(end_bus)
