#!/usr/bin/env bash
# Builds on Debian 12 what is released: deb, rpm and tarball for x86-64 with glibc 2.28 (RHEL 8) or later.
#   packaging/build_release.sh [OPTION of cmake ...]      leaves them in build/package
# Needs what `./bootstrap build` installs, mmdebstrap and rpm (for rpmbuild); no root. packaging/test_release.sh tries them out.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

for tool in mmdebstrap rpmbuild; do
  command -v $tool >/dev/null || { echo "build_release.sh: $tool is not installed" >&2; exit 3; }
done

# The libraries to link against: Debian 11 has glibc 2.31, and what that has newer than 2.28 packaging/old_glibc.cpp stands in for.
# Where mirrors no longer have Debian 11, its archive does (mmdebstrap's last argument), or -DROCVET_GLIBC=ROOT names another system.
glibc=build/glibc
if [ ! -e $glibc ]; then
  rm -rf $glibc.new
  mkdir -p $glibc.new
  mmdebstrap --quiet --variant=extract --include=libc6-dev bullseye $glibc.tar
  tar -xf $glibc.tar -C $glibc.new --no-same-owner ./lib/x86_64-linux-gnu ./lib64 ./usr/lib/x86_64-linux-gnu
  rm $glibc.tar
  # Links to absolute paths would lead the linker back to this machine's libraries.
  find $glibc.new -type l -lname '/*' -printf '%l %p\n' | while read -r to link; do ln -sfr "$glibc.new$to" "$link"; done
  mv $glibc.new $glibc
fi

cmake --preset package "$@"
cmake --build --preset package --target package
ls -l build/package/rocvet[_-]*.{deb,rpm,tar.gz}
