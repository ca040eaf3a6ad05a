# Part network: a network of the sandbox's own, which pasta or slirp4netns leads out of.
#
# Another bwrap makes the network, and is root in it. It tells the guide its number, waits until the
# way out stands, and starts the sandbox.
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

enter_network() { # ENDS TOLD PATH COUNT [GUARD...] COMMAND...: run by root of the network
  local ends=$1 told=$2 guard=("${@:5:$4}") ready=''
  # Else an address of IPv6 could be used a second after it is there.
  printf 0 2>/dev/null >/proc/sys/net/ipv6/conf/default/accept_dad || :
  # The command may listen on port 80, but not ask names from the guard's port.
  printf 55 2>/dev/null >/proc/sys/net/ipv4/ip_unprivileged_port_start || :
  printf '%s\n' "$$" >"/proc/self/fd/$ends"
  read -r ready <&"$told" || :
  [[ $ready == [12] ]] || exit 125
  if ((${#guard[@]})); then
    guard_network "$ends" "$told" "$3" "${guard[@]}"
  elif ((ready == 2)); then
    close_loopback "$3"
  fi
  shift "$((4 + $4))"
  exec {ends}<&- {told}<&-
  exec "$@"
}
exec {ends}< <(:) {told}< <(:)
launch+=(
  --die-with-parent --dev-bind / / --unshare-user --unshare-net --uid 0 --gid 0
  --cap-add CAP_SYS_ADMIN --cap-add CAP_DAC_OVERRIDE --cap-add CAP_SETFCAP
  --cap-add CAP_NET_ADMIN --cap-add CAP_NET_BIND_SERVICE
  -- "$BASH" -pc "$(declare -f enter_network close_loopback "${guard_functions[@]}")
enter_network \"\$@\"" bash "$ends" "$told" "$system_path" "${#guard[@]}" "${guard[@]}" "$bwrap"
)

# Ends when this launcher holds the leash no more.
lead_out() {
  local words
  close_private
  trap '' INT QUIT
  [[ $guide != pasta ]] || lead_by_pasta
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
  [[ $guide == pasta || (${#network_published[@]} -eq 0 && $network_reached == none) ]] \
    || die "pasta is not installed, and network.publish, reach and proxy need it" \
      "install the package passt"
  hash "$guide" 2>/dev/null \
    || die "neither pasta nor slirp4netns is installed, and a network of its own needs one" \
      "install the package passt, or slirp4netns"
  ((${#guard[@]} == 0)) || hash nft dnsmasq 2>/dev/null \
    || die "nft or dnsmasq is not installed, and network.allow needs both" \
      "install the packages nftables and dnsmasq-base, or dnsmasq"
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
  local line=''
  exec {leash}>&-
  wait "$leader" || :
  if [[ $failed && $status == 125 ]]; then
    IFS= read -r -t 1 -u "$told" line || :
    [[ ! $line =~ ([0-9a-f.:]+)/([0-9]+) ]] \
      || die "port ${BASH_REMATCH[2]} of ${BASH_REMATCH[1]} is taken, or not for you to publish" \
        "free it, or write another in network.publish; for IPv6, this host needs a route"
    die "there is no way out of the network${line:+: $line}" "$self --sandbox-doctor says why"
  fi
  while IFS= read -r -t 1 -u "$told" name; do
    say "$name was asked for, and is not in network.allow"
  done
}
before+=(start_network)
after+=(end_network)
