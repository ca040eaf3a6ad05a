# Part project-link: where the caller came to the project by a link, the link is there inside, too.

path=${logical%"${cwd#"$project"}"}
if [[ $logical != "$cwd" && $path${cwd#"$project"} == "$logical" ]]; then
  path=${path/#"$spelled/"/"$home/"}
  if [[ $path == "$project" ]]; then
    cwd=$logical
  elif [[ $path/ != @($visible)/* ]]; then
    mounts+=(--symlink "$project" "$path")
    cwd=$logical
  fi
fi
