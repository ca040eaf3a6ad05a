# Part allow: what leaves the network goes to some hosts only.
#
# These are addresses, and those that the network's own resolver has told for the names of the list.
# It knows no other names, sees nothing but its program, and asks from a port that no command can
# have.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

guard_functions=(guard_network close_descriptors tell_names)
chain='add rule inet allowed leaving' prohibited='reject with icmpx type admin-prohibited'
printf -v table '%s\n' \
  'add table inet allowed' \
  'add chain inet allowed leaving { type filter hook output priority 0; policy drop; }' \
  "${network_sets[@]}" \
  "$chain oif lo accept" \
  "$chain ct state established accept" \
  "$chain udp sport 54 ip daddr 10.0.2.3 udp dport 53 accept" \
  "$chain udp sport 54 ip6 daddr fd00::3 udp dport 53 accept" \
  "$chain icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept" \
  "$chain ip daddr { 10.0.2.0/24, 127.0.0.0/8 } $prohibited" \
  "$chain ip6 daddr { fd00::/64, ::1 } $prohibited" \
  "${network_rules[@]}" \
  "$chain meta l4proto tcp reject with tcp reset" \
  "$chain $prohibited"
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

guard_network() { # ENDS TOLD PATH TABLE RESOLVER...: goes on when the resolver answers
  local told=$2 said names
  PATH=$3 nft -f - <<<"$4" || exit 125
  exec {names}< <(
    close_descriptors
    exec "${@:5}" 2>&1 </dev/null
  )
  while IFS= read -r said <&"$names"; do
    if [[ $said == *": started,"* ]]; then
      tell_names "$told" <&"$names" &
      exec {names}<&-
      return
    fi
    printf '%s\n' "$said" >&2
  done
  exit 125
}
close_descriptors() { # [DESCRIPTOR]: all above 2, but for one
  local path fd
  for path in /proc/self/fd/*; do
    fd=${path##*/}
    ((fd < 3)) || [[ $fd == "${1-}" ]] || exec {fd}>&-
  done
}
# Writes the names that the resolver does not know, each once, for the launcher to say at the end.
tell_names() { # TOLD
  local kind name answer to told=' '
  exec {to}>"/proc/self/fd/$1"
  close_descriptors "$to"
  while IFS=' ' read -r _ kind name _ answer && ((${#told} < 4000)); do
    name=${name,,}
    if [[ "$kind $answer" == "config NXDOMAIN" && $told != *" $name "* ]]; then
      told+="$name "
      printf '%s\n' "$name" >&"$to"
    fi
  done
}
