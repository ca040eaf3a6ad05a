# --- identity
# Sets the user's name, and makes a runtime directory. Keeps root from changing the kernel.
# Reads: lacks, nested_userns, runtime. Sets: user.

user=${LOGNAME-}
if [[ ! $user =~ ^[a-z_][a-z0-9_.-]*$ || $user == root ]]; then
  user='\u' user=${user@P}          # bash expands this to the name of the user ID
  [[ $user != *' '* ]] || user=user # "I have no name!"
fi
mounts+=(--dir "$runtime")
if [[ $lacks != *--chmod* ]]; then
  mounts+=(--chmod 0700 "$runtime")
else
  # shellcheck disable=SC2016 # for the shell inside
  inner+=(/bin/sh -c 'chmod 0700 "$1" "$1"/*/ 2>/dev/null; shift; exec "$@"' sh "$runtime")
fi
# Through /proc/1/exe the command could change bwrap itself.
[[ $nested_userns == yes && $UID != 0 ]] || system_mounts+=' --tmpfs /proc/1 --remount-ro /proc/1'
if ((UID == 0)); then
  for name in acpi asound bus driver dynamic_debug fs irq scsi sys sysrq-trigger; do
    system_mounts+=" --ro-bind-try /proc/$name /proc/$name"
  done
fi
# The header of this launcher, so that anyone inside can read what the command may do.
read_summary
feed "${REPLY%$'\n'}"
mounts+=(--ro-bind-data "$fd" /run/bwrapgen/README)
