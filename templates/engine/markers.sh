# --- markers
# Reports that the project needs a tool that this launcher was not generated for.
# Reads: launcher, markers, project.

for word in "${markers[@]}"; do # FILE/TOOL
  names=("$project"/${word%/*})
  [[ -e ${names[0]-} && $action == @(run|shell) ]] || continue
  read_text "$launcher" 400
  [[ $REPLY =~ Instead:\ ([^$'\n']*) ]]
  say "the project has ${names[0]##*/}, but this launcher was generated without ${word#*/}; to add \
its files and caches, run here: ${BASH_REMATCH[1]}"
  break
done
