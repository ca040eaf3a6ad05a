# Part inspect: instead of a run, what is found at a path, and what would run.

plain_path() { # PATH: sets REPLY to it without . and ..
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
# The last mount at or above a path decides; mounted is where that stands.
find_mount() { # PATH
  local word flag='' from='' at=''
  answer='nothing of the host' mounted=''
  for word in "${mounts[@]}" --; do
    if [[ $word == --* && $1/ == "${at%/}"/* ]]; then
      [[ $flag == --remount-ro ]] || mounted=$at
      case $flag:$from in
        --overlay-src:* | --remount-ro:* | :*) ;;
        --proc:*) answer="the sandbox's own processes" ;;
        --dev:*) answer="a few devices; the sandbox's own terminals and shared memory" ;;
        --ro-bind-data:* | --file:* | --symlink:*) answer='made by this launcher, read-only' ;;
        --ro-bind*:*) answer='what the host has, read-only' ;;
        --bind:/sys/*/view | --tmp-overlay:*) answer='what the host has; changes are thrown away' ;;
        --overlay:*) answer='what the host has; changes go to the store' ;;
        --bind:*/bwrapgen/"$self"-*) answer="empty at first; it is kept in ${from@Q}" ;;
        --bind*:* | --dev-bind*:*) answer='what the host has, writable' ;;
        *) answer='private, empty at the start' ;;
      esac
    fi
    [[ $word != --* ]] || flag=$word
    from=$at at=$word
  done
}
explain() { # PATH
  local i given word
  plain_path "$1"
  given=$REPLY
  for ((i = 0; i < ${#mounts[@]}; i++)); do # a link of ours leads on
    [[ ${mounts[i]} == --symlink && $REPLY/ == "${mounts[i + 2]}"/* ]] || continue
    word=${mounts[i + 1]}
    [[ $word == /* ]] || word=${mounts[i + 2]%/*}/$word
    REPLY=$word${REPLY#"${mounts[i + 2]}"}
  done
  find_mount "$REPLY"
  if [[ $answer == what* && -L $REPLY && $mounted != "$REPLY" ]]; then # so does one that is visible
    REPLY=$(readlink -f -- "$REPLY") || REPLY=$given
    find_mount "$REPLY"
  fi
  printf -v word '|%s' "${protected_here-}" "${protected_below[@]}" .git/{commondir,config.worktree}
  [[ $answer != *writable || ${REPLY##@("$cwd"|"$project")/}/ != @(${word#|})/* ]] \
    || answer+='; it can be made, and is named at the end' # nothing holds a protected name then
  printf '%q: %s\n' "${given:-/}" "$answer"
}
print_words() { # WORD...: one flag a line, for bash to read; then the descriptors
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
  trap - EXIT # a reader that closes the pipe early is no failure
  case $action in
    explain) for path; do explain "$path"; done ;;
    print) sandbox print_words | cat ;;
  esac || (($? == 141)) || die "the answer cannot be written" "the reason is above"
  exit
fi
