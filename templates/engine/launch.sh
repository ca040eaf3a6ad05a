# --- launch
# Runs the command and exits. The rest is read only for other options, or if bwrap fails.
# Reads: action, command, status, untried.

# Status 127 may come from the command itself, so this checks whether the command can be found.
tell_not_found() {
  REPLY=${command[0]}
  [[ $status == 127 && -z $failed ]] || return 0
  if [[ $REPLY != */* ]] && ! find_program "$REPLY"; then
    say "${command[0]} is not installed on this machine"
  elif [[ $REPLY == /* && -x $REPLY ]]; then
    tell_outside "$REPLY"
  fi
}
after+=(tell_not_found)
if [[ $action == @(run|shell) && -z $untried ]]; then run; fi
