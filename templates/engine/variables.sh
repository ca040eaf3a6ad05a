# --- variables
# No variable may lead into what home hides, but for places of the tools' own.

hides() { # PATH
  [[ $1/ == "$home"/@($closed_names|.*)/* && $1/ != "$home"/@($tool_places)/* ]] || return 1
  [[ $1/ != "$home"/.cache/?* || $1/ == "$home"/.cache/@($closed_caches)/* ]]
}
for word in "${movers[@]}"; do # NAME, or NAME/PART: what of its directory is shown
  name=${word%%/*}
  path=${!name-}${word#"$name"} file=''
  [[ -n ${!name-} && -e $path ]] || continue
  [[ -d $path ]] || file=/${path##*/}
  [[ -x ${path%"$file"}/ ]] && cd -P -- "${path%"$file"}" || continue
  ! hides "$PWD$file" || die "refusing $name: it leads to $PWD$file, where secrets lie" \
    "choose a place in ~/.cache, or generate the launcher while it is set so"
done
