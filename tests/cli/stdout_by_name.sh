#!/usr/bin/env bash
# stdout_by_name.sh ROCVET SNAPSHOT: a report to /dev/stdout goes to what standard output is, a file too, and leaves /dev/stdout alone.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
before=$(stat -c '%F %i' /dev/stdout)
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
  status=0
  "$1" check --snapshot "$2" --quiet --output "json=$name" > "$scratch/out" || status=$?
  [ "$status" -le 2 ] || { echo "stdout_by_name.sh: $name: status $status" >&2; exit 1; }
  grep -q '"schema": "rocvet.report/' "$scratch/out" || { echo "stdout_by_name.sh: $name: no report in the file" >&2; exit 1; }
done
[ "$(stat -c '%F %i' /dev/stdout)" = "$before" ] || { echo "stdout_by_name.sh: /dev/stdout is another file now" >&2; exit 1; }
