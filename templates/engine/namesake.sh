# --- namesake
# Hides a launcher that has the name of its command. Otherwise the command could find it in PATH,
# and start it again inside.
# Reads: launcher, own, command. Sets: mounts.

path=$launcher
if [[ -L $path ]]; then
  path=${own[1]}
fi
if [[ ${launcher##*/} == "${command[0]}" ]] && shown "$path"; then
  mounts+=(--ro-bind /dev/null "$path")
fi
