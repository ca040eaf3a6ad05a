# --- credentials
# Shows single credential files, read-only. They must be regular files that only their owner can
# read.
# Reads: credentials, closing, project, home_mode. Sets: mounts.

# bwrap would create an absent mount point on the host.
refuse_new_file() { # PATH
  local path
  for path in "${closing[@]}"; do # in a hidden directory it is created inside
    [[ $1 != "$path"/* || $path/ != @("$project"|"$home")/* ]] || return 0
  done
  [[ $1 == "$project"/* || ($home_mode == host && $1 == "$home"/*) ]] || return 0
  if [[ -f $1 && ! -L $1 ]] && cd -P -- "${1%/*}" 2>/dev/null && [[ $PWD == "${1%/*}" ]]; then
    cd -- "$cwd"
    return
  fi
  die "there is no file $1 that the credential could cover" \
    "create an empty one, or show the credential in an empty home"
}
for ((i = 0; i < ${#credentials[@]}; i += 3)); do
  path=${credentials[i + 1]/#.\//"$project/"} at=${credentials[i + 2]/#.\//"$project/"}
  [[ -e $path || -L $path || ${credentials[i]} == needed ]] || continue
  check_path "$path" || continue
  [[ -f $path && ! -L $path && -O $path ]] \
    || die "refusing the credential $path: it is not a regular file of yours" \
      "the profile names it in filesystem.credential"
  [[ $(stat -c %a -- "$path") == *00 ]] \
    || die "refusing the credential $path: others may read it" "chmod 600 $path"
  refuse_new_file "$at"
  mounts+=(--ro-bind "$path" "$at")
done
