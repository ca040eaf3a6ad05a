# --- settings
# Shows the settings of package managers, such as registries, unless they may contain credentials.
# Reads: settings, addresses, home, spelled. Sets: open_settings, hidden.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

# Reports whether a text in lower case looks like credentials, or sets variables, which may be
# credentials. A reference to a variable is harmless.
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
    text='' name=${word/#"$home/"/"~/"}
    [[ -f $word && -r $word ]] || continue
    if ! may_show "$word"; then
      say "$name leads to $REPLY and is not shown: name that in filesystem.read if it is meant"
      continue
    fi
    ! IFS= read -r -d '' -n 1048576 text <"$word" || continue # binary, or too large
    if ! may_hold_login "${text,,}"; then
      open_settings+=("$word")
      expose "$word"
      continue
    fi
    ! shown "$word" || hidden+=("$word")
    [[ $text == *://* ]] || continue # it names no registry
    say "$name may contain credentials: neither it nor its registry is available inside"
    say "hint: list it in filesystem.read with a why"
  done
done
# What is written to a tool's settings needs a place.
[[ ${XDG_CONFIG_HOME-} == @("$home"|"$spelled")/* ]] || shown "${XDG_CONFIG_HOME-}" \
  || unset XDG_CONFIG_HOME
for name in $addresses; do
  if [[ ${!name-} =~ ://[^/[:space:]]*@ ]]; then
    say "$name contains credentials and is not passed through; name it in environment.pass"
    unset "$name"
  fi
done
cd -- "$cwd"
