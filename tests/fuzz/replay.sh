#!/bin/sh
# replay.sh FUZZ_REPLAY SEEDS: makes the seeds, and runs them and what was mended through every target.
set -eu
here=$(dirname "$0")
/usr/bin/python3 -B "$here/seeds.py" "$2"
exec "$1" "$2" "$here/mended"
