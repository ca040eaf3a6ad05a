# Part network: a network of the sandbox's own, which slirp4netns leads out of.
#
# Another bwrap makes the network, and is root in it. It tells slirp4netns its number, waits until
# the way out stands, and starts the sandbox.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

resolver='nameserver 10.0.2.3' # slirp4netns asks the host's
[[ $network != allow ]] || resolver=$'nameserver 127.0.0.1\noptions edns0'
[[ $network == allow ]] || guard=() guard_functions=()
at=/etc/resolv.conf
[[ $base == select ]] || at=$(readlink -m -- "$at") # no mount stands on a link
if [[ $base == select || -e $at || $at == /run/* ]]; then
  feed "$resolver"
  mounts+=(--ro-bind-data "$fd" "$at")
fi

enter_network() { # ENDS TOLD COUNT [GUARD...] COMMAND...: run by root of the network
  local ends=$1 told=$2 guard=("${@:4:$3}") ready=''
  printf '%s\n' "$$" >"/proc/self/fd/$ends"
  read -r ready <&"$told" || :
  [[ $ready == 1 ]] || exit 125
  shift "$((3 + $3))"
  ((${#guard[@]} == 0)) || guard_network "$ends" "$told" "${guard[@]}"
  exec {ends}<&- {told}<&-
  exec "$@"
}
exec {ends}< <(:) {told}< <(:)
launch+=(
  --die-with-parent --dev-bind / / --unshare-user --unshare-net --uid 0 --gid 0
  --cap-add CAP_SYS_ADMIN --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP
  --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE
  -- "$BASH" -pc "$(declare -f enter_network "${guard_functions[@]}"); enter_network \"\$@\"" bash
  "$ends" "$told" "${#guard[@]}" "${guard[@]}" "$bwrap"
)

# Ends when this launcher holds the leash no more.
lead_out() {
  local pid words
  close_private
  trap '' INT QUIT
  [[ $action == doctor ]] || exec 2>/dev/null
  read -r pid || exit 0
  words=(
    slirp4netns --configure --mtu=65520 --disable-host-loopback --enable-sandbox --enable-seccomp
    --exit-fd=0 --ready-fd=3 "$pid" tap0
  )
  # Root's would unmount, in its own root directory, what the host shares with it.
  ((UID != 0)) || words=(unshare --mount --propagation slave -- "${words[@]}")
  exec "${words[@]}" 3>&1 >/dev/null
}
start_network() {
  local tell
  hash slirp4netns 2>/dev/null \
    || die "slirp4netns is not installed, and a network of its own needs it" \
      "install the package slirp4netns"
  ((${#guard[@]} == 0)) || hash nft dnsmasq 2>/dev/null \
    || die "nft or dnsmasq is not installed, and network.allow needs both" \
      "install the packages nftables and dnsmasq-base, or dnsmasq"
  [[ -r /dev/net/tun && -w /dev/net/tun ]] \
    || die "/dev/net/tun is not open to you, and a network of its own needs it" \
      "as root: modprobe tun; chmod 0666 /dev/net/tun"
  exec {leash}>"/proc/self/fd/$ends" {tell}>"/proc/self/fd/$told"
  private+=("$leash")
  lead_out <&"$ends" >&"$tell" {tell}>&- &
  guide=$!
  exec {tell}>&-
}
end_network() {
  exec {leash}>&-
  wait "$guide" || :
  [[ -z $failed || $status != 125 ]] \
    || die "there is no way out of the network" "$self --sandbox-doctor says why"
  while IFS= read -r -t 1 -u "$told" name; do
    say "$name was asked for, and is not in network.allow"
  done
}
before+=(start_network)
after+=(end_network)
