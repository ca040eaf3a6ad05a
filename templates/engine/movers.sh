# Part movers: no variable may lead into what home hides, but for places of the tools' own.

hides() { # PATH
  [[ $1/ == "$home"/@($closed_names|.*)/* && $1/ != "$home"/@($tool_places)/* ]] || return 1
  [[ $1/ != "$home"/.cache/?* || $1/ == "$home"/.cache/@($closed_caches)/* ]]
}
for name in $movers; do
  [[ -n ${!name-} && -x ${!name}/ ]] && cd -P -- "${!name}" || continue
  ! hides "$PWD" || die "refusing $name: it leads to $PWD, where secrets lie" \
    "choose a place in ~/.cache, or generate the launcher while it is set so"
done
for word in $never; do # NAME/DIRECTORY: with what is shown below that, it would be a secret's
  name=${word%%/*}
  [[ ! ${!name-} -ef $home/${word#*/} ]] \
    || die "refusing $name: it leads to secrets, to ${!name}" "choose a directory of its own"
done
