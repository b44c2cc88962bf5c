#!/bin/bash
# Stands for every program in a dry run: writes down how it was called and answers what the scripts read. A package manager knows
# the packages of the file $FIX_PACKAGES alone. Never the real program, but for those that only read text.
name=${0##*/}
# In one write: parts of a pipe write at the same time.
words=" $*"
printf '%s\n' "$name${words//$'\n'/ }" >>"$FIX_LOG"

known() {
  local pattern
  while read -r pattern; do
    # shellcheck disable=SC2053
    [[ $1 == $pattern ]] && return 0
  done <"$FIX_PACKAGES"
  echo "$name: no package $1" >&2
  echo "unknown-package $1" >>"$FIX_LOG"
  return 1
}

# Each word that is no option, behind one that takes packages.
packages() {
  local word verb='' skip=''
  for word; do
    [ -n "$skip" ] && { skip=''; continue; }
    case $word in
      -t) skip=1 ;;
      -S | -Syu | -Sy | -Su | install | reinstall | downgrade | upgrade | update | purge) verb=$word ;;
      -* | https://* | /* | *'*'*) ;;
      *) [ -z "$verb" ] || known "${word%%=*}" || return 1 ;;
    esac
  done
}

case $name in
  id) echo 1000 ;;
  uname) echo 6.12.4-generic ;;
  stat) echo 109 ;;
  sudo) exec "$@" ;;
  env) shift; exec "$@" ;;
  grep)
    case "$*" in
      *"$HOME"*) exec /usr/bin/grep "$@" ;;
      -ls*) echo /etc/read-by-the-dry-run.conf ;;
      *gcc-*) echo gcc-14 ;;
      *libclc*) echo libclc-19 ;;
      -q*) exit 1 ;;
      *) cat >/dev/null ;;
    esac ;;
  sed)
    case "${*: -1}" in "$HOME"/*) exec /usr/bin/sed "$@" ;; esac ;;
  find) case $1 in /usr/lib/gcc*) printf '13\n14\n' ;; esac ;;
  rpm)
    case $1 in
      -E) echo 9 ;;
      -qa) echo amdgpu-dkms ;;
    esac ;;
  dpkg-query) echo amdgpu-dkms ;;
  apt-cache) echo '  Depends: libclc-19' ;;
  apt | apt-get | dnf | zypper | pacman) packages "$@" || exit 1 ;;
  add-apt-repository) [ "$FIX_SYSTEM" = apt-ubuntu ] || exit 127 ;;
  wget | curl) echo data ;;
  tee | install | gpg | tar) cat >/dev/null ;;
  python3)
    case "$1 $2" in
      "-m venv")
        folder=${*: -1}
        /usr/bin/mkdir -p "$folder/bin"
        /usr/bin/ln -sf "${0%/*}/pip" "$folder/bin/pip" ;;
      "-c "*) echo /site/torch ;;
    esac ;;
esac
exit 0
