# --- command
# {project} in the profile's command is where the project is inside.
# shellcheck disable=SC2154 # other parts and the policy set and use these

command=("${command[@]//\{project\}/"${project_at:-$project}"}")
[[ $action != shell ]] \
  || say "for ${command[0]} to run as without --sandbox-shell, start it as ${command[*]@Q}"
