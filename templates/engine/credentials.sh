# Part credentials: each a regular file that its owner alone can read.
# shellcheck disable=SC2015,SC2154,SC2164 # other parts and the policy set these

# It covers a file that is there already, or stands where no host sees it: bwrap would make one.
refuse_new_file() { # PATH
  local path
  for path in "${closing[@]}"; do # it is hidden, and empty
    [[ $1 != "$path"/* || $path/ != @("$project"|"$home")/* ]] || return 0
  done
  [[ $1 == "$project"/* || ($home_mode == host && $1 == "$home"/*) ]] || return 0
  [[ -f $1 && ! -L $1 ]] && cd -P -- "${1%/*}" 2>/dev/null && [[ $PWD == "${1%/*}" ]] \
    || die "there is no file $1 that the credential could cover" \
      "make an empty one, or show it in an empty home"
  cd -- "$cwd"
}
for ((i = 0; i < ${#credentials[@]}; i += 3)); do
  path=${credentials[i + 1]/#.\//"$project/"} at=${credentials[i + 2]/#.\//"$project/"}
  [[ -e $path || -L $path || ${credentials[i]} == needed ]] || continue
  check_path "$path" || continue
  [[ -f $path && ! -L $path && -O $path ]] \
    || die "refusing the credential $path: it is no regular file of yours" \
      "the profile names it in filesystem.credential"
  [[ $(stat -c %a -- "$path") == *00 ]] \
    || die "refusing the credential $path: others may read it" "chmod 600 $path"
  refuse_new_file "$at"
  mounts+=(--ro-bind "$path" "$at")
done
