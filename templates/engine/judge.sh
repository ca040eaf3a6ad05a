# --- judge
# Links and variables may have changed since the policy was written.

# What is writable is none of the system's, and may hold no start-up files.
bounds=() keeps='secrets or sockets'
rows=("${entries[@]}" "${entries_below_views[@]}" "${inside[@]}")
[[ $project_access == read ]] || bounds=("$project")
for ((i = 0; i < ${#rows[@]}; i += 3)); do
  [[ ${rows[i]} == --bind* && ${rows[i + 1]} == /* ]] || continue
  keeps='secrets, sockets or start-up files'
  cd -P -- "${rows[i + 1]}" 2>/dev/null || continue
  refuse_wide "$PWD" "${rows[i + 1]}" \
    "filesystem.write names it: mend the variable or the link, or name what is needed below it"
  bounds+=("$PWD")
done

# Refuses what a link leads out of something writable: a command can have made it.
keep_within() { # PATH PLACE
  local root above=$1
  while [[ $1 != "$2" ]] && above=${above%/*} && [[ -n $above ]]; do
    cd -P -- "$above" 2>/dev/null || continue
    for root in "${bounds[@]}"; do
      [[ $PWD/ != "$root"/* || $2/ == "$root"/* ]] || die "refusing $1: it leads to $2" \
        "remove the link, or generate the launcher again here"
    done
  done
}

# By none of these variables may a tool keep secrets or sockets in what the profile lists. NAME/
# is below what the variable leads to; an address, as unix:path=/..., counts by its path.
kept_secrets=()
for word in $secret_variables; do
  name=${word%%/*}
  path=${!name-}
  if [[ $name == TMUX || $path == +([!/]):*([!/])/* ]]; then
    path=/${path#*/}
    path=${path%%[,;]*}
  fi
  [[ $path == /*[!/]* ]] || continue
  locate "$path${word#"$name"}" || continue
  [[ $home/ == "$REPLY"/* ]] || kept_secrets+=("$name" "$REPLY/${word##*[!/]}")
done

# Refuses what a link or a variable leads into secrets, or to more than it was.
judge() { # KIND PATH USUAL: own, reason or builtin; the path without variables
  local path=${2/#.\//"$project/"} at root
  [[ $path == /* && $path != /proc/nonexistent* ]] || return 0
  locate "$path" || return 0
  at=$REPLY
  [[ $1 == builtin ]] || judge_secrets "$path" "$at" "$1"
  [[ $base == host || $home/ != "${at%/}"/* ]] \
    || die "refusing $path: it holds the home directory" "list what is needed of it, one by one"
  for root in "${3/#.\//"$project/"}" "${known_places[@]}"; do
    [[ $at/ != "$root"/* ]] || return 0
  done
  keep_within "$path" "$at"
  if [[ $at/ == "$home"/* ]]; then
    [[ $at/ == "$home"/@($closed_names|.*)/* ]] || return 0
  else
    [[ $at/ == /@(boot|dev|etc|proc|root|run|sys|var/@(db|lib|run|snap|spool))/* ]] || return 0
  fi
  die "refusing $path: it leads to $at" \
    "if that is meant, name it in the profile, or generate the launcher again here"
}

# Refuses an entry in which, or around which, a tool keeps secrets just now. What the profile hides
# below the entry is none.
judge_secrets() { # PATH PLACE KIND
  local i path secret
  for ((i = 0; i < ${#kept_secrets[@]}; i += 2)); do
    secret=${kept_secrets[i + 1]}
    [[ $secret == "$2"/?* || ($3 == own && $2/ == "$secret"*) ]] || continue
    for path in "${hidden[@]}" $hidden_at_home; do
      [[ $path == /* ]] || path=$home/${path:-nonexistent}
      locate "$path" || continue
      [[ $secret != "$REPLY"/* || $2/ == "$REPLY"/* ]] || continue 2
    done
    die "refusing $1: by ${kept_secrets[i]} a tool keeps $keeps there" \
      "unset that, or list what is needed one by one; what is secret wants its own path, and a why"
  done
}
for ((i = 0; i < ${#judged[@]}; i += 3)); do
  judge "${judged[@]:i:3}"
done
for path in "${caches_read[@]}" "${caches_write[@]}" "${brief_views[@]}" "${kept_views[@]}" \
  "${session_views[@]}" "${tool_views[@]}"; do
  locate "$path" || REPLY=$(readlink -m -- "$path") # absent, or led to where bwrap has the host
  keep_within "$path" "$REPLY"
done
cd -- "$cwd"
