# Part way: a link on the caller's way to the project is there inside, too, if it can be made.

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
