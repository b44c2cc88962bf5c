#!/usr/bin/env bash
# fleet.sh ROCVET MACHINE…: a file that is no report is named and the others are merged.
set -euo pipefail
rocvet=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir "$scratch/good" "$scratch/mixed"
for machine in "$@"; do
  name=$(basename "$machine")
  "$rocvet" check --snapshot "$machine" --output json="$scratch/$name.json" >/dev/null || continue
  cp "$scratch/$name.json" "$scratch/good/$name-1.json"
  cp "$scratch/$name.json" "$scratch/good/$name-2.json"
done
good=$(find "$scratch/good" -name '*.json' | wc -l)
cp "$scratch/good"/*.json "$scratch/mixed/"
some=$(find "$scratch/good" -name '*.json' | sort | head -1)

# run STATUS ARGUMENTS…: leaves $scratch/out and $scratch/err.
run() {
  local expected=$1 status=0
  shift
  "$rocvet" fleet "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  [ "$status" = "$expected" ] && return
  echo "fleet $*: status $status, expected $expected"
  cat "$scratch/out" "$scratch/err"
  failures=$((failures + 1))
}
# says PATTERN: the last run printed such a line on standard output.
says() {
  grep -qE -e "$1" "$scratch/out" && return
  echo "no line like /$1/ in:"
  cat "$scratch/out"
  failures=$((failures + 1))
}

all_well=0
"$rocvet" fleet "$scratch/good" >/dev/null || all_well=$?
[ "$all_well" = 0 ] || { echo "no example machine is healthy: status $all_well"; exit 1; }

# Each kind of file that is no report, one at a time, among good ones.
head -c 3000 "$some" >"$scratch/truncated.json"
: >"$scratch/empty.json"
head -c 4000 /dev/urandom >"$scratch/garbage.json"
echo '{"schema": "rocvet.diff/1"}' >"$scratch/other.json"
echo '[1, 2]' >"$scratch/list.json"
sed 's/"verdict": "pass"/"verdict": "fine"/' "$some" >"$scratch/verdict.json"
mkfifo "$scratch/fifo.json"
ln -s /nowhere.json "$scratch/dangling.json"
for kind in truncated empty garbage other list verdict fifo dangling; do
  rm -f "$scratch/mixed/bad.json"
  cp -a "$scratch/$kind.json" "$scratch/mixed/bad.json"
  run 2 "$scratch/mixed"
  says "^  .*/mixed/bad.json: ."
  says "^$good machines: .*; not read: 1$"
  run 2 --format json "$scratch/mixed"
  says '"file": ".*/mixed/bad.json"'
  says '"verdict": "unknown"'
  run 3 "$scratch/mixed/bad.json"
  if [ -s "$scratch/out" ] || [ "$(wc -l <"$scratch/err")" != 1 ]; then
    echo "$kind alone: not one line on stderr"
    failures=$((failures + 1))
  fi
done
run 2 "$scratch/good" /nowhere/report.json
says "^  /nowhere/report.json: does not exist$"
run 3 "$scratch/truncated.json" "$scratch/empty.json"
grep -q "truncated.json.*nor could 1 more be read" "$scratch/err" || { cat "$scratch/err"; failures=$((failures + 1)); }

# What failed still fails.
sed '0,/"verdict": "[a-z]*"/s//"verdict": "fail"/' "$some" >"$scratch/failed.json"
run 1 "$scratch/good" "$scratch/failed.json" "$scratch/truncated.json"
echo "$failures failed"
[ "$failures" = 0 ]
