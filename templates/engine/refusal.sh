# --- refusal
# Explains why bwrap failed, from its own message and what this host forbids.
# Reads: command, memory, outer, search.

rm -f -- "$memory/lacks" # it may be out of date
command=(true "${command[@]}")
said=$(PATH=$search sandbox 2>&1 >/dev/null) || :
[[ $said != *@(namespace|'uid map'|RTM_NEWADDR)* ]] || said+=" refused;"
for name in kernel/{apparmor_restrict_unprivileged_userns,unprivileged_userns_clone,osrelease} \
  user/max_user_namespaces; do
  [[ ! -r /proc/sys/$name ]] || said+=" ${name#*/}=$(<"/proc/sys/$name");"
done
[[ ! -e /.dockerenv && ! -e /run/.containerenv ]] || said+=" container;"
means() { # PATTERN PROBLEM HINT
  # shellcheck disable=SC2053 # it is a pattern
  [[ $said != $1 ]] || die "$2" "$3"
}
[[ $said != *refused* || $outer != +([!/]) ]] || die "this is already the sandbox of $outer" \
  "leave it first, or write kernel.nested-userns = true in its profile"
means '*maximum number of arg*' "this run needs more than the 9000 arguments that bwrap accepts" \
  "pass fewer arguments, with xargs or in a file; hide fewer files; or remove what git does not \
need from .git/modules"
means '*@(No space left|overlay mount*ENOSPC)*' \
  "there is no room in ${state:-memory}" "make room there"
means '*symlink dest*' "bwrap cannot mount on a symbolic link" \
  "in the profile, name what the link leads to"
means '*Unknown option*' "this version of bwrap is too old for the profile" \
  "install bubblewrap 0.11 or later"
means "*Can't mount proc*" "this container hides parts of /proc, so no new one can be mounted" \
  "start it with --security-opt systempaths=unconfined (docker) or unmask=ALL (podman)"
means '*@(setuid?use|Unexpected?cap)*' "bwrap is installed set-uid or with capabilities" \
  "as root: chmod u-s and setcap -r, each with the path of bwrap"
means "*Can't @(mkdir|create file)*" "bwrap cannot create the mount point" \
  "create an empty file or directory at the path in the message above"
means '*refused*apparmor_restrict_unprivileged_userns=1*' \
  "AppArmor does not let bwrap create user namespaces (apparmor_restrict_unprivileged_userns=1)" \
  "echo 'abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee \
/etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"
means '*refused*unprivileged_userns_clone=0*' \
  "this host forbids user namespaces (kernel.unprivileged_userns_clone=0)" \
  "sudo sysctl -w kernel.unprivileged_userns_clone=1"
means '*refused*max_user_namespaces=0;*' \
  "this host forbids user namespaces (user.max_user_namespaces=0)" \
  "sudo sysctl -w user.max_user_namespaces=15000"
means '*refused*-Microsoft;*' "WSL 1 has no namespaces" "wsl.exe --set-version DISTRIBUTION 2"
means '*refused*container;*' "this container does not let bwrap create namespaces" \
  "start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
means '*refused*' "this host does not let bwrap create namespaces" \
  "if this runs in another sandbox, that one needs nested-userns = true"
die "bwrap could not create the sandbox" "its message is above; see --sandbox-print"
