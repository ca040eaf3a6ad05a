# Part run.

# Users, processes, IPC, host name and cgroups are private.
isolation=(
  --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup
  --uid "$UID" --gid "${GROUPS[0]}" --cap-drop ALL --die-with-parent
)
[[ $network != none ]] || isolation+=(--unshare-net)
[[ $terminal != new-session ]] || isolation+=(--new-session)
if [[ $nested_userns == no && $lacks != *--disable-userns* ]]; then
  isolation+=(--disable-userns)
elif [[ $nested_userns == no && ($filter != @(default|strict) || -z $filter_fd) ]]; then
  [[ $kernel_require == best ]] || die "$bwrap cannot forbid nested namespaces" \
    'install bubblewrap 0.8; or write kernel.seccomp = "default", or kernel.require = "best"'
  say "$bwrap has no --disable-userns: in a nested namespace, what is hidden can be uncovered"
fi
for step in "${finish[@]}"; do "$step"; done
for path in "${closing[@]}" /; do
  mounts+=(--remount-ro "$path")
done

# Ctrl-C is for the command: bwrap ignores it, and env gives it back inside. An INT that the caller
# ignores stays so.
IFS= read -r -d '' word </proc/self/status || :
[[ $word =~ SigIgn:[[:space:]]*([0-9a-f]+) ]]
signals=INT,QUIT
(((0x${BASH_REMATCH[1]} & 2) == 0)) || signals=QUIT
[[ $lacks != *--default-signal* ]] || signals=''
[[ $action == shell ]] || command+=("$@")
[[ $action == @(run|print) && ${#command[@]} -gt 0 ]] || command=("$shell" "$@")
[[ $action != doctor ]] || command=(true)

# A shell by itself says at its prompt where it is.
# shellcheck disable=SC2016 # these are for the shell inside
case ${#command[@]}:${command[0]##*/} in
  1:bash)
    export PS1='($BWRAPGEN) \w\$ '
    export PROMPT_COMMAND='[[ $PS1 == *BWRAPGEN* ]] || PS1="(\$BWRAPGEN) $PS1"' # after its files
    ;;
  1:zsh)
    export PS1="(${self//%/%%}) %~%# "
    [[ $home_mode != empty ]] || command+=(-f) # else it asks a new user questions
    ;;
  1:fish)
    command+=(-C 'functions -c fish_prompt usual_prompt
      function fish_prompt; echo -n "($BWRAPGEN) "; usual_prompt; end')
    ;;
  1:sh | 1:dash | 1:ash | 1:ksh | 1:mksh) export PS1='($BWRAPGEN) $PWD $ ' ;;
esac
[[ ${command[0]} != *=* ]] || inner+=(/bin/sh -c 'exec "$@"' sh) # env would set a variable

sandbox() { # [WORD...]: what starts bwrap, or prints
  "$@" "${launch[@]}" "${isolation[@]}" $system_mounts "${mounts[@]}" "${plumbing[@]}" \
    ${lock:+--sync-fd "$lock"} --block-fd "$sign" --chdir "$cwd" \
    -- /usr/bin/env ${signals:+"--default-signal=$signals"} -- "${inner[@]}" "${command[@]}"
}
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
  # bwrap takes the line when all is mounted.
  ! read -r -u "$sign" || ((status > 127)) || failed=yes
  for step in "${after[@]}"; do "$step"; done
  [[ -z $failed ]] || return 0
  for step in "${undo[@]}"; do "$step"; done
  PATH=$caller_path
  [[ $action != doctor ]] || tell_possible
  exit "$status"
}
tell_possible() {
  printf '%s: a sandbox can be made here, by %s\n' "$self" \
    "$bwrap${lacks:+, which lacks ${lacks# }}" \
    || die "cannot write to standard output" "make room where it leads"
  find "$project" -maxdepth 2 -type f -links +1 \
    -printf '%p: a file with several names: what changes it here changes the others\n'
}
feed ''
sign=$fd
if [[ $action == @(run|shell) && -z $untried ]]; then run; fi
