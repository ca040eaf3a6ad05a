# --- sockets
# Services of the session, and the variables by which programs find them. One that is
# not there is skipped.
# shellcheck disable=SC2034,SC2154,SC2164 # other parts and the policy set and use these

# Where the session has its sockets.
seat=$runtime
[[ ${XDG_RUNTIME_DIR-} != /?* ]] || seat=$XDG_RUNTIME_DIR

# A command could replace it there, with a link to another socket or file.
refuse_in_project() { # PATH
  [[ $project_access != read ]] || return 0
  cd -P -- "${1%/*}/"
  [[ $1 != "$project"/* && $PWD/ != "$project"/* ]] \
    || die "refusing $1: it lies in the project, where a command can replace it" \
      "have it in another place"
  cd -- "$cwd"
}
share() { # SOCKET NAME VARIABLE=VALUE: below the runtime directory, or at a path
  local at=$2
  [[ $1 == /* && -S $1 ]] || return 0
  refuse_in_project "$1"
  [[ $at == /* ]] || at=$runtime/$at
  mounts+=(--ro-bind "$1" "$at")
  [[ -z $3 ]] || set_variables+=("$3")
}

# A socket may be an address, as {machine}unix:/path, or a name in a directory.
for ((i = 0; i < ${#named_sockets[@]}; i += 4)); do
  path=${named_sockets[i]}
  [[ $path != "{"*"}"* ]] || path=${path#*\}}
  path=${path#unix:}
  [[ $path == */* ]] || path=${named_sockets[i + 1]}/$path
  share "$path" "${named_sockets[@]:i+2:2}"
done

# The socket of gpg-agent for other machines: it gives no key away.
if [[ " $sockets " == *" gpg-agent "* ]]; then
  path=/run/user/$UID/gnupg/S.gpg-agent.extra
  [[ -S $path ]] || path=$home/.gnupg/S.gpg-agent.extra
  [[ -z ${GNUPGHOME-} ]] || path=$(gpgconf --list-dirs agent-extra-socket 2>/dev/null) || path=''
  share "$path" gnupg/S.gpg-agent ''
fi

# The screen of X, and the key to it.
if [[ " $sockets " == *" x11 "* && ${DISPLAY-} =~ ^(unix)?(:([0-9]+)(\.[0-9]+)?)$ ]]; then
  word=DISPLAY=${BASH_REMATCH[2]} path=/tmp/.X11-unix/X${BASH_REMATCH[3]}
  share "$path" "$path" "$word"
  name=${XAUTHORITY:-$home/.Xauthority}
  if [[ -S $path && $name == /* && -f $name && -r $name ]]; then
    refuse_in_project "$name"
    mounts+=(--ro-bind "$name" "$runtime/Xauthority")
    set_variables+=("XAUTHORITY=$runtime/Xauthority")
  fi
fi
