#!/usr/bin/env bash
# little_memory.sh ROCVET SNAPSHOT: whatever memory there is, the program works, or says in one line that it is not enough.
set -euo pipefail
program=0  # KiB of address space
while read -r size; do program=$((program + size / 1024)); done < <(readelf -lW "$1" | awk '$1 == "LOAD" { print $6 }')
short=0
for more in $(seq 1000 500 16000); do  # KiB beside the program itself
  status=0
  said=$( (ulimit -v $((program + more)) && exec "$1" check --snapshot "$2") 2>&1 > /dev/null) || status=$?
  case $status in
    0 | 1 | 2) break ;;
    127 | 137) ;;  # the loader got none for the C library, the kernel none for the program
    3) short=1
       [ "$(wc -l <<< "$said")" = 1 ] && grep -q '^rocvet: there is not enough memory' <<< "$said" ||
         { echo "little_memory.sh: $more KiB: $said" >&2; exit 1; } ;;
    *) echo "little_memory.sh: $more KiB: status $status: $said" >&2; exit 1 ;;
  esac
done
[ $short = 1 ] || { echo "little_memory.sh: no limit was too low" >&2; exit 1; }
