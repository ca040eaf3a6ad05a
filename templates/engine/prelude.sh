# --- prelude
# Puts bash into a known state, and finds the home directory.
# Sets: caller, caller_path, home, locale, runtime, spelled, system_path.

# shellcheck disable=SC2015,SC2030,SC2031,SC2034,SC2086,SC2317
# Starts again with -p if needed: then bash imports no functions and reads no startup files. In
# POSIX mode, no function can replace exec.
[[ $- == *p* ]] || { POSIXLY_CORRECT=y && exec "$BASH" -p "$0" "$@"; }
set -euo pipefail
shopt -s extglob nullglob
shopt -u checkwinsize # which would set COLUMNS and LINES for the command
# bash or the dynamic linker would obey these, in the launcher and in bwrap.
unset POSIXLY_CORRECT TMOUT FUNCNEST BASH_COMPAT "${!LD_@}"
locale=${LC_ALL-} LC_ALL=C # so that patterns match bytes, which is also faster
system_path=/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin
caller_path=${PATH-} PATH=$system_path
# spelled is the home directory as HOME has it; home is the same without symbolic links.
caller=$PWD spelled='' home='' runtime=/run/user/$UID
if cd -- "${HOME:-/nonexistent}" 2>/dev/null; then
  spelled=$PWD
  cd -P .
  home=$PWD
  cd -- "$caller" 2>/dev/null || caller=''
fi
