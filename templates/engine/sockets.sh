# --- sockets
# Shows sockets of the session, and sets the variables by which programs find them.
# Reads: sockets, named_sockets, runtime, project, project_access, home.
# Sets: session_runtime, mounts, set_variables.

session_runtime=$runtime
if [[ ${XDG_RUNTIME_DIR-} == /?* ]]; then
  session_runtime=$XDG_RUNTIME_DIR
fi

# In the project, the command could replace a socket with a link to another socket or file, which
# the next start would show.
refuse_in_project() { # PATH
  [[ $project_access != read ]] || return 0
  cd -P -- "${1%/*}/"
  [[ $1 != "$project"/* && $PWD/ != "$project"/* ]] \
    || die "refusing $1: it is in the project, where the command could replace it" \
      "move it out of the project"
  cd -- "$cwd"
}
show_socket() { # SOCKET TARGET VARIABLE=VALUE: a relative target is below the runtime directory
  local target=$2
  [[ $1 == /* && -S $1 ]] || return 0
  refuse_in_project "$1"
  if [[ $target != /* ]]; then
    target=$runtime/$target
  fi
  mounts+=(--ro-bind "$1" "$target")
  if [[ -n $3 ]]; then
    set_variables+=("$3")
  fi
}

# A row begins with an address such as {machine}unix:/path, or a name and the directory it is in.
for ((i = 0; i < ${#named_sockets[@]}; i += 4)); do
  path=${named_sockets[i]}
  if [[ $path == "{"*"}"* ]]; then
    path=${path#*\}}
  fi
  path=${path#unix:}
  if [[ $path != */* ]]; then
    path=${named_sockets[i + 1]}/$path
  fi
  show_socket "$path" "${named_sockets[@]:i+2:2}"
done

# gpg-agent's socket for remote machines signs and decrypts, but does not export private keys.
if [[ " $sockets " == *" gpg-agent "* ]]; then
  path=/run/user/$UID/gnupg/S.gpg-agent.extra
  if [[ -n ${GNUPGHOME-} ]]; then
    path=$(gpgconf --list-dirs agent-extra-socket 2>/dev/null) || path=''
  elif [[ ! -S $path ]]; then
    path=$home/.gnupg/S.gpg-agent.extra
  fi
  show_socket "$path" gnupg/S.gpg-agent ''
fi

# X11: the display's socket, and the cookie that opens it.
if [[ " $sockets " == *" x11 "* && ${DISPLAY-} =~ ^(unix)?(:([0-9]+)(\.[0-9]+)?)$ ]]; then
  word=DISPLAY=${BASH_REMATCH[2]} path=/tmp/.X11-unix/X${BASH_REMATCH[3]}
  show_socket "$path" "$path" "$word"
  name=${XAUTHORITY:-$home/.Xauthority}
  if [[ -S $path && $name == /* && -f $name && -r $name ]]; then
    refuse_in_project "$name"
    mounts+=(--ro-bind "$name" "$runtime/Xauthority")
    set_variables+=("XAUTHORITY=$runtime/Xauthority")
  fi
fi
