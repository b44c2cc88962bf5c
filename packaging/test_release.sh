#!/usr/bin/env bash
# Tries out what build_release.sh made: that the packages hold the same, say the same and run, installed in bare old and new systems.
#   packaging/test_release.sh [SUITE ...]      Debian suites that mmdebstrap can make; bullseye, bookworm and trixie if none is named
# Needs mmdebstrap, rpm and binutils; no root.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
[ $# -gt 0 ] || set -- bullseye bookworm trixie
fail() { echo "test_release.sh: $*" >&2; exit 1; }
one() { [ $# = 1 ] && [ -f "$1" ] || fail "not one package: $*"; echo "$1"; }
deb=$(one build/package/rocvet_*.deb)
rpm=$(one build/package/rocvet-*.rpm)
tarball=$(one build/package/rocvet-*.tar.gz)
floor=$(sed -n 's/^ROCVET_GLIBC_FLOOR:STRING=//p' build/package/CMakeCache.txt)

# The same files in each, and the same promise: the packages', README's, and the binary's own.
in_deb=$(dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' | sed 's,^\./usr/,,' | sort)
in_rpm=$(rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" | sed -n 's,^-[^ ]* /usr/,,p' | sort)
in_tarball=$(tar -tf "$tarball" | grep -v '/$' | sed 's,^[^/]*/,,' | sort)
diff <(echo "$in_deb") <(echo "$in_rpm") || fail "the deb and the rpm hold different files"
diff <(echo "$in_deb") <(echo "$in_tarball") || fail "the deb and the tarball hold different files"
[ "$(dpkg-deb -f "$deb" Depends)" = "libc6 (>= $floor)" ] || fail "the deb depends on $(dpkg-deb -f "$deb" Depends)"
rpm -qpR "$rpm" | grep -qx "glibc >= $floor" || fail "the rpm does not require glibc $floor"
grep -q "glibc $floor or newer" README.md || fail "README.md does not say glibc $floor"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xf "$tarball" -C "$work" --strip-components=2 --wildcards '*/bin/rocvet'
tests/cli/needed.sh "$work/rocvet" "$floor"
tests/cli/hardened.sh "$work/rocvet"

# Runs inside. What `check` finds of the machine beneath is not at stake: it must judge it, and its recording alike.
cat > "$work/try.sh" <<'END'
set -eu
judge() { status=0; "$@" > /tmp/said || status=$?; [ $status -le 2 ] && grep -q ' passed, ' /tmp/said; }
judge rocvet check
rocvet snapshot /tmp/machine.tar.zst
judge rocvet check --snapshot /tmp/machine.tar.zst
rocvet test --device host > /tmp/said || { cat /tmp/said; exit 1; }
tail -n 1 /tmp/said
rocvet run --demo > /tmp/said || { cat /tmp/said; exit 1; }
tail -n 1 /tmp/said
END

try_in() { # SUITE INSTALL PACKAGE [OPTION of mmdebstrap ...]
  local suite=$1 install=$2 package=$3
  shift 3
  echo "== $(basename "$package") in $suite"
  mmdebstrap --quiet --variant=minbase --format=null "$@" \
    --customize-hook="copy-in $package $work/try.sh /tmp" \
    --customize-hook="chroot \"\$1\" $install /tmp/$(basename "$package")" \
    --customize-hook='chroot "$1" sh /tmp/try.sh' "$suite" /dev/null || fail "$(basename "$package") does not do in $suite"
}
for suite in "$@"; do try_in "$suite" "dpkg -i" "$deb"; done
# rpm knows of no package there, so the dependencies are checked above and not here.
try_in "$1" "rpm -i --nodeps" "$rpm" --include=rpm
