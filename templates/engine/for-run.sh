# Part for-run: what an agent's profile wants made on the host where it is absent, and places for
# something empty in what is writable. What is still as it was made is taken away again by the last
# launcher that ends, or by the next one that starts: a sticky bit tells.
# shellcheck disable=SC2154 # other parts and the policy set and use these

made=() made_lock=''
declare -A made_texts=()
# Reports whether a path is absent and can be made, or is still as a launcher has made it. Of a
# directory in home the mark says so: what another launcher has made stands in it.
is_unmade() { # PATH [TEXT]
  local text='' names
  [[ $1 != /proc/nonexistent* ]] || return 1
  if [[ ! -e $1 && ! -L $1 ]]; then
    may_show "$1"
    return
  fi
  [[ -k $1 && -O $1 && ! -L $1 ]] || return 1
  if [[ -d $1 && $1 == "$home"/* ]]; then
    text=${2-}
  elif [[ -d $1 ]]; then
    shopt -s dotglob
    names=("$1"/*)
    shopt -u dotglob
    text=${names[*]}
  else
    read_text "$1"
    text=$REPLY
  fi
  [[ $text == "${2-}" ]]
}
has_folder() { [[ -d ${1%/*} || " ${made[*]} " == *" ${1%/*} "* ]]; } # PATH
list_made() {
  local i path text writable=''
  for path in "${directories_for_run[@]}"; do
    ! is_unmade "$path" || made+=("$path")
  done
  for ((i = 0; i < ${#entries[@]}; i += 3)); do
    path=${entries[i + 2]}
    [[ ${entries[i]} != --bind* ]] || writable+="|${path//[^a-zA-Z0-9_.\/-]/?}"
    [[ ${entries[i]} == --tmpfs* && $path == @(${writable#|})/* ]] && has_folder "$path" || continue
    ! is_unmade "$path" || made+=("$path")
  done
  for ((i = 0; i < ${#files_for_run[@]}; i += 2)); do
    path=${files_for_run[i]} text=${files_for_run[i + 1]}
    has_folder "$path" && is_unmade "$path" "$text" || continue
    made+=("$path") made_texts[$path]=$text
  done
}
make_files() { # nobody else is to read them
  local path
  umask 077
  for path in "${!made_texts[@]}"; do
    [[ -e $path ]] || printf '%s' "${made_texts[$path]}" >"$path" || return
  done
}
make_all() {
  local path directories=() failed="cannot make what the profile wants made: ${made[0]}, ..."
  exec {made_lock}<"$home"
  private+=("$made_lock")
  flock -w 5 -s "$made_lock" || die "cannot lock $home" "end what holds it, maybe another sandbox"
  undo+=(take_away)
  for path in "${made[@]}"; do
    [[ -v made_texts[$path] ]] || directories+=("$path")
  done
  mkdir -p -- "${directories[@]:-$home}" || die "$failed" "the reason is above"
  (make_files) || die "$failed" "the reason is above"
  chmod +t -- "${made[@]}" || die "$failed" "the reason is above"
}
take_away() {
  local path files=() directories=() filled=()
  flock -n "$made_lock" || return 0
  for path in "${made[@]}"; do
    if [[ -d $path ]]; then
      directories=("$path" "${directories[@]}")
    elif is_unmade "$path" "${made_texts[$path]-}"; then
      files+=("$path")
    fi
  done
  ((${#files[@]} == 0)) || rm -f -- "${files[@]}"
  ((${#directories[@]} == 0)) || rmdir -- "${directories[@]}" 2>/dev/null || :
  for path in "${directories[@]}"; do
    [[ ! -k $path ]] || filled+=("$path")
  done
  ((${#filled[@]} == 0)) || chmod -t -- "${filled[@]}"
}
if [[ $action == @(run|shell|doctor) ]]; then
  list_made
  ((${#made[@]} == 0)) || make_all
fi
