# --- system-host
# Shows the whole host, read-only, except what is private to its users and services.
# Reads: home, home_at, home_mode. Sets: accounts_at, closing, mounts, system_mounts, visible.

# Notes that a path of the host is visible inside. The variable visible is a pattern.
show() { # PATH
  visible+="|${1//[^a-zA-Z0-9_.\/-]/?}"
}
# Reports whether a path of the host is visible inside.
shown() { # PATH
  [[ $home_mode == host || $1/ != "$home"/* || $1/ == @(/nonexistent$visible)/* ]]
}
# Shows a path of the host, read-only, although it may be below something hidden.
expose() { # PATH
  stand "$1"
  mounts+=(--ro-bind "$1" "$REPLY")
  revealed+=("$REPLY")
}
system_mounts='--ro-bind / / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run'
visible=''
# If home is somewhere else inside, its usual place is empty.
[[ -z $home_at ]] || mounts+=(--tmpfs "$home" --tmpfs "${home_at%/*}")
# A mount cannot be made on a symbolic link: the accounts are then where the links of /etc lead.
accounts_at=/etc
for path in /etc/passwd /etc/group; do
  [[ -f $path && ! -L $path ]] || accounts_at=/run
done
# Other users' home directories, those that passwd(5) lists included, are empty.
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
# /etc/resolv.conf usually leads to one of these, and /run is hidden.
for name in systemd/resolve/{stub-,} NetworkManager/{,no-stub-} resolvconf/ connman/ netconfig/; do
  path=/run/${name}resolv.conf
  mounts+=(--ro-bind-try "$path" "$path")
done
[[ $home_mode != host || $home != @(/tmp|/var/tmp)/* ]] || mounts+=(--ro-bind "$home" "$home")
