# --- system-select
# Shows the parts of the operating system that the policy lists, read-only. Nothing else of it
# is visible.
# Reads: etc, roots, system, zone. Sets: accounts_at, mounts, system_mounts, visible.

# Notes that a path of the host is visible inside. The variable visible is a pattern.
show() { # PATH
  visible+="|${1//[^a-zA-Z0-9_.\/-]/?}"
}
# Reports whether a path of the host is visible inside.
shown() { # PATH
  [[ $1/ == @($visible)/* ]]
}
# Shows a path of the host, read-only.
expose() { # PATH
  shown "$1" || mounts+=(--ro-bind "$1" "$1")
}
system_mounts='--proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp --tmpfs /run'
names=($system $roots)
IFS='|'
visible=${names[*]:-/nonexistent}
IFS=$' \t\n'
for path in $system $roots; do
  if [[ -L $path && $path == /@(bin|sbin|lib*) ]]; then
    system_mounts+=" --symlink usr$path $path"
  else
    system_mounts+=" --ro-bind-try $path $path"
  fi
done
for name in $etc; do
  system_mounts+=" --ro-bind-try /etc/$name /etc/$name"
done
# Some programs read the name of the time zone from the symbolic link.
if [[ -n $zone && -r /etc/timezone ]]; then read -r zone </etc/timezone || :; fi
if [[ -n $zone && /etc/localtime -ef /usr/share/zoneinfo/$zone ]]; then
  mounts+=(--symlink "/usr/share/zoneinfo/$zone" /etc/localtime)
elif [[ -n $zone ]]; then
  mounts+=(--ro-bind-try /etc/localtime /etc/localtime)
fi
accounts_at=/etc
