# --- make
# Creates directories and files that the profile wants and the host lacks. They stay: a sticky bit
# marks them, so that "bwrapgen stores" can remove those that nobody has used.
# Reads: action, command, directories, program_paths, project, directories_to_make, files_to_make.
# Sets: creates.

# A program that is not installed needs none of them.
is_installed() {
  local path
  [[ ${#command[@]} -gt 0 && ${command[0]} != */* ]] || return 0
  for path in "${directories[@]}" "${program_paths[@]}"; do
    [[ ! -x $path/${command[0]} ]] || return 0
  done
  return 1
}
creates=''
if [[ $action == @(run|shell|doctor) ]] && is_installed; then
  creates=yes
fi
create_directories() { # DIRECTORY...
  local path absent=()
  for path; do
    [[ -z $creates || -e $path || -L $path ]] || absent+=("$path")
  done
  ((${#absent[@]} == 0)) \
    || (umask 077 && mkdir -p -- "${absent[@]}" && chmod +t -- "${absent[@]}") \
    || die "cannot create ${absent[0]}" "the reason is above; the profile wants it"
}
create_file() { # FILE TEXT
  [[ -n $creates && ! -e $1 && ! -L $1 ]] || return 0
  (umask 077 && set -C && printf '%s' "$2" >"$1" && chmod +t -- "$1") \
    || die "cannot create $1" "the reason is above; the profile wants it"
}
for path in "${directories_to_make[@]/#.\//"$project/"}"; do
  if [[ $path != "$project"/* ]]; then
    [[ $path == /proc/nonexistent* ]] || create_directories "$path"
  elif [[ -n $creates && ! -e $path ]] && may_show "$path"; then
    mkdir -p -- "$path" || die "cannot create $path" "the reason is above; the profile wants it"
  fi
done
for ((i = 0; i < ${#files_to_make[@]}; i += 2)); do
  path=${files_to_make[i]/#.\//"$project/"}
  [[ -d ${path%/*} ]] && may_show "$path" || continue
  create_file "$path" "${files_to_make[i + 1]}"
done
