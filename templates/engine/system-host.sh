# Part system: the host, read-only, without what is private to its users and services.
# shellcheck disable=SC2034,SC2154 # other parts and the policy set and use these

system_mounts='--ro-bind / / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run'
visible=''
# A home that stands elsewhere is not where it was, and has a directory of its own to stand in.
[[ -z $home_at ]] || mounts+=(--tmpfs "$home" --tmpfs "${home_at%/*}")
# No mount can stand on a link: then the accounts are where links of /etc lead.
accounts_at=/etc
for path in /etc/passwd /etc/group; do
  [[ -f $path && ! -L $path ]] || accounts_at=/run
done
# Others' homes, as passwd(5) has them, too: an empty directory each.
homes=(/home /root)
while IFS=: read -r _ _ number _ _ path _; do
  [[ $number == @([1-9]|[1-5][0-9])[0-9][0-9][0-9] && $path == /?* ]] || continue
  [[ $path == /@(home|root)/* ]] || homes+=("$path")
done 2>/dev/null </etc/passwd || :
for path in "${homes[@]}"; do
  cd -P -- "$path" 2>/dev/null || continue
  [[ $PWD != "$home" ]] || continue
  if [[ $path != /@(home|root) ]]; then
    [[ $home/ != "${PWD%/}"/* ]] || continue
    [[ $PWD/ != /@(bin|boot|dev|etc|lib*|opt|proc|run|sbin|sys|usr|var)/* ]] || continue
    [[ $PWD/ != /tmp/* ]] || continue
  fi
  closing+=("$PWD")
  mounts+=(--tmpfs "$PWD")
  [[ $home_mode != host || $home != "$PWD"/* ]] || mounts+=(--ro-bind "$home" "$home")
  [[ $spelled == "$home" || $spelled != "$PWD"/* ]] || mounts+=(--symlink "$home" "$spelled")
done
# Where /etc/resolv.conf leads on usual hosts, since /run is hidden.
for name in systemd/resolve/{stub-,} NetworkManager/{,no-stub-} resolvconf/ connman/ netconfig/; do
  path=/run/${name}resolv.conf
  mounts+=(--ro-bind-try "$path" "$path")
done
[[ $home_mode != host || $home != @(/tmp|/var/tmp)/* ]] || mounts+=(--ro-bind "$home" "$home")
