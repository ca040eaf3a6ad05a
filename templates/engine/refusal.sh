# Part refusal: bwrap could not make the sandbox, and has said why; what that means here.

rm -f -- "$memory/lacks" # what is remembered may be wrong
command=(true "${command[@]}")
said=$(PATH=$search sandbox 2>&1 >/dev/null) || :
[[ $said != *@(namespace|'uid map'|RTM_NEWADDR)* ]] || said+=" refused;"
for name in kernel/{apparmor_restrict_unprivileged_userns,unprivileged_userns_clone,osrelease} \
  user/max_user_namespaces; do
  [[ ! -r /proc/sys/$name ]] || said+=" ${name#*/}=$(<"/proc/sys/$name");"
done
[[ ! -e /.dockerenv && ! -e /run/.containerenv ]] || said+=" container;"
means() { # PATTERN WHAT HINT
  # shellcheck disable=SC2053 # it is a pattern
  [[ $said != $1 ]] || die "$2" "$3"
}
[[ $said != *refused* || $outer != +([!/]) ]] || die "you are inside $outer already" \
  "leave it first; or write kernel.nested-userns = true in its profile"
means '*maximum number of arg*' "bwrap accepts 9000 arguments, and this run needs more" \
  "pass fewer arguments, by xargs or in a file; or hide fewer files; or remove what git does not \
need from .git/modules"
means '*@(No space left|overlay mount*ENOSPC)*' \
  "there is no room for what bwrap makes in $state or in memory" "make room there"
means '*symlink dest*' "bwrap mounts nothing on a symbolic link" "name what the link leads to"
means '*Unknown option*' "this bwrap is too old for the profile" "install bubblewrap 0.11 or later"
means "*Can't mount proc*" "this container hides parts of /proc, and no new one can be mounted" \
  "--security-opt systempaths=unconfined (docker) or unmask=ALL (podman)"
means '*@(setuid?use|Unexpected?cap)*' "bwrap is installed set-uid or with capabilities" \
  "as root: chmod u-s and setcap -r, each with bwrap's path"
means "*Can't @(mkdir|create file)*" "nothing can stand where the host has nothing" \
  "make an empty file or directory there"
means '*refused*apparmor_restrict_unprivileged_userns=1*' \
  "AppArmor forbids user namespaces to this bwrap (apparmor_restrict_unprivileged_userns=1)" \
  "echo 'abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo tee \
/etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"
means '*refused*unprivileged_userns_clone=0*' \
  "this host forbids user namespaces (kernel.unprivileged_userns_clone=0)" \
  "sudo sysctl -w kernel.unprivileged_userns_clone=1"
means '*refused*max_user_namespaces=0;*' \
  "this host forbids user namespaces (user.max_user_namespaces=0)" \
  "sudo sysctl -w user.max_user_namespaces=15000"
means '*refused*-Microsoft;*' "WSL 1 has no namespaces" "wsl.exe --set-version DISTRIBUTION 2"
means '*refused*container;*' "this container may make no namespaces" \
  "start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
means '*refused*' "this host lets bwrap make no namespaces" \
  "look for a sandbox around this one: a nested sandbox needs nested-userns = true outside"
die "bwrap could not make the sandbox" "its own words are above; see --sandbox-print"
