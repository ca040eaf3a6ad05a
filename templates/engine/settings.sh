# --- settings
# Shows settings of package managers, unless they may contain credentials.
# Reads: settings, addresses, home, spelled. Sets: open_settings, hidden.

# Reports whether a text looks like credentials, or sets variables, which may be credentials. A
# reference to a variable is harmless.
may_hold_login() { # TEXT IN LOWER CASE
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
    [[ $base != select ]] || ! shown "$word" || continue # in the project, for example
    if ! may_show "$word"; then
      say "$name leads to $REPLY, and is not shown; to show it, add that to filesystem.read"
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
    say "$name may contain credentials, and is not shown; to show it, add it to filesystem.read in \
the profile, with a reason (why)"
  done
done
# If the sandbox does not show XDG_CONFIG_HOME, tools write their settings in home.
[[ ${XDG_CONFIG_HOME-} == @("$home"|"$spelled")/* ]] || shown "${XDG_CONFIG_HOME-}" \
  || unset XDG_CONFIG_HOME
for name in $addresses; do
  if [[ ${!name-} =~ ://[^/[:space:]]*@ ]]; then
    say "$name contains credentials, and is not passed through; to pass it, add it to \
environment.pass"
    unset "$name"
  fi
done
