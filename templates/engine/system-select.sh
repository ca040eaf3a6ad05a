# Part system: what the policy shows of the operating system; the rest is not there.

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
for name in $etc; do # a mount takes a bwrap before 0.13 long, and a copy does not
  if [[ ! -f /etc/$name ]]; then
    system_mounts+=" --ro-bind-try /etc/$name /etc/$name"
  elif [[ -r /etc/$name ]]; then
    exec {fd}<"/etc/$name"
    system_mounts+=" --file $fd /etc/$name"
  fi
done
# Some programs read the name of the time zone from the link.
[[ ! -r /etc/timezone || -z $zone ]] || read -r zone </etc/timezone || :
if [[ -n $zone && /etc/localtime -ef /usr/share/zoneinfo/$zone ]]; then
  mounts+=(--symlink "/usr/share/zoneinfo/$zone" /etc/localtime)
elif [[ -n $zone ]]; then
  mounts+=(--ro-bind-try /etc/localtime /etc/localtime)
fi
accounts_at=/etc
