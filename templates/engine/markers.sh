# --- markers
# Reports that the project needs a tool that this launcher was not generated for.
# Reads: launcher, markers, project.

for word in $markers; do # FILE/TOOL
  names=("$project"/${word%/*})
  [[ -e ${names[0]-} && $action == @(run|shell) ]] || continue
  read_text "$launcher" 400
  [[ $REPLY =~ Instead:\ ([^$'\n']*) ]]
  say "this launcher does not know ${word#*/}, which ${names[0]##*/} is for; to use its files and \
caches, run in this project: ${BASH_REMATCH[1]}"
  break
done
