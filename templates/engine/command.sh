# --- command
# Replaces {project} in the profile's command with the path of the project inside.
# Reads: project, project_at, action. Sets: command.

command=("${command[@]//\{project\}/"${project_at:-$project}"}")
if [[ $action == shell ]]; then
  say "to start ${command[0]} from this shell as the launcher does, type: ${command[*]@Q}"
fi
