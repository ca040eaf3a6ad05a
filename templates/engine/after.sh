# Part after: reports what the command created that your tools would run or trust, and takes away
# what git would trust at once. It looks at names, types and times; git runs in a sandbox only.
# Reads what part project found before the run. Sets unsafe to what could not be taken away.

tracked=() unsafe=()
for path in "${there[@]}"; do
  [[ $path != "$project"/* || $path == "$repository"/* || -L $path ]] || tracked+=("$path")
done
# A command can break .git and make the project itself look like a repository.
is_bare() {
  [[ -s $project/HEAD || -L $project/HEAD ]] \
    && [[ -e $project/commondir || (-d $project/objects && -d $project/refs) ]]
}
bare_head=$project/HEAD
[[ -e $project/.git ]] && ! is_bare || bare_head=''

# Git writes through symbolic links in a repository. Those whose status changed since the run began
# are removed; in some directories also older ones, since a command can have moved them there.
remove_links() { # REPOSITORY
  local i path above began links names times removed=0
  [[ -d $1 && ! -L $1 && ! -L ${1%/.git} ]] || return 0
  mapfile -d '' -t links < <(cd -P -- "$1" && find . -path './objects/?*' ! -path ./objects/info \
    -prune -o -type l -print0 2>/dev/null && printf '\0')
  if [[ ${#links[@]} -gt 0 && -z ${links[-1]} ]]; then
    unset 'links[-1]'
  else # what cannot be searched can hide links
    mapfile -d '' -t -O "${#unsafe[@]}" unsafe < <(printf '%s\0' "$1" \
      && find "$1"/* -type d ! -perm -500 -print0 2>/dev/null)
  fi
  ((${#links[@]} > 0)) || return 0
  began=$(stat -L -c %.9Z "/proc/$$/fd/$sign")
  mapfile -t times \
    < <(cd -P -- "$1" && printf '%s\0' "${links[@]}" | xargs -0 stat -c %.9Z -- 2>/dev/null)
  ((${#times[@]} == ${#links[@]})) || unsafe+=("$1")
  for i in "${!times[@]}"; do
    path=$1/${links[i]#./} names=()
    if [[ ${times[i]} < $began && ${links[i]} == ./@(logs|worktrees|rebase-*|sequencer)/* ]]; then
      above=$path
      while above=${above%/*} && [[ $above != "$1" ]]; do names+=("$above"); done
      times[i]=$(stat -c %.9Z -- "${names[@]}" | sort | tail -n 1)
    fi
    # HEAD was a link in old versions of git, which replace it.
    [[ ! ${times[i]} < $began && ${links[i]} != ./?(worktrees/+([!/])/)HEAD ]] || continue
    if ! cd -P -- "${path%/*}" 2>/dev/null || [[ $PWD != "${path%/*}" ]] \
      || ! rm -f -- "./${path##*/}" 2>/dev/null; then
      unsafe+=("$path")
    elif ((++removed <= 10)); then
      say "warning: the command created the symbolic link $path, through which git would write; \
it was removed"
    fi
  done
  ((removed <= 10)) || say "warning: $((removed - 10)) more were removed"
}
tell_made() {
  local i path new created=()
  for path in "${repositories[@]}"; do remove_links "$path"; done
  look
  for path in "${there[@]}" "${dangling[@]}"; do
    case ${before_run[$path]-} in
      there) ;;
      to*)
        [[ ! -e $path && ${before_run[$path]} == "to $(readlink -- "$path")" ]] \
          || created+=("$path")
        ;;
      *) created+=("$path") ;;
    esac
  done
  for ((i = 0; i < ${#linked[@]}; i += 2)); do
    [[ $(readlink -f -- "${linked[i]}") == "${linked[i + 1]}" ]] || created+=("${linked[i]}")
  done
  [[ -z $bare_head ]] || ! is_bare || created+=("$bare_head")
  for path in "${created[@]}"; do
    new=$path.untrusted-$RANDOM$RANDOM$RANDOM
    if [[ $path != @("$repository"/*|*/.git/*|"$bare_head") ]] \
      && [[ " ${lacking[*]} ${named_by_git[*]} " != *" $path "* ]]; then
      say "warning: the command created $path, which your tools may run automatically; inspect it"
    elif cd -P -- "${path%/*}" 2>/dev/null && [[ $PWD/${path##*/} == "$path" ]] \
      && mv -T -- "${path##*/}" "${new##*/}" 2>/dev/null; then
      say "warning: the command created $path, which git would trust; it is now $new"
    else
      unsafe+=("$path")
    fi
  done
}

# Git inside cannot update protected files, so after a checkout, merge or stash they may differ from
# HEAD. Git is asked in a sandbox that shows only the repository, whose settings can be the
# command's, and these files: read-only, without a network, for 5 seconds.
tell_differing() {
  local path name differing=() start=/proc/self/fd/$sign
  local words=("${isolation[@]}" --unshare-net --new-session --dev /dev --remount-ro /dev)
  ((${#tracked[@]})) || return 0
  [[ $git_dir/index -nt $start || $git_dir/HEAD -nt $start || $git_dir/logs/HEAD -nt $start ]] \
    || return 0
  for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store \
    /run/current-system "$repository" "${tracked[@]}"; do
    words+=(--ro-bind-try "$path" "$path")
  done
  if [[ -n ${filter_fd-} ]]; then
    exec {fd}< <(printf %b "${!filter_name}")
    words+=(--seccomp "$fd")
  fi
  while IFS= read -r -d '' name; do
    for path in "${tracked[@]#"$project"/}"; do
      [[ $name/ != "$path"/* || " ${differing[*]} " == *" ${path@Q} "* ]] \
        || differing+=("${path@Q}")
    done
  done < <(timeout -s KILL 5 env -i PATH="$system_path" GIT_DIR="$git_dir" \
    GIT_WORK_TREE="$project" GIT_CONFIG_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 GIT_LITERAL_PATHSPECS=1 \
    "$bwrap" "${words[@]}" --remount-ro / --chdir "$project" -- git -c core.fsmonitor=false \
    diff --name-only --diff-filter=a --ignore-submodules -z HEAD -- "${tracked[@]#"$project"/}" \
    </dev/null 2>/dev/null | head -c 65536)
  ((${#differing[@]})) || return 0
  say "warning: these protected files differ from HEAD, and git inside cannot update them: \
${differing[*]}; compare outside: git diff HEAD -- ${differing[*]}"
}
# A worktree beside the project is made in the sandbox's own home, and git would list it.
tell_lost() {
  local path
  [[ -z $project_at ]] || return 0
  for path in "$repository"/worktrees/*/gitdir; do
    [[ $path -nt /proc/self/fd/$sign ]] && cd -P -- "${path%/*}" || continue
    read_text "$path"
    [[ -e ${REPLY%$'\n'} ]] || say "the worktree ${REPLY%/.git*} is not on the host: make \
worktrees in the project, or outside the sandbox"
  done
}
# Names what could not be taken away: only the user can keep git outside from trusting it.
tell_unsafe() {
  local path
  ((${#unsafe[@]})) || return 0
  say "warning: before you run git here, remove what the command left, which git would trust:"
  for path in "${unsafe[@]:0:20}"; do say "  $path"; done
  say "these ${#unsafe[@]} could not be removed; the command's own exit status was $status"
  status=125
}
[[ $project_access != write ]] \
  || after+=(tell_made tell_differing tell_lost tell_unsafe)
