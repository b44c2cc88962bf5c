#!/usr/bin/env bash
# snapshot.sh ROCVET: this machine's snapshot replays to the same judgement, and names neither it nor its user.
set -uo pipefail
rocvet=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1795219200 NO_COLOR=1
failures=0

complain() { echo "$*"; failures=$((failures + 1)); }

"$rocvet" check --format json >"$scratch/live.json"
live=$?
for out in folder packed.tar packed.tar.gz packed.tar.zst; do
  "$rocvet" snapshot "$scratch/$out" >/dev/null || { complain "snapshot $out: status $?"; continue; }
  "$rocvet" check --snapshot "$scratch/$out" --format json >"$scratch/$out.json"
  replayed=$?
  [ "$replayed" = "$live" ] || complain "$out: status $replayed, live $live"
  diff <(sed -n '/^  "checks"/,$p' "$scratch/live.json") <(sed -n '/^  "checks"/,$p' "$scratch/$out.json") >"$scratch/diff" || {
    complain "$out: another judgement than live:"
    head -40 "$scratch/diff"
  }
done
host=$(uname -n)
if [ "${#host}" -ge 4 ] && [ "$host" != localhost ] && grep -rqF -e "$host" "$scratch/folder"; then
  complain "the host name is in the snapshot: $(grep -rlF -e "$host" "$scratch/folder" | head -3)"
fi
[ "$failures" = 0 ] && echo "4 passed, 0 failed"
[ "$failures" = 0 ]
