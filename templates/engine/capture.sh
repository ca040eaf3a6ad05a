# --- capture
# Of what the command says, the beginning and the end; and how it ended, as JSON.
# shellcheck disable=SC2034,SC2154,SC2164 # other parts and the policy set and use these

# The report is empty until the end: what stands there is never that of an earlier run.
report_file=/dev/null timed_out=false
open_report() { # FILE
  local path at=''
  [[ -n $1 ]] || die "--sandbox-report names no file: ''" "name one that may be overwritten"
  report_file=$1
  [[ $1 == /* ]] || report_file=${caller%/}/$1
  [[ ! -L $report_file && ! -d $report_file && ! -p $report_file ]] \
    || die "--sandbox-report names no file: ${1@Q}" "name one that may be overwritten"
  path=$report_file
  while path=${path%/*} && [[ -n $path ]]; do # the command can have made a link there
    cd -P -- "$path" 2>/dev/null || continue
    at=${at:-$PWD}
    [[ $PWD/ != "$project"/* || $at/ == "$project"/* ]] \
      || die "refusing the report $1: it leads to $at" "name it without .., or remove the link"
  done
  cd -- "$cwd"
}
if [[ $action == @(run|shell|doctor) ]]; then
  [[ ! -v chosen[report] ]] || open_report "${chosen[report]}"
  { exec {report}>"$report_file"; } 2>/dev/null \
    || die "cannot write $report_file" "name another file for --sandbox-report"
  private+=("$report")
fi
if [[ -v chosen[capture] && ($needs_command == yes || $# -gt 0) ]]; then
  [[ "$*" == *[![:space:]]* ]] || die "there is no command" "write one behind --"
fi

# Sets cut and skip to how many bytes at the end of one file, and at the beginning of the other,
# belong to a character of UTF-8 that is not whole.
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
# Prints the first and the last bytes, and how many it leaves out. It keeps them in files without a
# name.
collect() {
  local file first last size rest omitted=0 cut=0 skip=0
  close_private
  trap '' INT QUIT
  file=$(mktemp) && exec {first}<>"$file" && rm -f -- "$file"
  file=$(mktemp) && exec {last}<>"$file" && rm -f -- "$file"
  head -c "$output_half" >&"$first"
  rest=$(tee >(tail -c "$output_half" >&"$last" && :) | wc -c) # wc waits for tail, too
  size=$(wc -c <"/proc/self/fd/$first")
  if ((rest > output_half)); then
    find_cut_characters "$first" "$last"
    omitted=$((rest - output_half + cut + skip))
  fi
  head -c "$((size - cut))" "/proc/self/fd/$first"
  ((omitted == 0)) || printf '\n[... %d of %d bytes left out ...]\n' "$omitted" "$((size + rest))"
  tail -c "+$((skip + 1))" "/proc/self/fd/$last"
  printf '%d %d\n' "$((size + rest))" "$omitted" >>"/proc/self/fd/$counts"
}
start_capture() {
  began=${EPOCHREALTIME:-$SECONDS.000000} collector=''
  [[ -v chosen[capture] ]] || return 0
  exec {counts}<<<''
  read -r -u "$counts"
  exec {sink}> >(collect)
  collector=$!
  private+=("$sink" "$counts")
}
enter_capture() {
  [[ -z $collector ]] || exec </dev/null >&"$sink" 2>&1
}
end_capture() {
  local ended=${EPOCHREALTIME:-$SECONDS.000000} text total=null omitted=null signal=null
  local result=$status
  if [[ -n $collector ]]; then
    exec {sink}>&-
    wait "$collector" || (($? > 128)) || fail "what the command said is lost" "the reason is above"
    read -r -t 5 -u "$counts" total omitted || total=null omitted=null
  fi
  [[ -z $failed ]] || result=125
  ((result < 129 || result > 192)) || signal=$((result - 128))
  [[ $report_file == /dev/null || ($report_file -ef /proc/self/fd/$report && ! -s $report_file) ]] \
    || fail "the command has changed its report, $report_file" \
      "choose a place where it cannot write, such as one in your home"
  printf -v text '{"status":%d,"signal":%s,"timed_out":%s,"duration_ms":%d,' "$result" "$signal" \
    "$timed_out" "$(((${ended/./} - ${began/./}) / 1000))"
  printf '%s"output_bytes":%s,"omitted_bytes":%s}\n' "$text" "$total" "$omitted" >&"$report" \
    || fail "cannot write $report_file" "make room there, or name another file for --sandbox-report"
}
fail() { # WHAT HINT: like die, but for what is still to be done
  say "$1"
  say "hint: $2"
  status=125 failed=''
}
before+=(start_capture)
entering+=(enter_capture)
after+=(end_capture)
