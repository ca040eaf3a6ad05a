# --- start
# Reads the launcher's options, and defines what all parts use. Closes inherited descriptors.
# Reads: command, digest, options. Sets: action, chosen, directories, and the lists below.

# Ends the launcher with status 125.
die() { # PROBLEM HINT
  trap - EXIT
  for step in "${undo[@]}"; do "$step"; done
  say "$1"
  say "hint: $2"
  exit 125
}
# Prints a message. Control characters, and those that change the direction of text, become "?".
say() { # TEXT
  local text=${1//$'\xe2\x80'[$'\x8e\x8f\xaa\xab\xac\xad\xae']/?}
  text=${text//$'\xe2\x81'[$'\xa6\xa7\xa8\xa9']/?}
  text=${text//$'\xd8\x9c'/?}
  LC_ALL=$locale
  printf '%s: %s\n' "$self" "${text//[![:print:]]/?}" >&2
  LC_ALL=C
}
# Sets REPLY to the beginning of a regular file, up to a NUL. Named pipes, sparse and huge files
# could keep the launcher waiting.
read_text() { # FILE [BYTES]
  REPLY=''
  [[ ! -f $1 || ! -r $1 ]] || IFS= read -r -d '' -n "${2-4096}" REPLY <"$1" || :
}
feed() { # TEXT: sets fd to a descriptor from which it can be read
  exec {fd}<<<"$1"
  texts[$fd]=$1
}
trap : XFSZ # so that a limit on the size of files is reported like other errors
trap '(($? == 0)) || die "stopped because of an error" "see the message above"' EXIT

# In $options, NAME= takes a value, and NAME+ can be combined with other options.
action=run original=("$@") undo=()
declare -A chosen=()
while [[ ${1-} == --sandbox-* ]]; do
  word=${1#--sandbox-}
  shift
  case " help print explain doctor shell digest $options " in
    *" $word= "*)
      (($#)) || die "--sandbox-$word needs a value" "see $self --sandbox-help"
      chosen[$word]=$1
      shift
      ;;
    *" $word+ "*) chosen[$word]=yes ;;
    *" $word "*) action=$word ;;
    *) die "there is no option --sandbox-$word" "see $self --sandbox-help" ;;
  esac
done
# Sets REPLY to the comment at the beginning of this file.
read_summary() {
  local lines n=0
  mapfile -t -s 3 -n 90 lines <"${launcher:-$0}"
  while [[ -n ${lines[n]-} ]]; do ((++n)); done
  lines=("${lines[@]:0:n}")
  lines=("${lines[@]#'#'}")
  printf -v REPLY '%s\n' "${lines[@]#' '}"
}
case $action:${1-} in
  run:-[!-]* | run:--?* | print:-[!-]* | print:--?*)
    ((${#command[@]})) || die "$1 is neither a command nor an option of $self" \
      "see $self --sandbox-help; a command that begins with - needs -- before it"
    ;;
  help:* | explain: | explain:--)
    trap - EXIT # a reader such as head may close the pipe early
    read_summary
    printf %s "$REPLY" || die "cannot write the help" "the reason is above"
    exit
    ;;
  digest:*) printf '%s\n' "$digest" && exit ;;
  *:--) shift ;;
esac

# Closes inherited descriptors, except pipes that an argument names, such as <(COMMAND). Those that
# are closed on exec stay open: they are bash's own, which reads this script through one of them.
names=(/proc/self/fd/*)
((${#names[@]})) || die "no file descriptor is free" "raise the limit: ulimit -n 256"
for path in "${names[@]}"; do
  fd=${path##*/}
  [[ $fd -gt 2 && -e $path ]] || continue
  read_text "/proc/self/fdinfo/$fd"
  [[ $REPLY =~ flags:[[:space:]]*([0-7]+) ]] \
    || die "no file descriptor is free" "raise the limit: ulimit -n 256"
  ((0${BASH_REMATCH[1]} & 02000000)) || [[ -p $path && " $* " == *" /dev/fd/$fd "* ]] \
    || exec {fd}>&-
done
set -f
IFS=:
directories=($caller_path)
IFS=$' \t\n'
set +f

# The parts below add to these lists.
system_mounts='' mounts=() plumbing=() # options of bwrap: mounts, in order, and others
launch=() inner=()                     # words before bwrap's options, and before the command
finish=()                              # functions to call when all parts have been read,
before=() entering=() after=()         # before the run, in the process that becomes bwrap, on exit,
makers=() builders=()                  # to create upper layers, to mount overlays for old bwraps
private=()                             # descriptors that the command does not get
closing=()                             # directories that are remounted read-only at the end
in_project=() lacking=() layers=() lowers=() uppers=() links=() open_settings=() worktrees=()
git_settings=() lock='' made_hooks='' untried='' warm=''
declare -A texts=() # what is read from a descriptor
