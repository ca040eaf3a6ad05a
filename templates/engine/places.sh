# Part places: the caller, this script and the project, without links.

[[ -n $caller ]] || die "the working directory is gone, or closed to you" "start it elsewhere"
[[ $home == /?* ]] || die "HOME is no home directory: ${HOME-}" "set HOME to yours"
for word in "${required[@]}"; do # NAME/KEY of the profile
  name=${word%%/*}
  [[ -v $name ]] || die "$name is not set, and ${word#*/} of the profile needs it" \
    "set it, or take that out of the profile"
done
logical=$PWD
cd -P .
cwd=$PWD
follow() { # PATH: sets REPLY to where a link leads
  REPLY=$(readlink -f -- "$1") || die "$1 is a link that leads to nothing" "remove the link"
}
cd -- "$caller"
[[ $0 != */* ]] || cd -P -- "${0%/*}/"
launcher=$PWD/${0##*/}
own=("$launcher")
if [[ -L $launcher ]]; then
  follow "$launcher"
  own+=("$REPLY")
fi

# Refuses to share home, what holds it, and directories of the system.
refuse_wide() { # PATH SPELLED HINT: too much for a sandbox to write to
  local hint=${3:-start it in a project}
  case $1/ in
    "$home"/?* | /dev/shm/?* | /run/media/* | /usr/src/* | /usr/local/src/* | /var/tmp/?*) ;;
    /bin/* | /boot/* | /dev/* | /etc/* | /lib* | /proc/* | /run/* | /sbin/* | /sys/* | /usr/* | \
      /var/lib/* | /home/ | /media/ | /mnt/ | /opt/ | /root/ | /srv/ | /tmp/ | /var/ | /var/tmp/)
      die "refusing to share ${2:-$1}: it is a system directory" "$hint"
      ;;
  esac
  [[ $home/ != "${1%/}"/* ]] \
    || die "refusing to share ${2:-$1}: it holds the home directory" "$hint"
}

# The project: the nearest git work tree, the working directory, or a path of the profile's.
project=$cwd
case $project_root in
  git)
    while [[ -n $project && ! -e $project/.git ]]; do project=${project%/*}; done
    [[ -n $project && $home/ != "$project"/* ]] || project=$cwd
    ;;
  /*)
    cd -P -- "$project_root" 2>/dev/null \
      || die "there is no directory $project_root" "the profile names it in project.root"
    project=$PWD
    [[ $cwd/ == "$project"/* ]] || cwd=$project logical=$project
    ;;
esac
refuse_wide "$project"
if [[ $project == "$home"/.* && $project != "$home"/.cache/?* && $project_root != /* ]]; then
  [[ -e $project/.git && $project != "$home"/.@(config|local|local/share) ]] \
    || die "refusing to share $project: secrets lie in what has such a name" \
      "start it in a git work tree below, or name it in project.root"
fi
