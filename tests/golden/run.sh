#!/usr/bin/env bash
# run.sh ROCVET MACHINE_DIR GOLDEN_DIR: the reports of one example machine against the ones that were read in review.
# ROCVET_UPDATE_GOLDEN=1 writes them anew; read the diff before committing it.
set -euo pipefail
rocvet=$1 machine=$2 golden=$3 name=$(basename "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1795219200 NO_COLOR=1   # 2026-11-21, no duration
# The path of the snapshot is in the JSON: run where it is the same for everybody.
cd "$machine/.."
status=0
"$rocvet" check --snapshot "$name" --output json="$scratch/$name.json" --output junit="$scratch/$name.xml" \
  --output text="$scratch/shared" >"$scratch/$name.txt" || status=$?
# The saved report, converted, is the same report, as it is passed on.
{ "$rocvet" report "$scratch/$name.json" || true; } | diff -u "$scratch/shared" - || { echo "rocvet report of $name.json is not the report"; exit 1; }
echo "exit status $status" >>"$scratch/$name.txt"
# The version changes with every release, the database's with every edit, the stand-in of a hive with the secret of the
# computer that this runs on; none of them is what is tested here.
sed -i -E 's/^( *"(version|db_version|hive)": )"[^"]*"(,?)$/\1"*"\3/' "$scratch/$name.json"
if [ -n "${ROCVET_UPDATE_GOLDEN:-}" ]; then
  cp "$scratch/$name".* "$golden/"
  exit 0
fi
result=0
for kind in txt json xml; do
  [ -f "$golden/$name.$kind" ] || { echo "no golden $name.$kind: run with ROCVET_UPDATE_GOLDEN=1 and review it"; result=1; continue; }
  diff -u "$golden/$name.$kind" "$scratch/$name.$kind" || result=1
done
exit $result
