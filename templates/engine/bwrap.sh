# Part bwrap: bubblewrap, from a place that the project cannot change, and what it lacks.

bwrap=''
for path in "${bwrap_directories[@]}"; do
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
    || die "refusing $path: others can replace it" "take that directory out of PATH"
done
own+=("$bwrap")

# Asked once, and remembered in memory until bwrap changes.
memory=/dev/shm/bwrapgen-$UID known='' lacks=''
ask() {
  local help option
  help=$("$bwrap" --help 2>&1 && /usr/bin/env --help)
  for option in --overlay-src --disable-userns --chmod --default-signal; do
    [[ $help != *--ro-bind* || $help == *"$option"* ]] || lacks+=" $option"
  done
  [[ $action != print ]] || return 0
  [[ -d $memory ]] || mkdir -m 0700 -- "$memory" 2>/dev/null
  [[ -O $memory && ! -L $memory ]] || return 0
  printf '%s\n' "$bwrap" "$lacks" >"$memory/$$" && touch -r "$bwrap" -- "$memory/$$"
  mv -f -- "$memory/$$" "$memory/lacks"
}
if [[ -O $memory && ! -L $memory && -f $memory/lacks ]]; then
  { read -r known && read -r lacks; } <"$memory/lacks" || :
  [[ ! $memory/lacks -nt $bwrap && ! $memory/lacks -ot $bwrap ]] || known=''
fi
if [[ $known != "$bwrap" ]]; then
  lacks=''
  ask 2>/dev/null || :
fi
launch=("$bwrap")
