# --- after
# Reports on exit what the command created that your tools would run or trust. Renames or removes
# what git would trust the next time it runs. It looks at names, types and times; git itself runs
# only in a sandbox.
# Reads: before_run, gate, git_dir, linked, repositories, repository, there. Sets: status.

tracked=() unsafe=()
for path in "${there[@]}"; do
  [[ $path != "$project"/* || $path == "$repository"/* || -L $path ]] || tracked+=("$path")
done
# The command could break .git and turn the project itself into a repository.
is_bare() {
  [[ -s $project/HEAD || -L $project/HEAD ]] \
    && [[ -e $project/commondir || (-d $project/objects && -d $project/refs) ]]
}
bare_head=$project/HEAD
if [[ ! -e $project/.git ]] || is_bare; then bare_head=''; fi

# Removes symbolic links in a repository that were created during the run, because git would write
# through them. Where git renames directories, a link that is older than the run counts as new if a
# directory above it has changed: the command may have moved it there.
remove_links() { # REPOSITORY
  local i path above began links names times removed=0
  [[ -d $1 && ! -L $1 && ! -L ${1%/.git} ]] || return 0
  mapfile -d '' -t links < <(cd -P -- "$1" && find . -path './objects/?*' ! -path ./objects/info \
    -prune -o -type l -print0 2>/dev/null && printf '\0')
  if [[ ${#links[@]} -gt 0 && -z ${links[-1]} ]]; then
    unset 'links[-1]'
  else # a directory that cannot be searched may contain links
    mapfile -d '' -t -O "${#unsafe[@]}" unsafe < <(printf '%s\0' "$1" \
      && find "$1"/* -type d ! -perm -500 -print0 2>/dev/null)
  fi
  ((${#links[@]})) || return 0
  began=$(stat -L -c %.9Z "/proc/$$/fd/$gate")
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
    # Old versions of git made HEAD a symbolic link; newer ones replace it without following it.
    [[ ! ${times[i]} < $began && ${links[i]} != ./?(worktrees/+([!/])/)HEAD ]] || continue
    if ! cd -P -- "${path%/*}" 2>/dev/null || [[ $PWD != "${path%/*}" ]] \
      || ! rm -f -- "./${path##*/}" 2>/dev/null; then
      unsafe+=("$path")
    elif ((++removed <= 10)); then
      say "warning: removed the symbolic link $path, which the command created: git would write \
through it"
    fi
  done
  ((removed <= 10)) || say "warning: removed $((removed - 10)) more such links"
}
# Reports protected names that the command created, and renames those that git would trust.
tell_created() {
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
# Git inside cannot update protected files: after a checkout, merge or stash they may differ from
# HEAD. The command may have changed git's settings, so git is asked in a sandbox that shows only
# the repository and these files, read-only, without network, for at most 5 seconds.
tell_differing() {
  local path name differing=() start=/proc/self/fd/$gate
  local words=("${isolation[@]}" --unshare-net --new-session --dev /dev --remount-ro /dev)
  ((${#tracked[@]})) || return 0
  [[ ! $git_dir/ORIG_HEAD -nt $start || $git_dir/logs/HEAD -nt $start || -e $git_dir/MERGE_HEAD ]] \
    || say "warning: git inside stopped half way, because it cannot change protected files: see \
git status, and run the merge or pull outside"
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
  ((${#differing[@]} == 0)) || say "warning: these protected files differ from HEAD, and git \
inside cannot update them: ${differing[*]}; compare outside: git diff HEAD -- ${differing[*]}"
}
# The user must remove what the launcher could not, before git runs outside.
tell_unsafe() {
  local path
  ((${#unsafe[@]})) || return 0
  say "warning: before you run git here, remove what the command left, which git would trust:"
  for path in "${unsafe[@]:0:20}"; do say "  $path"; done
  say "could not remove ${#unsafe[@]} of these; the command's own exit status was $status"
  status=125
}
[[ $project_access != write ]] || after+=(tell_created tell_differing tell_unsafe)
