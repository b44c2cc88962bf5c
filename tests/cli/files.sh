#!/usr/bin/env bash
# files.sh ROCVET: what is written goes where it was asked for, through no link that lies there, and a snapshot is
# for its owner alone.
set -uo pipefail
rocvet=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export NO_COLOR=1
failures=0

complain() { echo "$*"; failures=$((failures + 1)); }
victim() { echo untouched >"$scratch/victim"; }
unharmed() { grep -qsx untouched "$scratch/victim" || complain "$1: wrote through a link"; }
mode() { stat -c %a "$1"; }

shared=$scratch/shared
mkdir "$shared" && chmod 1777 "$shared"
umask 022

for name in s.tar.gz s.tar.zst s.tar folder; do
  out=$shared/$name
  # The name that a temporary file beside it once had; exec keeps the process id.
  victim
  bash -c 'ln -s "$2/victim" "$1.part-$$"; exec "$3" snapshot "$1"' - "$out" "$scratch" "$rocvet" >/dev/null 2>"$scratch/err" ||
    complain "$name: $(cat "$scratch/err")"
  unharmed "$name, link at a temporary name"
  [ -L "$out" ] && complain "$name: is a link"
  left=$(find "$shared" -maxdepth 1 \( -name "$name.??????" -o -name "$name.part-*" \) ! -type l)
  [ -z "$left" ] || complain "$name: left $left behind"
  rm -f "$shared"/*.part-*
done
[ "$(mode "$shared/s.tar.gz")" = 600 ] || complain "s.tar.gz: mode $(mode "$shared/s.tar.gz")"
[ "$(mode "$shared/folder")" = 700 ] || complain "folder: mode $(mode "$shared/folder")"
open=$(find "$shared/folder" \( -type f ! -perm 600 -o -type d ! -perm 700 \) | head -3)
[ -z "$open" ] || complain "folder: others may read $open"

for name in t.tar.gz t.tar t; do
  victim
  ln -s "$scratch/victim" "$shared/$name"
  "$rocvet" snapshot "$shared/$name" >"$scratch/out" 2>"$scratch/err"
  [ $? = 3 ] || complain "$name: not refused though a link has that name"
  grep -q "already exists" "$scratch/err" || complain "$name: $(cat "$scratch/err")"
  [ "$(wc -l <"$scratch/err")" = 1 ] || complain "$name: not one line: $(cat "$scratch/err")"
  unharmed "$name, link at the target"
  [ -L "$shared/$name" ] || complain "$name: the link was replaced"
  ln -sfn "$scratch/nowhere" "$shared/$name"
  "$rocvet" snapshot "$shared/$name" >/dev/null 2>&1 && complain "$name: followed a link to nothing"
  [ -e "$scratch/nowhere" ] && complain "$name: made what a link named"
done

mkdir "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$shared/d"
"$rocvet" snapshot "$shared/d" >/dev/null 2>&1 && complain "d: took a link to a folder"
[ -z "$(ls -A "$scratch/elsewhere")" ] || complain "d: wrote into what a link led to"

# Reports: in the place of a link, not through it.
victim
ln -s "$scratch/victim" "$scratch/report.json"
"$rocvet" check --only nomodeset --output json="$scratch/report.json" >/dev/null 2>&1
unharmed report.json
[ -L "$scratch/report.json" ] && complain "report.json: still a link"
[ "$(mode "$scratch/report.json")" = 644 ] || complain "report.json: mode $(mode "$scratch/report.json")"
"$rocvet" check --only nomodeset --output json=/dev/stdout 2>/dev/null | cat >"$scratch/piped"
grep -q '"schema"' "$scratch/piped" || complain "/dev/stdout is not written to"
if [ "$(id -u)" = 0 ]; then  # a device is written to in place, but not because somebody else's link names it
  ln -s /dev/null "$scratch/planted.json" && chown -h 65534 "$scratch/planted.json"
  "$rocvet" check --only nomodeset --output json="$scratch/planted.json" >/dev/null 2>&1
  [ -f "$scratch/planted.json" ] || complain "planted.json: went where another user's link leads"
fi

[ "$failures" = 0 ] && echo "1 passed, 0 failed"
[ "$failures" = 0 ]
