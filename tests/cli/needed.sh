#!/usr/bin/env bash
# needed.sh BINARY [FLOOR]: it starts everywhere, so it needs glibc and nothing else; a release's no newer one than FLOOR.
set -euo pipefail
newest=$(objdump -T "$1" | grep -oE "GLIBC_[0-9.]+" | sort -Vu | tail -1)
echo "newest glibc symbol: $newest"
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "$needed"
if echo "$needed" | grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64|ld-linux-aarch64)\.so\.[0-9]+$'; then
  echo "must not be needed: above"
  exit 1
fi
if [ -n "${2:-}" ] && [ "$(printf '%s\n' "$newest" "GLIBC_$2" | sort -V | tail -1)" != "GLIBC_$2" ]; then
  objdump -T "$1" | grep -F "($newest)"
  echo "newer than glibc $2: above"
  exit 1
fi
