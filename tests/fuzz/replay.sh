#!/bin/sh
# replay.sh FUZZ_REPLAY SEEDS [SECONDS [SEED]]: makes the seeds, and runs them and what was mended through every target, and then
# for so long inputs that are like them: the same each time, or of another SEED (0: any). One by which a target ends is left
# beside SEEDS.
set -eu
here=$(dirname "$0")
/usr/bin/python3 -B "$here/seeds.py" "$2"
"$1" "$2" "$here/mended"
if [ "${3:-0}" -gt 0 ]; then "$1" --mutate "$3" "${4:-1}" "$2.found" "$2" "$here/mended"; fi
