# --- settings
# Files and variables that say where packages come from, or which versions are meant.
# They are there, read-only, as long as they hold no login.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

# Reports whether a text, in small letters, looks as if it held a login, or set variables, which may
# be one. A reference to a variable is none.
may_hold_login() { # TEXT
  local words='password|passwd|passphrase|pwd|token|secret|_auth|authident|[-_]oauth|bearer|cookie'
  words+='|credential|authorization|(api|access|private).?key|-----begin|://[^/[:space:]]*@|/t/'
  local sets='(^|[^[:alnum:]_-])(env|vars)([^[:alnum:]_-]|$)'
  local key='@(_auth|_authtoken|_password)=|npmauthtoken:*( )|<password>'
  [[ $1 =~ $words|$sets ]] || return 1
  [[ ${1//?($key)?(\")\$\{+([[:alnum:]_.])\}?(\")?(<\/password>)/} =~ $words|$sets ]]
}
for path in "${settings[@]}"; do
  [[ -e $path ]] || continue
  for word in "$path" "$path"/*.{toml,gradle,kts,Config}; do
    text=''
    [[ -f $word && -r $word ]] || continue
    ! IFS= read -r -d '' -n 1048576 text <"$word" || continue # binary, or too large
    if ! may_hold_login "${text,,}"; then
      open_settings+=("$word")
      expose "$word"
      continue
    fi
    ! shown "$word" || hidden+=("$word")
    [[ $text == *://* ]] || continue # it names no registry
    name=${word/#"$home/"/"~/"}
    say "$name may hold a login: neither it nor its registry is there; filesystem.read, with a why"
  done
done
# What is written to a tool's settings needs a place.
[[ ${XDG_CONFIG_HOME-} == @("$home"|"$spelled")/* ]] || shown "${XDG_CONFIG_HOME-}" \
  || unset XDG_CONFIG_HOME
for name in $addresses; do
  if [[ ${!name-} =~ ://[^/[:space:]]*@ ]]; then
    say "$name holds a login, and is not passed; name it in environment.pass"
    unset "$name"
  fi
done
cd -- "$cwd"
