# Part kept: what the runs have kept of caches, and what becomes of it.
# shellcheck disable=SC2154 # other parts and the policy set and use these

erase() { # PATH: also what its owner may not change
  rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1" && rm -rf -- "$1"; }
}
review() { # LAYER HOST: a new directory counts as a whole
  local type path kind new=/ count=0 left=''
  while read -r -d '' type && IFS= read -r -d '' path; do
    kind=modified
    [[ $type != c ]] || kind=deleted
    [[ -e $2/$path || -L $2/$path ]] || kind=added
    [[ $2/$path/ == "${asked%/}"/* && $path != "$new"/* ]] || continue
    [[ $type$kind != @(dmodified|cadded) ]] || continue
    [[ $type != d ]] || new=$path
    count=$((count + 1))
    [[ $action == apply ]] || printf '%-8s  %q\n' "$kind" "$2/$path"
    [[ $action != apply ]] || take_over "$kind" "$1/$path" "$2/$path" "$2/.bwrapgen" || left=1
  done < <(find "$1" -mindepth 1 -printf '%y\0%P\0')
  [[ $action == apply ]] \
    || printf 'changes in %q: %d, %s\n' "$2" "$count" "$(cd -- "$1" && du -sh | cut -f 1)"
  failed=${left:-$failed}
  [[ $action != apply || -n $left || $asked != / ]] || erase "$1"
}
# Copies by a rename, so that a kill leaves no half of it. What the host has changed since stays.
take_over() { # KIND FROM TO ASIDE
  if [[ $3 -nt $2 ]]; then
    say "not applied: the host has changed $3 since" && return 1
  elif [[ $1 == deleted ]]; then
    erase "$3"
  else
    mkdir -p -- "${4%/*}" && erase "$4"
    cp -aT --no-preserve=xattr -- "$2" "$4" && mv -fT -- "$4" "$3"
  fi
}
if [[ $action == @(status|diff|apply|discard) ]]; then
  [[ $action != discard || $# -eq 0 ]] \
    || die "--sandbox-discard is for all, and not for $* alone" "give it no path"
  [[ -d $stores ]] || exit 0
  take_store
  asked=$(cd -- "$cwd" && realpath -ms -- "${1-/}") failed=0
  for layer in "${layers[@]}"; do
    path=${layer#"$store"} path=${path%/upper}
    [[ $layer == */upper && -d $layer && $action != discard ]] || continue
    [[ $asked/ != "$path"/* && $path/ != "${asked%/}"/* ]] || review "$layer" "$path"
  done
  if [[ $action == discard ]]; then # by a rename, too
    exec {fd}<>"$store.read.lock"
    flock -w 2 "$fd" || die "$store is in use by another run" "wait for its end"
    erase "$stores~"
    mv -T -- "$stores" "$stores~" && erase "$stores~"
    rmdir -- "${stores%/*}" 2>/dev/null || :
  fi
  exit "$failed"
fi
