# --- directories
# Mounts directories that are kept from run to run.
# Reads: mounts. Sets: kept_directories, layers, mounts.

kept_directories=()
keep_directory() { # DIRECTORY PATH
  layers+=("$1")
  kept_directories+=("$2" "$1")
  mounts+=(--bind "$1" "$2")
}
# An earlier run can have left a symbolic link or a named pipe in such a directory. A mount through
# the link would create files on the host, and bwrap would wait for a writer to the pipe.
check_directories() {
  local i word path
  for ((i = 0; i < ${#kept_directories[@]}; i += 2)); do
    for word in "${mounts[@]}"; do
      while [[ $word == "${kept_directories[i]}"/?* ]]; do
        path=${kept_directories[i + 1]}${word#"${kept_directories[i]}"}
        [[ ! -L $path && ! -p $path ]] || die "refusing $path: it is a link or a named pipe" \
          "remove it, or discard all that is kept: --sandbox-discard"
        word=${word%/*}
      done
    done
  done
}
before+=(check_directories)
