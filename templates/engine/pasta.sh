# --- pasta
# Chooses the program that connects the sandbox's network to the host's. That is pasta, which can
# also do IPv6 and single ports, or slirp4netns.
# Reads: network_reached, network_published, lacks. Sets: forwarder, host_resolver, resolver,
# firewall, resolver_command, network_functions, forwarder_command.
# shellcheck disable=SC2317 # other parts call these

forwarder=slirp4netns
if hash pasta 2>/dev/null; then
  forwarder=pasta
fi

# The address where the forwarder takes queries for the host's resolver. pasta passes those to an
# IPv6 address on to a resolver with an IPv6 address only.
host_resolver=10.0.2.3
if [[ $forwarder == pasta ]]; then
  read_text /etc/resolv.conf
  text=$'\n'$REPLY$'\n'
  if [[ $text == *$'\n'nameserver\ +([0-9a-fA-F:])[[:space:]]* &&
    $text != *$'\n'nameserver\ +([0-9.])[[:space:]]* ]]; then
    host_resolver=fd00::3
  fi
fi
resolver=$host_resolver firewall='' resolver_command=() network_functions=()

# pasta before October 2024 cannot keep traffic for the host's loopback in; nftables does it then.
old_pasta=''
if [[ $forwarder == pasta ]] && ! pasta --host-lo-to-ns-lo --version >/dev/null 2>&1; then
  old_pasta=yes
  firewall='add table inet own
add chain inet own leaving { type filter hook output priority 0; }
add rule inet own leaving oif != lo ip daddr 127.0.0.0/8 reject
add rule inet own leaving oif != lo ip6 daddr ::1 reject'
fi

# These set forwarder_command to the arguments of keep_forwarder.
build_pasta_command() {
  forwarder_command=(
    1 pasta --foreground --quiet --config-net --ns-ifname tap0 --no-map-gw --pid /proc/self/fd/1
    --address 10.0.2.100 --netmask 24 --gateway 10.0.2.2 --address fd00::100 --gateway fe80::2
    --dns-forward "$host_resolver" --udp-ports none --udp-ns none --tcp-ns "$network_reached"
    "${network_published[@]/#/--tcp-ports=}"
  )
  if ((${#network_published[@]} == 0)); then
    forwarder_command+=(--tcp-ports none)
  fi
  if ((UID == 0)); then
    forwarder_command+=(--runas 0)
  fi
  if ! has_default_route; then # older versions refuse to start without one
    forwarder_command+=(--interface lo --mac-addr 02:00:00:00:00:01)
  fi
  if [[ -z $old_pasta ]]; then # published ports lead to the loopback inside, as in older versions
    forwarder_command+=(--host-lo-to-ns-lo)
  fi
  if [[ $lacks != *--default-signal* ]]; then # older versions fail if SIGPIPE is ignored
    forwarder_command=(1 /usr/bin/env --default-signal=PIPE "${forwarder_command[@]:1}")
  fi
}
has_default_route() {
  local to bits device
  while read -r _ to _; do
    [[ $to != 00000000 ]] || return 0
  done </proc/net/route
  [[ -r /proc/net/ipv6_route ]] || return 1
  while read -r to bits _ _ _ _ _ _ _ device; do
    [[ ${to//0/}${bits//0/} || $device == lo ]] || return 0
  done </proc/net/ipv6_route
  return 1
}
build_slirp4netns_command() {
  forwarder_command=(
    2 sh -c 'exec "$@" tap0 3>&1 >/dev/null' sh slirp4netns --configure --mtu=65520
    --disable-host-loopback --enable-sandbox --enable-seccomp --ready-fd=3
  )
  # As root, it would unmount in its own root directory what the host shares with it.
  if ((UID == 0)); then
    forwarder_command=(2 unshare --mount --propagation slave -- "${forwarder_command[@]:1}")
  fi
}

# Runs next to the sandbox: starts the forwarder for the process that it reads, prints 1 when the
# network is ready, or 0 and why not, and kills the forwarder when its input, a pipe from the
# launcher, is closed. The forwarder says that it is ready by its own process number or a 1.
keep_forwarder() { # DESCRIPTOR WORD...: the descriptor is for the forwarder's messages
  local pid line='' said output forwarder try
  read -r pid || exit 0
  for try in {1..20}; do
    said=''
    exec {output}< <(exec "${@:2}" "$pid" 2>&"$1" </dev/null)
    forwarder=$!
    while IFS= read -r line <&"$output" || [[ -n $line ]]; do
      [[ $line != @(1|"$forwarder") ]] || break 2
      said+="$line "
    done
    exec {output}<&-
    # A launcher that has just been killed holds its published ports for a moment longer.
    [[ $said =~ [.:][0-9a-f.:]*/[0-9] ]] || break
    read -r -t 0.1 || (($? > 128)) || exit 0
  done
  if [[ -n $line ]]; then
    printf '1\n'
    exec {output}<&-
  else
    printf '0\n%s\n' "$said"
  fi
  exec >/dev/null 2>&1
  read -r || :
  kill -KILL "$forwarder"
  wait "$forwarder" # it holds its ports until then
}
