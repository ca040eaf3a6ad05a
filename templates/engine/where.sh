# --- where
# Instead of a run, where the command finds paths of the host.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set these

declare -A real_paths=()
real_path() { # PATH: sets REPLY to it without links; the end of it need not exist
  if [[ -z ${real_paths["/$1"]-} ]]; then
    REPLY=$(readlink -m -- "$1" && echo /) || die "${1@Q} is no path" "name one of the host"
    real_paths["/$1"]=${REPLY%$'\n'/}
  fi
  REPLY=${real_paths["/$1"]}
}
# Sets source to what the host has where a mount shows it, or to nothing.
find_source() { # FLAG OPERAND...
  source=''
  case $1 in
    --ro-bind-data) return ;;
    --ro-bind* | --bind* | --dev-bind*) source=$2 ;;
    --overlay | --tmp-overlay) source=$lower lower='' ;;
    --file) source=/proc/self/fd/$2 ;;
    *) return ;;
  esac
  if [[ $source == /sys/*/view ]]; then # what the overlay there shows
    source=${source//[^0-9]/}
    source=${lowers[source - 1]}
  fi
  real_path "$source"
  source=$REPLY
}
# Sets place to where a path is; a mount shows what its source holds, and covers what stood there.
find_place() { # PATH
  local word flag='' source lower='' at operands=()
  place=''
  for word in "${mounts[@]}" --; do
    if [[ $word != --* ]]; then
      operands+=("$word")
      continue
    fi
    case $flag in
      '' | --dir | --chmod | --symlink | --remount-ro) ;;
      --overlay-src) lower=${lower:-${operands[0]}} ;;
      *)
        at=${operands[-1]%/}
        [[ $place/ != "$at"/* ]] || place=''
        find_source "$flag" "${operands[@]}"
        [[ -z $source || $1/ != "${source%/}"/* ]] || place=$at${1#"${source%/}"}
        ;;
    esac
    flag=$word operands=()
  done
}
if [[ $action == where ]]; then
  (($#)) || die "--sandbox-where names no path" "name one of the host"
  cd -- "$caller"
  trap - EXIT
  status=0
  for path; do
    real_path "$path"
    find_place "$REPLY"
    [[ -n $place ]] || status=1
    printf '%s\n' "${place:-not visible}"
  done
  exit "$status"
fi
