# --- launch
# Runs the command and exits. The rest is read only if an option asks for something else, or if
# bwrap fails.
# Reads: action, command, status, untried.

# Status 127 may come from the command itself, too, so this looks whether it can be found.
tell_not_found() {
  REPLY=${command[0]}
  [[ $status == 127 && -z $failed ]] || return 0
  if [[ $REPLY != */* ]] && ! find_program "$REPLY"; then
    say "${command[0]} is not installed on this machine"
  elif [[ $REPLY == /* && -x $REPLY ]] && is_outside "$REPLY"; then
    say "the sandbox does not show $REPLY; to use it inside, add it to toolchains.use or \
filesystem.read"
  fi
}
after+=(tell_not_found)
if [[ $action == @(run|shell) && -z $untried ]]; then run; fi
