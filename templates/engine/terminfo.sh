# Part terminfo: descriptions of terminals come along, if TERMINFO or TERMINFO_DIRS leads to them.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set these

rest=${TERMINFO-}:${TERMINFO_DIRS-}:
while [[ $rest == *:* ]]; do
  path=${rest%%:*} rest=${rest#*:}
  path=${path/#"$spelled/"/"$home/"}
  [[ -n ${TERM-} && $path == /* && -f $path/${TERM:0:1}/$TERM ]] || continue
  [[ $home/ != "$path"/* && $project/ != "$path"/* && $path != "$project"/* ]] || continue
  expose "$path"
done
cd -- "$cwd"
