# Part versions: settings in which versions of tools stand, file by file, as long as they set no
# variables: these may be secrets.
# shellcheck disable=SC2154 # other parts and the policy set and use these

for path in "${versions[@]}"; do
  for word in "$path" "$path"/*; do
    text=''
    [[ -f $word && -r $word ]] || continue
    ! IFS= read -r -d '' text <"$word" || continue
    [[ ! $text =~ (^|[^[:alnum:]_-])(env|vars)([^[:alnum:]_-]|$)|://[^/[:space:]]*@ ]] || continue
    mounts+=(--ro-bind "$word" "$word")
  done
done
