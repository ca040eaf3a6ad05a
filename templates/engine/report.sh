# --- report
# Names what the run has made or changed and the host would run later, at any place of
# the project, as far down and for as long as the search is bounded.
# shellcheck disable=SC2154 # other parts and the policy set these

note_begin() {
  printf -v begin '%(%s)T' -1
  begin=${EPOCHREALTIME:-$begin}
}

# Git makes such itself, day by day.
of_git() { # PATH
  local all=("$1"/*) samples=("$1"/*.sample)
  case $1 in
    */.git/*HEAD | */.git/*objects | */.git/*refs) [[ $1 == */.git/*(*/)@(HEAD|objects|refs) ]] ;;
    */.git) [[ -d $1 && ! -L $1 && -e $1/HEAD ]] ;;
    */.git/hooks) [[ ! -L $1 && ${#all[@]} -gt 0 && ${#all[@]} == "${#samples[@]}" ]] ;;
    *) return 1 ;;
  esac
}
# A directory is a repository by what lies in it: then git believes its config.
of_repository() { # PATH
  local folder=${1%/*}
  case $1 in
    */.git/config) ;;
    */config | */HEAD | */objects | */refs)
      [[ -e $folder/HEAD && -e $folder/config && -d $folder/objects ]]
      ;;
  esac
}
# Prints what is new or changed, and an empty word at the end if the search was cut short. A folder
# that has come by another name is new itself, and not what lies in it.
search() {
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
    for name in "${there[@]}"; do # it is named already
      [[ $path != "$name" ]] || continue 2
    done
    if ! of_git "$path" && of_repository "$path"; then
      say "warning: $path is new or changed, and your tools may run it automatically; inspect it"
    fi
  done < <(search)
}
before+=(note_begin)
after+=(tell_changed)
