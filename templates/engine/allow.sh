# --- allow
# What leaves the network goes to some hosts only.
#
# These are addresses, and those that the network's own resolver has told for the names of the list.
# It knows no other names, sees nothing but its program, and asks from a port that no command can
# have.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

guard_functions=(start_resolver close_descriptors tell_refused name_address tell_once)
chain='add rule inet allowed leaving' prohibited='reject with icmpx type admin-prohibited'
refusing='add rule inet allowed refusing' port='meta l4proto { tcp, udp }'
printf -v table '%s\n' \
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
# pasta asks from the same port, and may not have that one either.
if [[ $guide == pasta ]]; then
  table+='add chain inet allowed asking { type nat hook postrouting priority 100; }
add rule inet allowed asking udp sport 54 masquerade to :1024-65535 random
'
fi
guard=(
  "$table" /usr/bin/env -i "PATH=$system_path" "$bwrap" --die-with-parent --new-session
  --unshare-pid --unshare-ipc --unshare-uts --ro-bind /usr /usr --ro-bind-try /lib /lib
  --ro-bind-try /lib64 /lib64 --ro-bind-try /nix /nix
  --ro-bind-try /run/current-system /run/current-system
  --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev
  --cap-drop ALL --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE --chdir /
  -- dnsmasq --keep-in-foreground --log-facility=- --user= --group= --pid-file= --no-resolv
  --no-hosts --listen-address=127.0.0.1 --bind-interfaces --query-port=54
  --log-queries '--address=/#/' "${network_names[@]}"
)

start_resolver() { # TOLD PATH RESOLVER...: goes on when the resolver answers
  local told=$1 said names
  exec {names}< <(
    close_descriptors
    exec "${@:3}" 2>&1 </dev/null
  )
  while IFS= read -r said <&"$names"; do
    if [[ $said == *": started,"* ]]; then
      tell_refused "$told" "$2" <&"$names" &
      exec {names}<&-
      return
    fi
    printf '%s\n' "$said" >&2
  done
  return 1
}
# Writes what was refused, each once, for the launcher to say at the end: names that the resolver
# does not know, and ports of addresses, by the name for which the resolver told the address.
tell_refused() { # TOLD PATH
  local kind name answer to text told=' ' alias='' last=''
  local -A names=()
  exec {to}>"/proc/self/fd/$1"
  close_descriptors "$to"
  while IFS=' ' read -r _ kind name _ answer; do
    name=${name,,}
    case "$kind $answer" in
      'config NXDOMAIN') tell_once "$name" ;;
      reply' '* | cached' '*) name_address ;;
    esac
  done
  text=$(PATH=$2 nft -n list sets 2>/dev/null)
  while [[ $text =~ ([0-9a-f.:]+)\ \.\ ([0-9]+)(.*) ]]; do
    text=${BASH_REMATCH[3]}
    name=${BASH_REMATCH[1]}
    [[ $name != *:* ]] || name=[$name]
    tell_once "${names[${BASH_REMATCH[1]}]:-$name}:${BASH_REMATCH[2]}"
  done
}
# The lines of an answer come one after the other: other names for the name, and then its addresses.
name_address() {
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
tell_once() { # TEXT
  [[ $told != *" $1 "* ]] && ((${#told} < 4000)) || return 0
  told+="$1 "
  printf '%s\n' "$1" >&"$to"
}
