# Part planted: a bwrap that a command could have put there counts only if there is no other.

planted=()
for i in "${!bwrap_directories[@]}"; do
  path=${bwrap_directories[i]}
  [[ $path == /* && -x $path/bwrap ]] && cd -P -- "$path" || continue
  for ((j = 0; j < ${#entries[@]}; j += 3)); do
    [[ ${entries[j]} == --bind* && $PWD/ == "${entries[j + 1]}"/* ]] || continue
    planted+=("$path")
    own+=("$PWD/bwrap")
    unset 'bwrap_directories[i]'
  done
done
cd -- "$cwd"
if ((${#planted[@]})); then
  for path in "${bwrap_directories[@]}"; do
    [[ $path != /* || ! -x $path/bwrap ]] || planted=()
  done
  ((${#planted[@]} < 2)) || die "refusing ${planted[0]}/bwrap: a command can have put it there" \
    "take that directory out of PATH"
  bwrap_directories+=("${planted[@]}")
fi
