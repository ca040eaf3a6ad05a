# Part pasta: who leads out of a network of the sandbox's own.
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

# It is not to be left alone when the launcher's group is killed, nor to obey the terminal.
lead_by_pasta() {
  local ignored words=(
    pasta --foreground --quiet --config-net --ns-ifname tap0 --no-map-gw --pid /proc/self/fd/1
    --address 10.0.2.100 --netmask 24 --gateway 10.0.2.2 --address fd00::100 --gateway fe80::2
    --dns-forward "$name_server" --udp-ports none --udp-ns none --tcp-ns "$network_reached"
    "${network_published[@]/#/--tcp-ports=}"
  )
  ((${#network_published[@]})) || words+=(--tcp-ports none)
  ((UID != 0)) || words+=(--runas 0)
  # An older one fails where a caller ignores this signal, as systemd does.
  IFS= read -r -d '' ignored </proc/self/status || :
  if [[ $ignored =~ SigIgn:[[:space:]]*([0-9a-f]+) ]] && ((0x${BASH_REMATCH[1]} & 0x1000)); then
    words=(/usr/bin/env --default-signal=PIPE "${words[@]}")
  fi
  exec setsid "$BASH" -pc "$(declare -f keep_pasta start_pasta tell_no_way has_way)
keep_pasta \"\$@\"" bash "${#guard[@]}" "${words[@]}"
}
# Says 1 when pasta is ready, 2 when an older one is, or 0 and why not. By itself an older one would
# outlive the network.
keep_pasta() { # GUARDS WORD...
  local pid pasta output said='' ready=1 words=("${@:2}")
  exec 2>/dev/null
  has_way || words+=(--interface lo --mac-addr 02:00:00:00:00:01) # an older one would not start
  read -r pid || exit 0
  # What is published leads to the loopback, as it always did with an older one.
  if ! start_pasta "${words[@]}" --host-lo-to-ns-lo "$pid"; then
    [[ $said == *"option"*host-lo-to-ns-lo* ]] || tell_no_way "$said"
    if (($1 == 0)) && ! hash nft; then
      tell_no_way "pasta is older than October 2024, and needs the package nftables beside it"
    fi
    ready=2
    start_pasta "${words[@]}" "$pid" || tell_no_way "$said"
  fi
  exec {output}<&-
  printf '%s\n' "$ready"
  exec >/dev/null
  read -r || :
  kill -KILL "$pasta"
  wait "$pasta" # it holds ports until then
}
start_pasta() { # WORD...: pasta is its number then; else said is what it says
  local line
  said=''
  exec {output}< <(exec "$@" 2>&1 </dev/null)
  pasta=$!
  while IFS= read -r line <&"$output"; do
    [[ $line != "$pasta" ]] || return 0
    said+="$line "
  done
  return 1
}
tell_no_way() { # WHY
  printf '0\n%s\n' "$1"
  exit
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
# With an older pasta the network itself keeps what is for a loopback from leaving.
close_loopback() { # PATH
  local chain='add rule inet own leaving oif != lo'
  PATH=$1 nft -f - <<<"add table inet own
add chain inet own leaving { type filter hook output priority 0; }
$chain ip daddr 127.0.0.0/8 reject
$chain ip6 daddr ::1 reject" || exit 125
}
