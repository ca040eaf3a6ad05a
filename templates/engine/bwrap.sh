# --- bwrap
# Finds bubblewrap where the project cannot change it, and which options it lacks.
# Reads: directories, project. Sets: bwrap, lacks, launch, memory, own.

# Sets REPLY to the first program of that name on the caller's PATH.
find_program() { # NAME
  local path
  for path in "${directories[@]}"; do
    REPLY=$path/$1
    [[ $path != /* || ! -f $REPLY || ! -x $REPLY ]] || return 0
  done
  return 1
}
find_program bwrap || die "bwrap is not installed" "install the package bubblewrap"
cd -P -- "${REPLY%/*}"
bwrap=$PWD/bwrap
if [[ -L $bwrap ]]; then
  follow "$bwrap"
  bwrap=$REPLY
fi
[[ ! -u $bwrap ]] || die "refusing $bwrap: it is set-uid" "as root: chmod u-s $bwrap"
for path in "$bwrap" "$BASH"; do
  [[ $path != "$project"/* ]] && [[ -O ${path%/*} || ! -w ${path%/*} ]] \
    || die "refusing $path: other users or the project can replace it" \
      "remove that directory from PATH"
done
own+=("$bwrap")

# What this bwrap and env lack is found out once, and remembered until bwrap changes: the note has
# the same time as the program.
memory=/dev/shm/bwrapgen-$UID lacks='' known=''
find_lacks() {
  local help option
  lacks=''
  help=$("$bwrap" --help 2>&1 && /usr/bin/env --help)
  for option in --overlay-src --disable-userns --chmod --default-signal; do
    [[ $help != *--ro-bind* || $help == *"$option"* ]] || lacks+=" $option"
  done
  [[ $action != print ]] || return 0
  [[ -d $memory ]] || mkdir -m 0700 -- "$memory"
  [[ -O $memory && ! -L $memory ]] || return 0
  printf '%s\n' "$bwrap" "$lacks" >"$memory/$$"
  touch -r "$bwrap" -- "$memory/$$"
  mv -f -- "$memory/$$" "$memory/lacks"
}
if [[ -O $memory && ! -L $memory && -f $memory/lacks ]]; then
  { read -r known && read -r lacks; } <"$memory/lacks" || :
fi
if [[ $known != "$bwrap" || $memory/lacks -nt $bwrap || $memory/lacks -ot $bwrap ]]; then
  find_lacks 2>/dev/null || :
fi
launch=("$bwrap")
