# --- terminfo
# Shows the description of the terminal that TERMINFO or TERMINFO_DIRS leads to.
# Reads: home, project, spelled.

rest=${TERMINFO-}:${TERMINFO_DIRS-}:
while [[ $rest == *[!:]* && -n ${TERM-} ]]; do
  path=${rest%%:*} rest=${rest#*:}
  path=${path/#"$spelled/"/"$home/"}
  [[ $path == /* && -f $path/${TERM:0:1}/$TERM ]] || continue
  [[ $home/ != "$path"/* && $project/ != "$path"/* && $path != "$project"/* ]] || continue
  expose "$path"
done
