# --- bwrap
# Finds bubblewrap where the project cannot change it, and which options it lacks.
# Reads: directories, project. Sets: bwrap, lacks, launch, memory, own.

bwrap=''
for path in "${directories[@]}"; do
  [[ $path == /* && -x $path/bwrap && ! -d $path/bwrap ]] || continue
  bwrap=$path/bwrap
  break
done
[[ -n $bwrap ]] || die "bwrap is not installed" "install the package bubblewrap"
cd -P -- "${bwrap%/*}"
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

# What this bwrap and env lack is found out once, and remembered until bwrap changes.
memory=/dev/shm/bwrapgen-$UID lacks=''
recall() { # NAME PROGRAM: sets lacks
  local known=''
  [[ -O $memory && ! -L $memory && -f $memory/$1 ]] || return 1
  { read -r known && read -r lacks; } <"$memory/$1" || :
  [[ $known == "$2" && ! $memory/$1 -nt $2 && ! $memory/$1 -ot $2 ]]
}
remember() { # NAME PROGRAM LACKS
  [[ $action != print ]] || return 0
  [[ -d $memory ]] || mkdir -m 0700 -- "$memory"
  [[ -O $memory && ! -L $memory ]] || return 0
  printf '%s\n' "$2" "$3" >"$memory/$$"
  touch -r "$2" -- "$memory/$$" # so the time of the note tells whether the program has changed
  mv -f -- "$memory/$$" "$memory/$1"
}
ask_bwrap() {
  local help option
  lacks=''
  help=$("$bwrap" --help 2>&1 && /usr/bin/env --help)
  for option in --overlay-src --disable-userns --chmod --default-signal; do
    [[ $help != *--ro-bind* || $help == *"$option"* ]] || lacks+=" $option"
  done
  remember lacks "$bwrap" "$lacks"
}
recall lacks "$bwrap" || ask_bwrap 2>/dev/null || :
launch=("$bwrap")
