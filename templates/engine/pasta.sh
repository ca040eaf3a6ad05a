# --- pasta
# Who leads out of a network of the sandbox's own.
#
# pasta speaks IPv6 as well, and opens single ports. Where it is missing, slirp4netns leads.
# shellcheck disable=SC2034,SC2154,SC2317 # other parts and the policy set and use these

guide=slirp4netns
! hash pasta 2>/dev/null || guide=pasta

# Where the guide takes questions for the host's resolver. An address of IPv6 is for one of IPv6.
name_server=10.0.2.3 text=''
if [[ $guide == pasta && -r /etc/resolv.conf ]]; then
  IFS= read -r -d '' text </etc/resolv.conf || :
  text=$'\n'$text$'\n'
  [[ $text != *$'\n'nameserver\ +([0-9a-fA-F:])[[:space:]]* ]] || name_server=fd00::3
  [[ $text != *$'\n'nameserver\ +([0-9.])[[:space:]]* ]] || name_server=10.0.2.3
fi

# A pasta of before October 2024 lacks an option. Then the network itself keeps what is for a
# loopback from leaving.
pasta_lacks=''
ask_pasta() {
  local lacks=''
  if ! recall pasta "${BASH_CMDS[pasta]}"; then
    lacks=''
    pasta --host-lo-to-ns-lo --version >/dev/null 2>&1 || lacks=--host-lo-to-ns-lo
    remember pasta "${BASH_CMDS[pasta]}" "$lacks" 2>/dev/null || :
  fi
  pasta_lacks=$lacks
}
[[ $guide != pasta ]] || ask_pasta
loopback_table='add table inet own
add chain inet own leaving { type filter hook output priority 0; }
add rule inet own leaving oif != lo ip daddr 127.0.0.0/8 reject
add rule inet own leaving oif != lo ip6 daddr ::1 reject'

# Sets words to those of keep_guide.
words_of_pasta() {
  local ignored
  words=(
    1 pasta --foreground --quiet --config-net --ns-ifname tap0 --no-map-gw --pid /proc/self/fd/1
    --address 10.0.2.100 --netmask 24 --gateway 10.0.2.2 --address fd00::100 --gateway fe80::2
    --dns-forward "$name_server" --udp-ports none --udp-ns none --tcp-ns "$network_reached"
    "${network_published[@]/#/--tcp-ports=}"
  )
  ((${#network_published[@]})) || words+=(--tcp-ports none)
  ((UID != 0)) || words+=(--runas 0)
  has_way || words+=(--interface lo --mac-addr 02:00:00:00:00:01) # an older one would not start
  # What is published leads to the loopback, as it always did with an older one.
  [[ $pasta_lacks ]] || words+=(--host-lo-to-ns-lo)
  # An older one fails where a caller ignores this signal, as systemd does.
  IFS= read -r -d '' ignored </proc/self/status || :
  if [[ $ignored =~ SigIgn:[[:space:]]*([0-9a-f]+) ]] && ((0x${BASH_REMATCH[1]} & 0x1000)); then
    words=(1 /usr/bin/env --default-signal=PIPE "${words[@]:1}")
  fi
}
has_way() { # whether a route leads to all the world
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
words_of_slirp4netns() {
  words=(
    2 sh -c 'exec "$@" tap0 3>&1 >/dev/null' sh slirp4netns --configure --mtu=65520
    --disable-host-loopback --enable-sandbox --enable-seccomp --ready-fd=3
  )
}

# Runs beside the sandbox. Says 1 when the guide is ready, which that says by its own number or a 1;
# else 0 and why not. Ends the guide with the launcher: by itself an older one outlives the network.
keep_guide() { # DESCRIPTOR WORD...: where it says what is wrong
  local pid line='' said='' output guide
  read -r pid || exit 0
  exec {output}< <(exec "${@:2}" "$pid" 2>&"$1" </dev/null)
  guide=$!
  while IFS= read -r line <&"$output" || [[ -n $line ]]; do
    [[ $line != @(1|"$guide") ]] || break
    said+="$line "
  done
  exec {output}<&-
  if [[ -n $line ]]; then
    printf '1\n'
  else
    printf '0\n%s\n' "$said"
  fi
  exec >/dev/null 2>&1
  read -r || :
  kill -KILL "$guide"
  wait "$guide" # it holds ports until then
}
