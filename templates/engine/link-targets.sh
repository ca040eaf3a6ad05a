# --- link-targets
# Shows what symbolic links in some directories lead to, read-only. Skills, for example, may be in
# a repository of dotfiles. The launcher reports links that it does not follow.
# Reads: link_folders, project, home, spelled. Sets: mounts.

show_target() { # LINK PLACE PLAIN: where the link leads by its text alone, without other links
  if [[ $2/ == "$project"/* ]] || shown "$2"; then
    return
  elif [[ $2 == "${3/#"$spelled"/"$home"}" && $2 != "$home"/.cache/* && (-d $2 || -f $2) ]] \
    && may_show "$2"; then
    mounts+=(--ro-bind "$2" "$2")
    show "$2"
  else
    say "$1 leads to $2, which is not shown: if you want it, list it in filesystem.read"
  fi
}
folder_links=() plain=()
for folder in "${link_folders[@]}"; do
  cd -P -- "$folder" 2>/dev/null || continue
  for path in "$PWD"/*; do
    [[ ! -L $path || ! -e $path ]] || folder_links+=("$path")
  done
done
if ((${#folder_links[@]})); then
  mapfile -d '' -t places < <(realpath -z -- "${folder_links[@]}")
  mapfile -d '' -t plain < <(readlink -z -- "${folder_links[@]}")
  for i in "${!plain[@]}"; do
    [[ ${plain[i]} == /* ]] || plain[i]=${folder_links[i]%/*}/${plain[i]}
  done
  mapfile -d '' -t plain < <(realpath -msz -- "${plain[@]}")
  for i in "${!plain[@]}"; do
    show_target "${folder_links[i]}" "${places[i]}" "${plain[i]}"
  done
fi
