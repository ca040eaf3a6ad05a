# --- confirm
# Asks on the terminal whether the command may run.
# Reads: action, chosen, command, confirm_hint. Sets: before.
# shellcheck disable=SC2053 # two are patterns

# Patterns: one character in UTF-8, and one that a terminal does not show as itself, such as control
# characters, characters without width, and those that change the direction of text.
character=$'@([ -~]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]'
character+=$'|[\xe1-\xec\xee\xef][\x80-\xbf][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf][\x80-\xbf]'
character+=$'|[\xf1-\xf3][\x80-\xbf][\x80-\xbf][\x80-\xbf]|\xf4[\x80-\x8f][\x80-\xbf][\x80-\xbf])'
invisible=$'@(\xc2[\x80-\x9f\xad]|\xcd\x8f|\xd8\x9c|\xe1\x85[\x9f\xa0]|\xe1\x9e[\xb4\xb5]'
invisible+=$'|\xe1\xa0[\x8b-\x8f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xe3\x85\xa4'
invisible+=$'|\xef\xb8[\x80-\x8f]|\xef\xbe\xa0|\xef\xbb\xbf|\xef\xbf[\xb0-\xbb]'
invisible+=$'|\xf0\x9b\xb2[\xa0-\xa3]|\xf0\x9d\x85[\xb3-\xba]'
invisible+=$'|\xf3[\xa0-\xbf][\x80-\xbf][\x80-\xbf])'

# A command that is not what it looks like must not get a yes.
escape_invisible() { # TEXT: sets REPLY to it, with escapes as in $'' for what a terminal hides
  local text=$1 piece length
  REPLY=''
  while [[ -n $text ]]; do
    piece=${text%%[!\ -~]*}
    REPLY+=$piece text=${text:${#piece}}
    case $text in
      [$'\xc2'-$'\xdf']*) length=2 ;;
      [$'\xe0'-$'\xef']*) length=3 ;;
      [$'\xf0'-$'\xf4']*) length=4 ;;
      *) length=1 ;;
    esac
    if [[ $text != $character* ]]; then
      length=1
    fi
    piece=${text:0:length} text=${text:length}
    if [[ -n $piece && ($piece == $invisible || $piece != $character) ]]; then
      printf -v piece %q "$piece"
      piece=${piece#"$'"} piece=${piece%"'"}
    fi
    REPLY+=$piece
  done
}

quote_command() { # Sets quoted to the command as one would type it in bash.
  local word plain
  quoted=''
  for word in "${command[@]}"; do
    plain=${word//\\/\\\\}
    escape_invisible "$plain"
    if [[ $REPLY != "$plain" ]]; then
      REPLY="\$'${REPLY//\'/"\\'"}'"
    elif [[ ! $word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]]; then
      REPLY="'${word//\'/"'\''"}'"
    fi
    quoted+=" $REPLY"
  done
}
confirm() {
  local terminal answer=''
  [[ $action != doctor && ! -v chosen[yes] ]] || return 0
  { exec {terminal}<>/dev/tty; } 2>/dev/null || die "there is no terminal to ask on" "$confirm_hint"
  trap 'trap - EXIT; exit 130' INT
  quote_command
  # Discards what was typed before the question: whole lines, and the beginning of one.
  while read -r -t 0 -u "$terminal" && read -r -u "$terminal"; do :; done
  while IFS= read -r -s -n 1 -t 0.1 -u "$terminal"; do :; done
  printf '%s: run this?\n\n  $%s\n\n(y/n) ' "$self" "$quoted" >&"$terminal"
  IFS= read -r -u "$terminal" answer || :
  exec {terminal}>&-
  trap - INT
  if [[ ! $answer =~ ^[yY]([eE][sS])?$ ]]; then
    say "declined: the command was not run"
    trap - EXIT
    exit 123
  fi
}
before=(confirm "${before[@]}")
