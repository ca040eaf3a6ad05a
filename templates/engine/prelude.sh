# shellcheck disable=SC2015,SC2030,SC2031,SC2034,SC2086,SC2317 # parts use what others set
# Without -p, bash would have functions and files of the caller's.
[[ $- == *p* ]] || { POSIXLY_CORRECT=y && exec "$BASH" -p "$0" "$@"; }
set -euo pipefail
shopt -s extglob nullglob
# Else bash would set COLUMNS and LINES.
shopt -u checkwinsize
unset POSIXLY_CORRECT TMOUT FUNCNEST BASH_COMPAT "${!LD_@}" # bash and ld.so would believe them
locale=${LC_ALL-} LC_ALL=C                                  # bash is faster with bytes
system_path=/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin
caller_path=${PATH-} PATH=$system_path
# Where the caller is, and the home directory: as it is spelled, and without links.
caller=$PWD spelled='' home='' runtime=/run/user/$UID
if cd -- "${HOME:-/nonexistent}" 2>/dev/null; then
  spelled=$PWD
  cd -P .
  home=$PWD
  cd -- "$caller" 2>/dev/null || caller=''
fi
