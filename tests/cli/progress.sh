#!/bin/sh
# The progress line: on a terminal, erased at the end; never anywhere else, nor with --quiet.
set -eu
rocvet=$1
if ! command -v script >/dev/null; then
  echo "skipped: no script(1) to make a terminal with"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
escape=$(printf '\033')
run="'$rocvet' test gemm.fp32 bandwidth.copy --device host --size tiny"

script -qec "$run >/dev/null" "$folder/terminal" >/dev/null
grep -q 'self-tests: 0 done · host ' "$folder/terminal" || { echo "no progress on a terminal"; exit 1; }
grep -q 'self-tests: 1 done' "$folder/terminal" || { echo "progress does not count"; exit 1; }
# Behind the last erasure nothing is left to see.
left=$(tr -d '\n' <"$folder/terminal" | sed "s/.*$escape\[K//")
case $left in
  *self-tests*) echo "the line is not erased: $left"; exit 1 ;;
esac

script -qec "$run --quiet >/dev/null" "$folder/quiet" >/dev/null
if grep -q 'self-tests:' "$folder/quiet"; then echo "progress with --quiet"; exit 1; fi

sh -c "$run" >/dev/null 2>"$folder/stderr"
if [ -s "$folder/stderr" ]; then echo "progress on what is no terminal"; cat "$folder/stderr"; exit 1; fi
