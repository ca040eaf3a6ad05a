# --- namesake
# Where this script has the command's name, it is not found inside.

path=$launcher
[[ ! -L $path ]] || path=${own[1]}
[[ ${launcher##*/} != "${command[0]}" ]] || ! shown "$path" || mounts+=(--ro-bind /dev/null "$path")
