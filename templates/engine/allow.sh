# --- allow
# Limits the network to the hosts of network.allow.
# Reads: network_sets, network_rules, network_names, forwarder, host_resolver.
# Sets: resolver, firewall, resolver_command, network_functions.

# A resolver in the sandbox's network (dnsmasq) knows only the names of the list, and adds the
# addresses that it answers with to sets of the firewall (nft), which lets nothing else out. It asks
# from port 54, which the command cannot bind.
resolver=127.0.0.1
network_functions=(start_resolver close_descriptors report_refused note_address report_once)
chain='add rule inet allowed leaving' prohibited='reject with icmpx type admin-prohibited'
refusing='add rule inet allowed refusing' port='meta l4proto { tcp, udp }'
printf -v firewall '%s\n' \
  'add table inet allowed' \
  'add chain inet allowed leaving { type filter hook output priority 0; policy drop; }' \
  'add chain inet allowed refusing' \
  'add set inet allowed refused { type ipv4_addr . inet_service; size 100; flags dynamic; }' \
  'add set inet allowed refused_6 { type ipv6_addr . inet_service; size 100; flags dynamic; }' \
  "${network_sets[@]}" \
  "$chain oif lo accept" \
  "$chain ct state established accept" \
  "$chain udp sport 54 ip daddr 10.0.2.3 udp dport 53 accept" \
  "$chain udp sport 54 ip6 daddr fd00::3 udp dport 53 accept" \
  "$chain icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept" \
  "$chain ip daddr { 10.0.2.0/24, 127.0.0.0/8 } $prohibited" \
  "$chain ip6 daddr { fd00::/64, ::1 } $prohibited" \
  "${network_rules[@]}" \
  "$chain goto refusing" \
  "$refusing ip daddr != 224.0.0.0/3 $port add @refused { ip daddr . th dport }" \
  "$refusing ip6 daddr != ff00::/8 $port add @refused_6 { ip6 daddr . th dport }" \
  "$refusing meta l4proto tcp reject with tcp reset" \
  "$refusing $prohibited"
# pasta would bind the source port on the host, where port 54 is privileged.
if [[ $forwarder == pasta ]]; then
  firewall+='add chain inet allowed asking { type nat hook postrouting priority 100; }
add rule inet allowed asking udp sport 54 masquerade to :1024-65535 random
'
fi
resolver_command=( # a function, and what it runs
  start_resolver /usr/bin/env -i "PATH=$system_path" "$bwrap" --die-with-parent --new-session
  --unshare-pid --unshare-ipc --unshare-uts --ro-bind /usr /usr --ro-bind-try /lib /lib
  --ro-bind-try /lib64 /lib64 --ro-bind-try /nix /nix
  --ro-bind-try /run/current-system /run/current-system
  --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev
  --cap-drop ALL --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE --chdir /
  -- dnsmasq --keep-in-foreground --log-facility=- --user= --group= --pid-file= --no-resolv
  --no-hosts --listen-address=127.0.0.1 --bind-interfaces --query-port=54
  --log-queries '--address=/#/' "${network_names[@]/%\/10.0.2.3//$host_resolver}"
)

start_resolver() { # STATUS-PIPE PATH RESOLVER...: returns when the resolver answers
  local line log
  exec {log}< <(
    close_descriptors
    exec "${@:3}" 2>&1 </dev/null
  )
  while IFS= read -r line <&"$log"; do
    if [[ $line == *": started,"* ]]; then
      report_refused "$1" "$2" <&"$log" &
      exec {log}<&-
      return
    fi
    printf '%s\n' "$line" >&2
  done
  return 1
}
# Reads the resolver's log until it ends, and reports to the launcher what was refused, each once:
# names that are not in the list, and addresses with a port, by the name that led to them.
report_refused() { # STATUS-PIPE PATH
  local kind name answer status_writer reported=' ' alias='' last='' text
  local -A names=()
  exec {status_writer}>"/proc/self/fd/$1"
  close_descriptors "$status_writer"
  while IFS=' ' read -r _ kind name _ answer; do
    name=${name,,}
    case "$kind $answer" in
      'config NXDOMAIN') report_once "$name" ;;
      reply' '* | cached' '*) note_address ;;
    esac
  done
  text=$(PATH=$2 nft -n list sets 2>/dev/null)
  while [[ $text =~ ([0-9a-f.:]+)\ \.\ ([0-9]+)(.*) ]]; do
    text=${BASH_REMATCH[3]}
    name=${BASH_REMATCH[1]}
    if [[ $name == *:* ]]; then
      name=[$name]
    fi
    report_once "${names[${BASH_REMATCH[1]}]:-$name}:${BASH_REMATCH[2]}"
  done
}
# The lines of one answer follow each other: first aliases (CNAME) of the name, then addresses.
note_address() {
  if [[ $last && $last != "$name" ]]; then
    alias='' last=''
  fi
  if [[ $answer == '<CNAME>' ]]; then
    alias=${alias:-$name}
  else
    names[$answer]=${alias:-$name}
    last=$name
  fi
}
report_once() { # TEXT
  [[ $reported != *" $1 "* ]] && ((${#reported} < 4000)) || return 0
  reported+="$1 "
  printf '%s\n' "$1" >&"$status_writer"
}
