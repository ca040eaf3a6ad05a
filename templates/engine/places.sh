# --- places
# Resolves the paths of the working directory, of this launcher and of the project.
# Reads: caller, home, project_root, required. Sets: cwd, launcher, own, project.

[[ -n $caller ]] || die "the working directory was removed or cannot be entered" \
  "start the launcher in another directory"
[[ $home == /?* ]] || die "HOME is not a home directory: ${HOME-}" "set HOME to your home directory"
for word in "${required[@]}"; do # NAME/KEY
  [[ -v ${word%%/*} ]] || die "${word%%/*} is not set, and ${word#*/} in the profile needs it" \
    "set it, or remove that entry from the profile"
done
cd -P .
cwd=$PWD
follow() { # LINK: sets REPLY to its target
  REPLY=$(readlink -f -- "$1") || die "$1 is a broken symbolic link" "remove the link"
}
cd -- "$caller"
[[ $0 != */* ]] || cd -P -- "${0%/*}/"
launcher=$PWD/${0##*/}
own=("$launcher")
if [[ -L $launcher ]]; then
  follow "$launcher"
  own+=("$REPLY")
fi

# Refuses to share the home directory, a directory above it, or a system directory.
refuse_wide() { # PATH [SPELLED HINT]
  local hint=${3:-start it in a project directory}
  case $1/ in
    "$home"/?* | /dev/shm/?* | /run/media/* | /usr/src/* | /usr/local/src/* | /var/tmp/?*) ;;
    /bin/* | /boot/* | /dev/* | /etc/* | /lib* | /proc/* | /run/* | /sbin/* | /sys/* | /usr/* | \
      /var/lib/* | /home/ | /media/ | /mnt/ | /opt/ | /root/ | /srv/ | /tmp/ | /var/ | /var/tmp/)
      die "refusing to share ${2:-$1}: it is a system directory" "$hint"
      ;;
  esac
  [[ $home/ != "${1%/}"/* ]] \
    || die "refusing to share ${2:-$1}: it contains the home directory" "$hint"
}
# The project: the nearest git work tree, the working directory, or what the profile names.
project=$cwd
case $project_root in
  git)
    while [[ -n $project && ! -e $project/.git ]]; do project=${project%/*}; done
    [[ -n $project && $home/ != "$project"/* ]] || project=$cwd
    ;;
  /*)
    cd -P -- "$project_root" 2>/dev/null \
      || die "there is no directory $project_root" "project.root in the profile names it"
    project=$PWD
    [[ $cwd/ == "$project"/* ]] || cwd=$project
    ;;
esac
refuse_wide "$project"
if [[ $project == "$home"/.* && $project != "$home"/.cache/?* && $project_root != /* ]]; then
  [[ -e $project/.git && $project != "$home"/.@(config|local|local/share) ]] \
    || die "refusing to share $project: hidden directories in home often hold credentials" \
      "start in a git work tree below it, or name it in project.root"
fi
