#!/usr/bin/env bash
# snapshot.sh ROCVET: this machine's snapshot replays to the same judgement, and names neither it nor its user.
set -uo pipefail
rocvet=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1795219200 NO_COLOR=1
failures=0

complain() { echo "$*"; failures=$((failures + 1)); }

judgement() { sed -n '/^  "checks"/,$p' "$1"; }

# same_as_live OUT: the snapshot and the machine judged alike. A live machine moves (a disk fills, a build starts): what
# moved between the two is seen when they are taken anew, a real difference stays.
same_as_live() {
  local out=$1 live replayed
  for _ in 1 2 3; do
    rm -rf "${scratch:?}/$out"
    "$rocvet" check --format json >"$scratch/live.json"
    live=$?
    "$rocvet" snapshot "$scratch/$out" >/dev/null || { echo "snapshot $out: status $?" >"$scratch/diff"; return 1; }
    "$rocvet" check --snapshot "$scratch/$out" --format json >"$scratch/$out.json"
    replayed=$?
    diff <(judgement "$scratch/live.json") <(judgement "$scratch/$out.json") >"$scratch/diff" && [ "$replayed" = "$live" ] && return 0
  done
  echo "status $replayed, live $live" >>"$scratch/diff"
  return 1
}

for out in folder packed.tar packed.tar.gz packed.tar.zst; do
  same_as_live "$out" || {
    complain "$out: another judgement than live:"
    head -40 "$scratch/diff"
  }
done
"$rocvet" check --deep --deep-deadline 20 --format json >"$scratch/live.json"
live=$?
"$rocvet" snapshot --deep --deep-deadline 20 "$scratch/deep" >/dev/null || complain "snapshot --deep: status $?"
"$rocvet" check --snapshot "$scratch/deep" --format json >"$scratch/deep.json"
replayed=$?
[ "$replayed" = "$live" ] || complain "--deep: status $replayed, live $live"
for part in '/^  "deep"/,/^  "compatibility"/p' '/^  "checks"/,$p'; do
  diff <(sed -n "$part" "$scratch/live.json") <(sed -n "$part" "$scratch/deep.json") >"$scratch/diff" || {
    complain "--deep: another answer than live:"
    head -40 "$scratch/diff"
  }
done
grep -q '"outcome"' "$scratch/deep.json" || complain "--deep: nothing was recorded"
# What the application printed goes along, without the secrets in it.
printf 'RuntimeError: HIP error: invalid device function\nHF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123456789\n' >"$scratch/said"
"$rocvet" snapshot --log "$scratch/said" "$scratch/told" >/dev/null || complain "snapshot --log: status $?"
grep -q "invalid device function" "$scratch/told/cmd/app.log" || complain "--log: the snapshot does not have it"
"$rocvet" check --snapshot "$scratch/told" >"$scratch/told.txt"
grep -q "RV951" "$scratch/told.txt" || complain "--log: the replay does not read it"
! grep -rq "hf_abcdefghij" "$scratch/told" || complain "--log: a token is in the snapshot"
"$rocvet" snapshot --log "$scratch/nowhere" "$scratch/none" >/dev/null 2>"$scratch/error"
[ $? = 3 ] && [ "$(wc -l <"$scratch/error")" = 1 ] && [ ! -e "$scratch/none" ] || complain "--log of no file: not refused in one line with nothing left"
host=$(uname -n)
if [ "${#host}" -ge 4 ] && [ "$host" != localhost ] && grep -rqF -e "$host" "$scratch/folder"; then
  complain "the host name is in the snapshot: $(grep -rlF -e "$host" "$scratch/folder" | head -3)"
fi
[ "$failures" = 0 ] && echo "5 passed, 0 failed"
[ "$failures" = 0 ]
