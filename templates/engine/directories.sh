# --- directories
# Whole directories that are kept.

kept_directories=()
keep_directory() { # DIRECTORY PATH
  layers+=("$1")
  kept_directories+=("$2" "$1")
  mounts+=(--bind "$1" "$2")
}
# Nothing is mounted through a link, or on a pipe, that an earlier run has left in what is kept.
check_directories() {
  local i word path
  for ((i = 0; i < ${#kept_directories[@]}; i += 2)); do
    for word in "${mounts[@]}"; do
      while [[ $word == "${kept_directories[i]}"/?* ]]; do
        path=${kept_directories[i + 1]}${word#"${kept_directories[i]}"}
        [[ ! -L $path && ! -p $path ]] || die "refusing $path: it is a link or a named pipe" \
          "remove it, or all with --sandbox-discard"
        word=${word%/*}
      done
    done
  done
}
before+=(check_directories)
