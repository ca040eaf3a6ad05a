# --- network
# A network of the sandbox's own, which pasta or slirp4netns leads out of.
#
# Another bwrap makes the network, and is root in it. It tells the guide its number, loads what
# guards the network meanwhile, and starts the sandbox when the way out stands.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

resolver="nameserver $name_server"$'\noptions edns0'
[[ $network != allow ]] || resolver=$'nameserver 127.0.0.1\noptions edns0'
[[ $network == allow ]] || guard=() guard_functions=()
guard=("${guard[@]/%\/10.0.2.3//$name_server}")
at=/etc/resolv.conf
[[ $base == select ]] || at=$(readlink -m -- "$at") # no mount stands on a link
if [[ $base == select || -e $at || $at == /run/* ]]; then
  feed "$resolver"
  mounts+=(--ro-bind-data "$fd" "$at")
fi

# What root of the network loads there, and what answers for names: nothing, unless some hosts are
# allowed only, or pasta is an old one.
[[ $network == allow || -z $pasta_lacks ]] || guard=("$loopback_table")
close_descriptors() { # [DESCRIPTOR]: all above 2, but for one
  local path fd
  for path in /proc/self/fd/*; do
    fd=${path##*/}
    ((fd < 3 || fd == 255)) || [[ $fd == "${1-}" ]] || exec {fd}>&-
  done
}
enter_network() { # ENDS TOLD PATH COUNT [GUARD...] COMMAND...: run by root of the network
  local ends=$1 told=$2 guard=("${@:5:$4}") guarded='' ready=''
  # Else an address of IPv6 could be used a second after it is there.
  printf 0 2>/dev/null >/proc/sys/net/ipv6/conf/default/accept_dad || :
  # The command may listen on port 80, but not ask names from the guard's port.
  printf 55 2>/dev/null >/proc/sys/net/ipv4/ip_unprivileged_port_start || :
  printf '%s\n' "$$" >"/proc/self/fd/$ends"
  if ((${#guard[@]})); then
    PATH=$3 nft -f - <<<"${guard[0]}" || guarded=no
    ((${#guard[@]} == 1)) || start_resolver "$told" "$3" "${guard[@]:1}" || guarded=no
  fi
  read -r ready <&"$told" || :
  [[ $ready$guarded == 1 ]] || exit 125
  shift "$((4 + $4))"
  exec {ends}<&- {told}<&-
  exec "$@"
}
exec {ends}< <(:) {told}< <(:)
launch+=(
  --die-with-parent --dev-bind / / --unshare-user --unshare-net --uid 0 --gid 0
  --cap-add CAP_SYS_ADMIN --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP
  --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE
  -- "$BASH" -pc "$(declare -f enter_network "${guard_functions[@]}")
enter_network \"\$@\"" bash "$ends" "$told" "$system_path" "${#guard[@]}" "${guard[@]}" "$bwrap"
)

# Ends when this launcher holds the leash no more. It is not to be left alone when the launcher's
# group is killed, nor to obey the terminal.
lead_out() {
  local words
  close_descriptors 2 # else it would hold the store for a moment longer
  trap '' INT QUIT
  "words_of_$guide"
  # Root's slirp4netns would unmount, in its own root directory, what the host shares with it.
  [[ $guide == pasta ]] || ((UID != 0)) \
    || words=(2 unshare --mount --propagation slave -- "${words[@]:1}")
  [[ $action == doctor ]] || exec 2>/dev/null
  exec setsid "$BASH" -pc "$(declare -f keep_guide)
keep_guide \"\$@\"" bash "${words[@]}"
}
start_network() {
  local tell
  [[ $guide == pasta || (${#network_published[@]} -eq 0 && $network_reached == none) ]] \
    || die "pasta is not installed, and network.publish, reach and proxy need it" \
      "install the package passt"
  hash "$guide" 2>/dev/null \
    || die "neither pasta nor slirp4netns is installed, and a network of its own needs one" \
      "install the package passt, or slirp4netns"
  [[ $network != allow ]] || hash nft dnsmasq 2>/dev/null \
    || die "nft or dnsmasq is not installed, and network.allow needs both" \
      "install the packages nftables and dnsmasq-base, or dnsmasq"
  ((${#guard[@]} == 0)) || hash nft 2>/dev/null \
    || die "pasta is older than October 2024, and needs the package nftables beside it" \
      "install the package nftables"
  [[ -r /dev/net/tun && -w /dev/net/tun ]] \
    || die "/dev/net/tun is not open to you, and a network of its own needs it" \
      "as root: modprobe tun; chmod 0666 /dev/net/tun"
  exec {leash}>"/proc/self/fd/$ends" {tell}>"/proc/self/fd/$told"
  private+=("$leash")
  lead_out <&"$ends" >&"$tell" {tell}>&- &
  leader=$!
  exec {tell}>&-
}
end_network() {
  local line='' unlisted=''
  exec {leash}>&-
  ((${#network_published[@]} == 0)) || wait "$leader" || : # then its ports are free again
  if [[ $failed && $status == 125 ]]; then
    IFS= read -r -t 5 -u "$told" line || :
    refuse_network "$line"
  fi
  while IFS= read -r -t 5 -u "$told" line; do
    [[ ! -p ${BWRAPGEN_REFUSED-} ]] || printf '%s\n' "$line" >"$BWRAPGEN_REFUSED" # bwrapgen learn
    say "$line was asked for, and is not in network.allow"
    unlisted+=", \"$line\""
  done
  [[ -z $unlisted ]] || say "hint: to allow it: network.allow = [${unlisted#, }]"
}
refuse_network() { # WHY
  # What is remembered may be wrong.
  rm -f -- "$memory/pasta"
  [[ ! $1 =~ ([0-9a-f.:]+)/([0-9]+) ]] \
    || die "port ${BASH_REMATCH[2]} of ${BASH_REMATCH[1]} is taken, or not for you to publish" \
      "free it, or write another in network.publish; for IPv6, this host needs a route"
  die "there is no way out of the network${1:+: $1}" "$self --sandbox-doctor says why"
}
before+=(start_network)
after+=(end_network)
