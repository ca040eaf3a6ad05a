# Looks around in a sandbox, and writes what it finds: KEY=VALUE, each ended by NUL. The
# first argument is a mark, which stands in all that is made here; the second is where to
# write. The others say how a place is tried, and where it is.
shopt -s nullglob
set -f
exec 2>/dev/null
mark=$1
exec >"$2"
shift 2
found=() # all of it at once: a write for each would wake who reads
say() { found+=("$1=$2"); } # KEY VALUE

# Whether a mount is read-only, by where it stands.
declare -A modes=()
mapfile -t lines </proc/self/mountinfo
for line in "${lines[@]}"; do
  words=($line)
  printf -v at '%b' "${words[4]}"
  modes[$at]=${words[5]%%,*}
done
mode_of() { # PATH: sets mode to ro or rw, and at to where the mount stands
  at=$1
  until [[ -n $at && -v modes[$at] ]]; do
    [[ $at == /* ]] || at=/
    [[ $at != / ]] || break
    at=${at%/*}
    at=${at:-/}
  done
  mode=${modes[$at]-}
}

# Sets kind, link, mode, own, holds and real of a path. A mount is its own that stands there.
look() { # PATH
  kind=- link='' holds='' mode='' own=no real=$1
  [[ -e $1 || -L $1 ]] || return
  [[ ! -L $1 ]] || link=$(readlink -- "$1")
  if [[ -d $1 ]]; then
    kind=d
    ! cd -P -- "$1" || real=$PWD
    [[ ! -r $1/$mark ]] || IFS= read -r holds <"$1/$mark"
    [[ -n $holds || ! -r $1 ]] || holds=readable
  elif [[ -e $1 ]]; then
    kind=s
    ! cd -P -- "${1%/*}/" || real=$PWD/${1##*/}
    [[ ! -c $1 ]] || kind=c
    if [[ -f $1 ]]; then
      kind=f
      [[ -z $link ]] || real=$(readlink -f -- "$1")
      IFS= read -r -d '' -n 200 holds <"$1"
      holds=${holds%%$'\n'*}
    fi
  fi
  cd /
  mode_of "$real"
  [[ $at != "$real" ]] || own=yes
}
# Reports whether something can be written there.
write() { # PATH
  case $kind in
    d) : >"$1/$mark-wrote" ;;
    f) printf '\n%s' "$mark-wrote" >>"$1" ;;
    -) : >"$1" ;;
    *) [[ -w $1 ]] ;;
  esac
}
can_rename() { # PATH
  mv -T -- "$1" "$1.$mark" && mv -T -- "$1.$mark" "$1"
}

# What is to be known of the sandbox as a whole.
whole() {
  say cwd: "$project"
  say ns: "$(readlink /proc/self/ns/{user,pid,ipc,uts,cgroup,mnt,net})"
  say status: "$(</proc/self/status)"
  say stat: "$(</proc/self/stat)"
  set +f
  say open: "$(readlink /proc/$$/fd/*)"
  set -f
  nested=no
  hash unshare || nested=unknown
  ! unshare -U true || nested=yes
  say nested: "$nested"
  setuid=no file=/tmp/$mark-setuid
  ! : >"$file" || ! chmod u+s "$file" || setuid=yes
  say setuid: "$setuid"
  first=closed
  [[ ! -e /proc/1/exe && ! -w /proc/1 ]] || first=open
  say first: "$first"
  runtime=/run/user/$UID
  [[ ! -w $runtime ]] || say runtime: "$(stat -c %a "$runtime")"
  writable=''
  for name in acpi asound bus driver dynamic_debug fs irq scsi sys sysrq-trigger; do
    mode_of "/proc/$name"
    [[ ! -e /proc/$name || $mode == ro ]] || writable+=" /proc/$name"
  done
  say settings: "$writable"
}

number=0 project=$PWD stay='' asked=()
for word; do
  path=${word:1} wrote=no
  [[ $path != /* ]] || look "$path"
  case $word in
    l*)
      [[ ! -w $path ]] || wrote=yes
      asked+=("$path")
      ;;
    w*) ! write "$path" || wrote=yes ;;
    a*) [[ ! -e $path/$mark-wrote && $holds != *"$mark-wrote" ]] || wrote=yes ;;
    m*) ! can_rename "$path" || wrote=yes ;;
    h*) ! timeout 9 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "${path%:*}" "${path##*:}" || wrote=yes ;;
    p*) ! hash -- "$path" || wrote=yes ;;
    s*) whole ;;
    k*) stay=yes ;;
    r*)
      said=$(cd -- "$project" && eval "$path" </dev/null 2>&1) && status=0 || status=$?
      say "ran:$number" "$status $said"
      ;;
  esac
  say "at:$number" "$kind $mode $own $wrote ${#link} $link$holds"
  number=$((number + 1))
done

((${#asked[@]} == 0)) || say inodes: "$(stat -L -c '%d:%i %n' -- "${asked[@]}")"
mapfile -d '' -t all </proc/self/environ
printf '%s\0' "${found[@]}" "${all[@]}" end:=yes
[[ -z $stay ]] || exec sleep 5
