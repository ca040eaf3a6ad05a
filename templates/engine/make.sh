# Part make: what the profile wants made on the host where it is absent.
# shellcheck disable=SC2154 # other parts and the policy set and use these

if [[ $action == @(run|shell|doctor) ]]; then
  for path in "${directories_to_make[@]/#.\//"$project/"}"; do
    [[ ! -e $path && $path != /proc/nonexistent* ]] || continue
    may_show "$path" || continue
    mkdir -p -- "$path" \
      || die "cannot make $path" "the reason is above; the profile says that it is made"
  done
  for ((i = 0; i < ${#files_to_make[@]}; i += 2)); do
    path=${files_to_make[i]/#.\//"$project/"}
    [[ ! -e $path && ! -L $path && -d ${path%/*} ]] || continue
    may_show "$path" || continue
    (umask 077 && printf '%s' "${files_to_make[i + 1]}" >"$path") \
      || die "cannot make $path" "the reason is above; the profile says that it is made"
  done
fi
