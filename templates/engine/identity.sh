# Part identity: who one is, a runtime directory, and for root no way to change the kernel.

user=${LOGNAME-}
[[ $user =~ ^[a-z_][a-z0-9_.-]*$ && $user != root ]] || user='\u' user=${user@P}
[[ $user != *' '* ]] || user=user # this uid has no name
mounts+=(--dir "$runtime")
if [[ $lacks != *--chmod* ]]; then
  mounts+=(--chmod 0700 "$runtime")
else
  # shellcheck disable=SC2016 # it is for the shell inside
  inner+=(/bin/sh -c 'chmod 0700 "$1" "$1"/*/ 2>/dev/null; shift; exec "$@"' sh "$runtime")
fi
# Through /proc/1/exe the command could change bwrap itself.
[[ $nested_userns == yes && $UID != 0 ]] || system_mounts+=' --tmpfs /proc/1 --remount-ro /proc/1'
if ((UID == 0)); then
  for name in acpi asound bus driver dynamic_debug fs irq scsi sys sysrq-trigger; do
    system_mounts+=" --ro-bind-try /proc/$name /proc/$name"
  done
fi
