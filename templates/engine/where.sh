# --- where
# Prints where paths of the host are inside, for --sandbox-where.
# Reads: action, mounts, lowers, caller.

declare -A real_paths=()
real_path() { # PATH: sets REPLY to it without symbolic links, even where it does not exist
  if [[ -z ${real_paths["/$1"]-} ]]; then
    REPLY=$(readlink -m -- "$1" && echo /) || die "not a path: ${1@Q}" "name a path of the host"
    real_paths["/$1"]=${REPLY%$'\n'/}
  fi
  REPLY=${real_paths["/$1"]}
}
find_source() { # FLAG LOWER OPERAND...: sets REPLY to the host's path that a mount shows, or empty
  REPLY=''
  case $1 in
    --ro-bind-data) return ;;
    --ro-bind* | --bind* | --dev-bind*) REPLY=$3 ;;
    --overlay | --tmp-overlay) REPLY=$2 ;;
    --file) REPLY=/proc/self/fd/$3 ;;
    *) return ;;
  esac
  if [[ $REPLY == /sys/*/view ]]; then # an overlay that part overlay mounts there
    REPLY=${REPLY//[^0-9]/}
    REPLY=${lowers[REPLY]}
  fi
  real_path "$REPLY"
}
# The last mount that shows a path decides; a mount also hides what was at its mount point before.
find_inside() { # PATH: sets found to where a path of the host is inside, or empty
  local word flag='' lower='' target operands=()
  found=''
  for word in "${mounts[@]}" --; do
    if [[ $word != --* ]]; then
      operands+=("$word")
      continue
    fi
    case $flag in
      '' | --dir | --chmod | --symlink | --remount-ro) ;;
      --overlay-src) lower=${lower:-${operands[0]}} ;;
      *)
        target=${operands[-1]%/}
        if [[ $found/ == "$target"/* ]]; then
          found=''
        fi
        find_source "$flag" "$lower" "${operands[@]}"
        lower=''
        if [[ -n $REPLY && $1/ == "${REPLY%/}"/* ]]; then
          found=$target${1#"${REPLY%/}"}
        fi
        ;;
    esac
    flag=$word operands=()
  done
}
if [[ $action == where ]]; then
  (($#)) || die "--sandbox-where needs a path" "name a path of the host"
  cd -- "$caller"
  trap - EXIT
  status=0
  for path; do
    real_path "$path"
    find_inside "$REPLY"
    if [[ -z $found ]]; then
      status=1
    fi
    printf '%s\n' "${found:-not visible}"
  done
  exit "$status"
fi
