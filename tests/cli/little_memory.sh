#!/usr/bin/env bash
# little_memory.sh ROCVET SNAPSHOT: whatever memory there is, the program works, or says in one line that it is not enough.
set -euo pipefail
short=0
for limit in 18000 20000 22000 24000 26000 28000 32000; do
  status=0
  said=$( (ulimit -v "$limit" && exec "$1" check --snapshot "$2") 2>&1 > /dev/null) || status=$?
  case $status in
    0 | 1 | 2) ;;
    127) ;;  # the loader got none for the C library
    3) short=1
       [ "$(wc -l <<< "$said")" = 1 ] && grep -q '^rocvet: there is not enough memory' <<< "$said" ||
         { echo "little_memory.sh: $limit KiB: $said" >&2; exit 1; } ;;
    *) echo "little_memory.sh: $limit KiB: status $status: $said" >&2; exit 1 ;;
  esac
done
[ $short = 1 ] || { echo "little_memory.sh: no limit was too low" >&2; exit 1; }
