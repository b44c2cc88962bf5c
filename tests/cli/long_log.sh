#!/usr/bin/env bash
# long_log.sh ROCVET SNAPSHOT: a log of four MiB, whatever is in it, is judged within seconds, as the application's (--log), as the
# one in a snapshot, and as the kernel's; and what stands at its end is seen.
set -uo pipefail
rocvet=$1 machine=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 cases=0 slowest=0
seconds=30 # of a debug build on a busy machine; matching that is not linear takes minutes
bytes=$((4 << 20))

# judge NAME ARGUMENTS…: ends in time, and the report names invalid-device-function's line or the kernel's fault.
judge() {
  local name=$1 wanted=$2 status=0 began took
  shift 2
  cases=$((cases + 1))
  began=$(date +%s%N)
  timeout "$seconds" "$rocvet" check "$@" --format json >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  took=$((($(date +%s%N) - began) / 1000000))
  if [ "$took" -gt "$slowest" ]; then slowest=$took; fi
  if [ "$status" -gt 2 ] || ! grep -q "$wanted" "$scratch/out"; then
    echo "$name: status $status after $took ms, expected a report with '$wanted'"
    head -c 600 "$scratch/err"
    failures=$((failures + 1))
  fi
}

app='HIP error: invalid device function'
kernel='[ 9999.000001] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32770)'
cp -r "$machine" "$scratch/machine"
for kind in newlines blanks letters one-line distinct repeated; do
  case $kind in
    newlines) yes '' | head -c $bytes ;;
    blanks) yes ' ' | tr -d '\n' | head -c $bytes ;;
    letters) yes a | head -c $bytes ;;
    one-line) yes x | tr -d '\n' | head -c $bytes ;;
    distinct) seq 1 700000 | head -c $bytes ;;
    repeated) yes "[ 1234.500000] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3" | head -c $bytes ;;
  esac >"$scratch/log"
  { cat "$scratch/log" && printf '\n%s\n' "$app"; } >"$scratch/app.log"
  judge "--log, $kind" "$app" --snapshot "$machine" --log "$scratch/app.log"
  cp "$scratch/app.log" "$scratch/machine/cmd/app.log"
  judge "app.log of a snapshot, $kind" "$app" --snapshot "$scratch/machine"
  rm "$scratch/machine/cmd/app.log"
  { cat "$scratch/log" && printf '\n%s\n' "$kernel"; } >"$scratch/machine/cmd/dmesg"
  judge "dmesg of a snapshot, $kind" 'page fault' --snapshot "$scratch/machine"
  cp "$machine/cmd/dmesg" "$scratch/machine/cmd/dmesg"
done
echo "$((cases - failures)) passed, $failures failed; the slowest took $slowest ms"
[ "$failures" = 0 ]
