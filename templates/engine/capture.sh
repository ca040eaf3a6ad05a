# --- capture
# Shortens long output (--sandbox-capture) and writes a report (--sandbox-report). The report says
# in JSON how the command ended.
# Reads: output_half, needs_command, chosen, action, project, caller.
# Sets: status, failed, timed_out.

report_file=/dev/null timed_out=false
open_report() { # FILE
  local path at=''
  report_file=$1
  if [[ $1 != /* ]]; then
    report_file=${caller%/}/$1
  fi
  [[ -n $1 && ! -L $report_file && ! -d $report_file && ! -p $report_file ]] \
    || die "--sandbox-report is not a file: ${1@Q}" "name a file that may be overwritten"
  path=$report_file
  while path=${path%/*} && [[ -n $path ]]; do # an earlier run may have left a link in the project
    cd -P -- "$path" 2>/dev/null || continue
    at=${at:-$PWD}
    [[ $PWD/ != "$project"/* || $at/ == "$project"/* ]] \
      || die "refusing --sandbox-report $1: it leads to $at" \
        "name it without .., or remove the symbolic link"
  done
  cd -- "$cwd"
}
if [[ $action == @(run|shell|doctor) ]]; then
  if [[ -v chosen[report] ]]; then
    open_report "${chosen[report]}"
  fi
  # This also empties the file: a killed launcher must not leave the report of an earlier run.
  { exec {report}>"$report_file"; } 2>/dev/null \
    || die "cannot write $report_file" "name another file for --sandbox-report"
  private+=("$report")
fi
if [[ -v chosen[capture] && ($needs_command == yes || $# -gt 0) ]]; then
  [[ "$*" == *[![:space:]]* ]] || die "--sandbox-capture needs a command" \
    "write it after --"
fi

# Output is not cut within a character of UTF-8. Sets cut to the bytes of an incomplete one at the
# end of the first file, and skip to those at the beginning of the second.
find_cut_characters() { # FIRST LAST: descriptors
  local bytes=''
  IFS= read -r -d '' bytes < <(tail -c 3 "/proc/self/fd/$1") || :
  case $bytes in
    *[$'\xc0'-$'\xff']) cut=1 ;;
    *[$'\xe0'-$'\xff'][$'\x80'-$'\xbf']) cut=2 ;;
    *[$'\xf0'-$'\xff'][$'\x80'-$'\xbf'][$'\x80'-$'\xbf']) cut=3 ;;
  esac
  IFS= read -r -d '' bytes < <(head -c 3 "/proc/self/fd/$2") || :
  while [[ ${bytes:skip:1} == [$'\x80'-$'\xbf'] ]]; do skip=$((skip + 1)); done
}
# Prints the first and the last bytes of its input, and how many it omitted. They wait in unlinked
# temporary files, which disappear with this process.
collect_output() {
  local file first last size rest omitted=0 cut=0 skip=0
  close_private
  trap '' INT QUIT
  file=$(mktemp) && exec {first}<>"$file" && rm -f -- "$file"
  file=$(mktemp) && exec {last}<>"$file" && rm -f -- "$file"
  head -c "$output_half" >&"$first"
  rest=$(tee >(tail -c "$output_half" >&"$last" && :) | wc -c) # wc also waits for tail
  size=$(wc -c <"/proc/self/fd/$first")
  if ((rest > output_half)); then
    find_cut_characters "$first" "$last"
    omitted=$((rest - output_half + cut + skip))
  fi
  head -c "$((size - cut))" "/proc/self/fd/$first"
  if ((omitted > 0)); then
    printf '\n[... %d of %d bytes omitted ...]\n' "$omitted" "$((size + rest))"
  fi
  tail -c "+$((skip + 1))" "/proc/self/fd/$last"
  printf '%d %d\n' "$((size + rest))" "$omitted" >>"/proc/self/fd/$counts"
}
start_capture() {
  began=${EPOCHREALTIME:-$SECONDS.000000} collector=''
  [[ -v chosen[capture] ]] || return 0
  exec {counts}<<<''
  read -r -u "$counts"
  exec {sink}> >(collect_output)
  collector=$!
  private+=("$sink" "$counts")
}
enter_capture() {
  if [[ -n $collector ]]; then
    exec </dev/null >&"$sink" 2>&1
  fi
}
end_capture() {
  local ended=${EPOCHREALTIME:-$SECONDS.000000} text total=null omitted=null signal=null
  local result=$status
  if [[ -n $collector ]]; then
    exec {sink}>&-
    wait "$collector" || (($? > 128)) || fail "the output of the command is lost" \
      "see the error above"
    read -r -t 5 -u "$counts" total omitted || total=null omitted=null
  fi
  if [[ -n $failed ]]; then
    result=125
  fi
  if ((result > 128 && result < 193)); then
    signal=$((result - 128))
  fi
  [[ $report_file == /dev/null || ($report_file -ef /proc/self/fd/$report && ! -s $report_file) ]] \
    || fail "the command changed its report, $report_file" \
      "name a file where it cannot write, such as one in your home"
  printf -v text '{"status":%d,"signal":%s,"timed_out":%s,"duration_ms":%d,' "$result" "$signal" \
    "$timed_out" "$(((${ended/./} - ${began/./}) / 1000))"
  printf '%s"output_bytes":%s,"omitted_bytes":%s}\n' "$text" "$total" "$omitted" >&"$report" \
    || fail "cannot write $report_file" "free some space there, or choose another --sandbox-report"
}
fail() { # WHAT HINT: like die, but on exit: the remaining steps still run
  say "$1"
  say "hint: $2"
  status=125 failed=''
}
before+=(start_capture)
entering+=(enter_capture)
after+=(end_capture)
