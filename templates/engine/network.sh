# --- network
# Gives the sandbox its own network, connected by pasta or slirp4netns.
# Reads: network, resolver, firewall, resolver_command, network_functions, forwarder,
# network_published, network_reached, base, launcher. Sets: mounts, launch, private, before, after.

# An outer bwrap creates the network and is root in it. It tells the forwarder its process number,
# loads firewall rules and starts the resolver if there are any, and starts the sandbox as soon as
# the network is ready.

target=/etc/resolv.conf
if [[ $base == host ]]; then
  target=$(readlink -m -- "$target") # bwrap cannot mount on a symbolic link
fi
if [[ $base == select || -e $target || $target == /run/* ]]; then
  feed "nameserver $resolver"$'\noptions edns0'
  mounts+=(--ro-bind-data "$fd" "$target")
fi

close_descriptors() { # [DESCRIPTOR]: all above 2, except this one
  local path fd
  for path in /proc/self/fd/*; do
    fd=${path##*/}
    ((fd < 3 || fd == 255)) || [[ $fd == "${1-}" ]] || exec {fd}>&-
  done
}
enter_network() { # PID-PIPE STATUS-PIPE PATH FIREWALL COUNT [RESOLVER-WORD...] COMMAND...
  local pid_pipe=$1 status_pipe=$2 resolver_command=("${@:6:$5}") failed='' ready=''
  # IPv6 addresses can be used at once, without a second for the detection of duplicates.
  printf 0 2>/dev/null >/proc/sys/net/ipv6/conf/default/accept_dad || :
  # The command may listen on port 80, but cannot bind port 54, from which the resolver asks.
  printf 55 2>/dev/null >/proc/sys/net/ipv4/ip_unprivileged_port_start || :
  printf '%s\n' "$$" >"/proc/self/fd/$pid_pipe"
  if [[ -n $4 ]]; then
    PATH=$3 nft -f - <<<"$4" || failed=yes
  fi
  if ((${#resolver_command[@]})); then
    "${resolver_command[0]}" "$status_pipe" "$3" "${resolver_command[@]:1}" || failed=yes
  fi
  read -r ready <&"$status_pipe" || :
  [[ $ready == 1 && -z $failed ]] || exit 125
  shift "$((5 + $5))"
  exec {pid_pipe}<&- {status_pipe}<&-
  exec "$@"
}
exec {pid_pipe}< <(:) {status_pipe}< <(:)
launch+=(
  --die-with-parent --dev-bind / / --unshare-user --unshare-net --uid 0 --gid 0
  --cap-add CAP_SYS_ADMIN --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP
  --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE
  -- "$BASH" -pc "$(
    declare -p network_functions
    declare -f enter_network "${network_functions[@]}"
  )
enter_network \"\$@\"" bash "$pid_pipe" "$status_pipe" "$system_path" "$firewall"
  "${#resolver_command[@]}" "${resolver_command[@]}" "$bwrap"
)

# In its own session, so that neither the terminal nor the end of the launcher's process group ends
# it before the launcher does. It must not hold other descriptors, such as the store's lock.
run_forwarder() {
  close_descriptors ''
  trap '' INT QUIT
  "build_${forwarder}_command"
  if [[ $action != doctor ]]; then
    exec 2>/dev/null
  fi
  exec setsid "$BASH" -pc "$(declare -f keep_forwarder)
keep_forwarder \"\$@\"" bash "${forwarder_command[@]}"
}
# A port can be published once. The first run of a launcher locks the launcher's file; others start
# without published ports, so that tests can run next to a development server.
lock_published() {
  local publishing result=0 ports=("${network_published[@]%:*}")
  exec {publishing}<"$launcher"
  private+=("$publishing")
  flock -n "$publishing" || result=$?
  if ((result == 1)); then
    say "network.publish: another run of this launcher already publishes ${ports[*]##*/}, so this \
run does not"
    network_published=()
  fi
}
start_network() {
  local status_writer
  [[ $forwarder == pasta || (${#network_published[@]} -eq 0 && $network_reached == none) ]] \
    || die "pasta is not installed, and network.publish, reach and proxy need it" \
      "install the package passt"
  hash "$forwarder" 2>/dev/null \
    || die "neither pasta nor slirp4netns is installed, and network.mode = \"$network\" needs one" \
      "install the package passt, or slirp4netns"
  [[ $network != allow ]] || hash nft dnsmasq 2>/dev/null \
    || die "nft or dnsmasq is not installed, and network.allow needs both" \
      "install the packages nftables and dnsmasq-base, or dnsmasq"
  [[ -z $firewall ]] || hash nft 2>/dev/null \
    || die "this version of pasta, older than October 2024, also needs nft" \
      "install the package nftables"
  [[ -r /dev/net/tun && -w /dev/net/tun ]] \
    || die "cannot open /dev/net/tun, and network.mode = \"$network\" needs it" \
      "as root: modprobe tun; chmod 0666 /dev/net/tun, the mode that most systems use"
  if ((${#network_published[@]})); then
    lock_published
  fi
  exec {lifeline}>"/proc/self/fd/$pid_pipe" {status_writer}>"/proc/self/fd/$status_pipe"
  private+=("$lifeline")
  run_forwarder <&"$pid_pipe" >&"$status_writer" {status_writer}>&- &
  forwarder_process=$!
  exec {status_writer}>&-
}
# Only names that are valid in network.allow go into the hint: the command chooses what it asks for.
end_network() {
  local line='' hint='' port assumed=''
  exec {lifeline}>&-
  if ((${#network_published[@]})); then
    wait "$forwarder_process" || : # then its ports are free for the next run
  fi
  if [[ $failed && $status == 125 ]]; then
    IFS= read -r -t 5 -u "$status_pipe" line || :
    refuse_network "$line"
  fi
  while IFS= read -r -t 5 -u "$status_pipe" line; do
    if [[ -p ${BWRAPGEN_REFUSED-} ]]; then # bwrapgen learn reads this pipe
      printf '%s\n' "$line" >"$BWRAPGEN_REFUSED"
    fi
    say "the command asked for $line, which is not in network.allow"
    [[ $line == *[.:]* && $line == +([][a-z0-9_.:-]) ]] || continue
    port=''
    if [[ $line != *:* ]]; then # the resolver does not learn for which port a name is looked up
      port=:443 assumed=' (443, for HTTPS, is a guess)'
    fi
    hint+=", \"$line$port\""
  done
  if [[ -n $hint ]]; then
    say "hint: to allow these, add to the list network.allow: ${hint#, }$assumed"
  fi
}
refuse_network() { # WHY
  [[ ! $1 =~ ([0-9a-f]*[.:][0-9a-f.:]*)/([0-9]+) ]] \
    || die "cannot publish port ${BASH_REMATCH[2]} of ${BASH_REMATCH[1]}: it is in use, or you may \
not bind it" "free the port, or change network.publish; IPv6 also needs a route on this host"
  die "the sandbox's network is not connected${1:+: $1}" "for details: $self --sandbox-doctor"
}
before+=(start_network)
after+=(end_network)
