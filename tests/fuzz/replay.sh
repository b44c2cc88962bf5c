#!/bin/sh
# replay.sh FUZZ_REPLAY SEEDS [AMOUNT [SEED]]: makes the seeds, and runs them and what was mended through every target, and then
# inputs that are like them: AMOUNT of each target ("15000"), or for so long in all ("60s"); of a given SEED, or of any (0). One by
# which a target ends is left beside SEEDS.
set -eu
here=$(dirname "$0")
/usr/bin/python3 -B "$here/seeds.py" "$2"
"$1" "$2" "$here/mended"
if [ "${3:-0}" != 0 ]; then "$1" --mutate "$3" "${4:-1}" "$2.found" "$2" "$here/mended"; fi
