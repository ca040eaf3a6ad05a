# --- inspect
# Explains what the command finds, and prints what would run. These are --sandbox-explain and
# --sandbox-print.
# Reads: action, filter_name, layers, mounts, protected_here, texts.

# Sets REPLY to an absolute path without . and ..
plain_path() { # PATH
  local word rest=$1/
  REPLY=''
  [[ $rest == /* ]] || rest=$cwd/$rest
  while [[ -n $rest ]]; do
    word=${rest%%/*} rest=${rest#*/}
    case $word in
      ..) REPLY=${REPLY%/*} ;;
      '' | .) ;;
      *) REPLY+=/$word ;;
    esac
  done
}
# Finds the last mount at or above a path. Sets mounted to its mount point, and answer to what the
# command finds there. A mount is complete when the next option begins.
find_mount() { # PATH
  local word flag='' from='' at=''
  answer='nothing of the host' mounted=''
  for word in "${mounts[@]}" --; do
    if [[ $word == --* && $1/ == "${at%/}"/* ]]; then
      case $flag:$from in
        --remount-ro:* | --overlay-src:* | :*) ;;
        --proc:*) answer="the sandbox's own processes" ;;
        --dev:*) answer="a few devices; the sandbox's own terminals and shared memory" ;;
        --ro-bind-data:* | --file:* | --symlink:*) answer='made by this launcher, read-only' ;;
        --ro-bind*:*) answer='read-only' ;;
        --bind:/sys/*/view | --tmp-overlay:*) answer='copy-on-write; changes are discarded' ;;
        --overlay:*) answer='copy-on-write; changes are kept in the store' ;;
        --bind:*/bwrapgen/*) answer="empty at first; kept in ${from@Q}" ;;
        --bind*:* | --dev-bind*:*) answer='read-write' ;;
        *) answer='empty and temporary' ;;
      esac
      if [[ $flag == --remount-ro && $at == "$mounted" && $answer == 'empty and temporary' ]]; then
        answer='empty and read-only'
      elif [[ $flag != --remount-ro ]]; then
        mounted=$at
      fi
    fi
    [[ $word != --* ]] || flag=$word
    from=$at at=$word
  done
}
explain() { # PATH
  local i given word
  plain_path "$1"
  given=$REPLY
  for ((i = 0; i < ${#mounts[@]}; i++)); do # follow symbolic links that the launcher creates
    [[ ${mounts[i]} == --symlink && $REPLY/ == "${mounts[i + 2]}"/* ]] || continue
    word=${mounts[i + 1]}
    [[ $word == /* ]] || word=${mounts[i + 2]%/*}/$word
    REPLY=$word${REPLY#"${mounts[i + 2]}"}
  done
  find_mount "$REPLY"
  if [[ $answer == @(read|copy)* && -L $REPLY && $mounted != "$REPLY" ]]; then # and visible ones
    REPLY=$(readlink -f -- "$REPLY") || REPLY=$given
    find_mount "$REPLY"
  fi
  printf -v word '|%s' "${protected_here-}" "${protected_below[@]}" .git/{commondir,config.worktree}
  if [[ $answer == read-write && ${REPLY##@("$cwd"|"$project")/}/ == @(${word#|})/* ]]; then
    answer+='; a protected name that is absent: the command can create it, which is reported'
  fi
  printf '%q: %s\n' "${given:-/}" "$answer"
}
# Prints a command that bash can read, one option a line, and then the descriptors.
print_words() { # WORD...
  local word flag='' variables
  mapfile -d '' -t variables < <(PATH=$search /usr/bin/env -u _ -u SHLVL -0 | grep -zv '^-')
  printf 'mkdir -p'
  printf ' %q' /tmp "${layers[@]}" ${made_hooks:+"$made_hooks"}
  printf ' && '
  printf 'env -i' && printf ' %q' "${variables[@]}"
  for word; do
    [[ $word != --* ]] || printf ' \\\n '
    printf ' %q' "$word"
  done
  for word; do
    if [[ $flag == --seccomp ]]; then
      printf ' %d< <(printf %%b %q)' "$word" "${!filter_name}"
    elif [[ $flag == --@(file|ro-bind-data|block-fd) && -v texts[$word] ]]; then
      printf ' %d<<<%q' "$word" "${texts[$word]}"
    elif [[ $flag == --@(file|ro-bind-data) ]]; then
      printf ' %d<%q' "$word" "$(readlink -- "/proc/self/fd/$word")"
    fi
    flag=$word
  done
  printf '\n'
}
mounts=($system_mounts "${mounts[@]}") system_mounts=''
if [[ $action == @(print|explain) ]]; then
  trap - EXIT # a reader such as head may close the pipe early
  case $action in
    explain) for path; do explain "$path"; done ;;
    print) sandbox print_words | cat ;;
  esac || (($? == 141)) || die "cannot write the answer" "the reason is above"
  exit
fi
