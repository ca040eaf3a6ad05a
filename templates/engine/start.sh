# Part start: failures, options, and what the caller left open.

# The launcher's own failures exit 125: no status of a command is taken for one.
die() { # WHAT HINT
  trap - EXIT
  for step in "${undo[@]}"; do "$step"; done
  say "$1"
  say "hint: $2"
  exit 125
}
# Prints a message. Control characters and those that change the direction of text become "?".
say() { # TEXT
  local text=${1//$'\xe2\x80'[$'\x8e\x8f\xaa\xab\xac\xad\xae']/?}
  text=${text//$'\xe2\x81'[$'\xa6\xa7\xa8\xa9']/?}
  text=${text//$'\xd8\x9c'/?}
  LC_ALL=$locale
  printf '%s: %s\n' "$self" "${text//[![:print:]]/?}" >&2
  LC_ALL=C
}
# Sets REPLY to the beginning of a regular file, up to a NUL: no named pipe, sparse or huge file can
# keep the launcher waiting.
read_text() { # FILE [BYTES]
  REPLY=''
  [[ ! -f $1 || ! -r $1 ]] || IFS= read -r -d '' -n "${2-4096}" REPLY <"$1" || :
}
trap : XFSZ # a limit on files is an error like others
trap '(($? == 0)) || die "this could not go on" "what stands above says why"' EXIT

# Of the options, those that end in = take a value, and those in + stand beside others.
action=run original=("$@") undo=()
declare -A chosen=()
while [[ ${1-} == --sandbox-* ]]; do
  word=${1#--sandbox-}
  shift
  case " help print explain doctor shell digest $options " in
    *" $word= "*)
      (($#)) || die "--sandbox-$word wants a value" "see $self --sandbox-help"
      chosen[$word]=$1
      shift
      ;;
    *" $word+ "*) chosen[$word]=yes ;;
    *" $word "*) action=$word ;;
    *) die "there is no option --sandbox-$word" "see $self --sandbox-help" ;;
  esac
done
case $action:${1-} in
  *:--) shift ;;
  run:-?* | print:-?*)
    die "there is no option $1" \
      "${command:+for $command, write $self -- $1; }see $self --sandbox-help"
    ;;
  help:* | explain:)
    sed -n '4,/^$/ s/^# \{0,1\}//p' -- "$0" && exit
    die "the help cannot be written" "the reason is above"
    ;;
  digest:*) printf '%s\n' "$digest" && exit ;;
esac

# Closes the caller's descriptors, except pipes that an argument names, such as <(COMMAND). Those
# that are closed on exec are bash's own: it reads this script through one of them.
names=(/proc/self/fd/*)
((${#names[@]} > 0)) || die "no file descriptor is free" "raise the limit: ulimit -n 256"
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

# The parts below add to these: words of bwrap, those of the system being plain; what starts it, and
# the command; steps before the run, in the process that becomes bwrap, and after it; what is the
# launcher's alone, and the texts of descriptors.
system_mounts='' mounts=() plumbing=() launch=() inner=() private=() lock='' warm='' made_hooks=''
finish=() before=() entering=() after=() in_project=() lacking=() closing=() layers=()
lowers=() uppers=() fstab='' state='' untried='' links=() open_settings=() worktrees=()
declare -A texts=()
feed() { # TEXT: sets fd to a descriptor to read it from
  exec {fd}<<<"$1"
  texts[$fd]=$1
}
show() { # PATH: what the host has there is visible inside; visible is a pattern
  visible+="|${1//[^a-zA-Z0-9_.\/-]/?}"
}
shown() { # PATH
  [[ $1/ == @($visible)/* && ($base == select || $home_mode == host || $1/ != "$home"/*) ]] \
    || [[ $1/ == @(/nonexistent$visible)/* ]] # in the host's root it begins with nothing
}
# Shows a path of the host, read-only. In the host's root, what lies around it may be hidden.
expose() { # PATH
  if [[ $base == host ]]; then
    stand "$1"
    mounts+=(--ro-bind "$1" "$REPLY")
    revealed+=("$REPLY")
  elif ! shown "$1"; then
    mounts+=(--ro-bind "$1" "$1")
  fi
}
close_private() {
  local fd
  for fd in "${private[@]}"; do exec {fd}>&-; done
}
