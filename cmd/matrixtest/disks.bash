# Starts launchers on disks, as root and as a user, under bwrap and under one that
# says that it makes no overlays. Prints how each start ended, in a line: the disk,
# who, the engine, the place, the launcher, the exit status and what was said; what
# the host has then; and what is left of the stores.
# shellcheck disable=SC2016 # other shells expand that

at=/usr/local/lib/bwrapgen-matrix disk=/disk
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
change='cd "$1"; cat f; echo x >>f; rm -r d; mkdir d; echo made >d/n; mkdir a; mv a b; echo $(ls) $(cat f d/n)'

as() { # PERSON WORD...
  local name uid gid
  IFS=: read -r name _ uid gid _ < <(getent passwd "$1")
  setpriv --reuid "$uid" --regid "$gid" --init-groups --inh-caps=-all -- env -i HOME="$home" USER="$name" LANG=C.UTF-8 TERM=dumb \
    PATH="$engine:/usr/bin:/bin" GOMODCACHE="$cache" XDG_STATE_HOME="$state" "${@:2}"
}

fill() { # DIRECTORY
  as "$user" mkdir -p "$1/d"
  as "$user" sh -c 'echo host >"$1/f"; echo old >"$1/d/n"' sh "$1"
}

# The directory of 9p has the times of the machine outside, which an emulated one
# does not keep: a launcher would take what is there for newer than it is.
in_step() {
  touch "$disk/now"
  date -s "@$(($(stat -c %Y "$disk/now") + 1))" >&2
}

start() { # PLACE LAUNCHER
  local home=/b/$user status=0 said host where
  local project=$home/code/p cache=$home/go/pkg/mod state=$home/state
  case $1 in
    cache) cache=$disk/mod ;;
    store) state=$disk/state ;;
    project) project=$disk/p ;;
    home) home=$disk/home && project=$home/code/p cache=$home/go/pkg/mod ;;
  esac
  rm -rf "/b/$user" && install -d -o "$user" "/b/$user"
  as "$user" mkdir -p "$home/.cache/go-build" "$home/go/pkg/sumdb"
  fill "$project" && fill "$cache"
  where=$cache
  [[ $1 != project && $2 != review ]] || where=$project
  cd "$project" || return
  [[ $name != 9p ]] || in_step
  said=$(as "$user" "$at/$2" sh -c "$change" sh "$where" 2>&1) || status=$?
  [[ $status != 0 || $2 != review ]] || said+=$(as "$user" "$at/$2" --sandbox-apply 2>&1) || status=$?
  host=$(cat "$where/f" "$where/d/n" 2>&1)
  [[ $2 != @(keep|review) ]] || as "$user" "$at/$2" --sandbox-discard >/dev/null 2>&1
  cd /
  for ((i = 0; i < 50; i++)); do [[ -e $state/bwrapgen ]] || break && sleep 0.1; done
  said="$status|$said|$host|$(ls -AR "$state/bwrapgen" 2>/dev/null)"
  printf '%s|%s|%s|%s|%s|%s\n' "$name" "$user" "${engine##*/}" "$1" "$2" "${said//$'\n'/ }"
  rm -rf -- "${disk:?}"/{mod,state,p,home}
}

try() { # NAME WHO MOUNT PLACE=LAUNCHER...
  # shellcheck disable=SC2034 # what mounts the disk uses it
  local name=$1 image=/image-$1 user uid engine tried
  for user in $2; do
    uid=$(id -u "$user") engine=/usr/bin home=/ cache='' state=''
    eval "$3" >&2
    mountpoint -q "$disk" || { printf '%s|%s|not mounted\n' "$name" "$user" && continue; }
    chown "$user" "$disk" 2>/dev/null || :
    for engine in /usr/bin /old; do
      for tried in "${@:4}"; do start "${tried%=*}" "${tried#*=}"; done
    done
    umount -l "$disk"
  done
}

systemctl stop '*.timer' >&2
systemctl start nfs-server >&2
mkdir -m 0755 "$disk" /b /old
printf '#!/bin/sh\n[ "$1" != --help ] || { /usr/bin/bwrap --help | grep -v overlay; exit; }\nexec /usr/bin/bwrap "$@"\n' >/old/bwrap
chmod 0755 /old/bwrap
