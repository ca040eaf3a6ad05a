# --- run
# Defines how bwrap is started, with everything that the parts above have collected.
# Reads: after, before, command, entering, finish, mounts, network, plumbing, search, terminal.
# Sets: failed, gate, isolation, status.

cd -- "$cwd"
isolation=(
  --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup
  --uid "$UID" --gid "${GROUPS[0]}" --cap-drop ALL --die-with-parent
)
[[ $network != none ]] || isolation+=(--unshare-net)
[[ $terminal != new-session ]] || isolation+=(--new-session)
if [[ $nested_userns == no && $lacks != *--disable-userns* ]]; then
  isolation+=(--disable-userns)
elif [[ $nested_userns == no && $filter != @(default|strict) ]]; then
  die "$bwrap cannot forbid nested user namespaces, in which hidden files can be uncovered" \
    'install bubblewrap 0.8 or later, or write kernel.seccomp = "default"'
fi
for step in "${finish[@]}"; do "$step"; done
for path in "${closing[@]}" /; do
  mounts+=(--remount-ro "$path")
done

# bwrap ignores Ctrl-C, which is for the command. env restores the default inside, unless the caller
# ignores it as well.
read_text /proc/self/status
[[ $REPLY =~ SigIgn:[[:space:]]*([0-9a-f]+) ]]
signals=INT,QUIT
(((0x${BASH_REMATCH[1]} & 2) == 0)) || signals=QUIT
[[ $lacks != *--default-signal* ]] || signals=''
[[ $action == shell ]] || command+=("$@")
[[ $action == @(run|print) && ${#command[@]} -gt 0 ]] || command=("$shell" "$@")
[[ $action != doctor ]] || command=(true)

# An interactive shell shows in its prompt that it is in a sandbox.
# shellcheck disable=SC2016 # for the shell inside
case ${#command[@]}:${command[0]##*/} in
  1:bash)
    export PS1='($BWRAPGEN) \w\$ '
    export PROMPT_COMMAND='[[ $PS1 == *BWRAPGEN* ]] || PS1="(\$BWRAPGEN) $PS1"'
    ;;
  1:zsh)
    export PS1="(${self//%/%%}) %~%# "
    [[ $home_mode != empty ]] || command+=(-f) # without startup files, zsh asks questions
    ;;
  1:fish)
    command+=(-C 'functions -c fish_prompt usual_prompt
      function fish_prompt; echo -n "($BWRAPGEN) "; usual_prompt; end')
    ;;
  1:sh | 1:dash | 1:ash | 1:ksh | 1:mksh) export PS1='($BWRAPGEN) $PWD $ ' ;;
esac
[[ ${command[0]} != *=* ]] || inner+=(/bin/sh -c 'exec "$@"' sh) # env would set a variable

# bwrap reads this line once everything is mounted, just before it starts the command. If the line
# is still there afterwards, bwrap has failed. The time of the descriptor is when the run began.
feed ''
gate=$fd
sandbox() { # [WORD...]: what starts bwrap, or prints its arguments
  "$@" "${launch[@]}" "${isolation[@]}" $system_mounts "${mounts[@]}" "${plumbing[@]}" \
    ${lock:+--sync-fd "$lock"} --block-fd "$gate" --chdir "$cwd" \
    -- /usr/bin/env ${signals:+"--default-signal=$signals"} -- "${inner[@]}" "${command[@]}"
}
close_private() {
  local fd
  for fd in "${private[@]}"; do exec {fd}>&-; done
}
# Runs the command and exits, or returns if bwrap has failed.
run() {
  for step in "${before[@]}"; do "$step"; done
  trap : INT QUIT
  [[ $terminal == new-session || $lacks == *--default-signal* ]] || trap '' INT QUIT
  status=0 failed=''
  (
    for step in "${entering[@]}" close_private; do "$step"; done
    export PATH=$search
    [[ -z $locale_inside ]] || export LC_ALL=$locale_inside
    sandbox exec
  ) || status=$?
  set +e
  trap - EXIT
  trap : PIPE
  ! read -r -u "$gate" || ((status > 127)) || failed=yes
  for step in "${after[@]}"; do "$step"; done
  [[ -z $failed ]] || return 0
  for step in "${undo[@]}"; do "$step"; done
  exit "$status"
}
