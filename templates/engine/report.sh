# --- report
# Lists new and changed files in the project that your tools may run automatically.
# Reads: watched, search_depth, search_seconds, project, there. Sets: before, after.

note_start_time() {
  printf -v begin '%(%s)T' -1
  begin=${EPOCHREALTIME:-$begin}
}

# Git itself creates these names in everyday use: HEAD and directories in .git, hooks' samples.
is_usual_in_git() { # PATH
  local all=("$1"/*) samples=("$1"/*.sample)
  case $1 in
    */.git/*HEAD | */.git/*objects | */.git/*refs) [[ $1 == */.git/*(*/)@(HEAD|objects|refs) ]] ;;
    */.git) [[ -d $1 && ! -L $1 && -e $1/HEAD ]] ;;
    */.git/hooks) [[ ! -L $1 && ${#all[@]} -gt 0 && ${#all[@]} == "${#samples[@]}" ]] ;;
    *) return 1 ;;
  esac
}
# A file named config or HEAD matters only where git would take its directory for a repository.
is_in_repository() { # PATH
  local directory=${1%/*}
  case $1 in
    */.git/config) ;;
    */config | */HEAD | */objects | */refs)
      [[ -e $directory/HEAD && -e $directory/config && -d $directory/objects ]]
      ;;
  esac
}
# Prints paths, each with a NUL, and an empty one at the end if the search was cut short. It also
# finds directories: one that was moved here is new, although the files in it are not.
search_changed() {
  local name files=(-path '*/.git' -o -path '*/config' -o -path '*/HEAD')
  local folders=(-path '*/objects' -o -path '*/refs' -o -path '*/.git')
  for name in "${watched[@]}"; do
    files+=(-o -path "*/$name" -o -path "*/$name/*")
    folders+=(-o -path "*/$name" ! -empty)
  done
  timeout "$search_seconds" find "$project" -maxdepth "$search_depth" \
    -path '*/.git/objects' -prune -o -newerct "@$begin" ! -name '*.sample' \
    '(' ! -type d '(' "${files[@]}" ')' -o -type d '(' "${folders[@]}" ')' ')' -print0 \
    2>/dev/null || printf '\0'
}
tell_changed() {
  local path name
  while IFS= read -r -d '' path; do
    if [[ -z $path ]]; then
      say "warning: the search for files that your tools may run automatically was cut short"
      return
    fi
    for name in "${there[@]}"; do # part after reports these
      [[ $path != "$name" ]] || continue 2
    done
    if ! is_usual_in_git "$path" && is_in_repository "$path"; then
      say "warning: $path is new or changed, and your tools may run it automatically; inspect it"
    fi
  done < <(search_changed)
}
before+=(note_start_time)
after+=(tell_changed)
