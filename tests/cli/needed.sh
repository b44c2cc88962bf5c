#!/usr/bin/env bash
# needed.sh BINARY: it starts everywhere, so it needs glibc and nothing else.
set -euo pipefail
echo "newest glibc symbol: $(objdump -T "$1" | grep -oE "GLIBC_[0-9.]+" | sort -Vu | tail -1)"
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "$needed"
if echo "$needed" | grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64|ld-linux-aarch64)\.so\.[0-9]+$'; then
  echo "must not be needed: above"
  exit 1
fi
