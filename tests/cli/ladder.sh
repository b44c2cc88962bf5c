#!/usr/bin/env bash
# ladder.sh ROCVET FAKE-ROCM: rocvet ladder names the rung that is broken: with no ROCm, and with a HIP that works beside an HSA that
# is not there (FAKE-ROCM, empty: this build has none).
set -uo pipefail
rocvet=$1 fake=${2:-}
failures=0 cases=0
# has STATUS PATTERN COMMAND…: the status, and a line of the output that matches.
has() {
  local wanted=$1 pattern=$2 status=0 said
  shift 2
  cases=$((cases + 1))
  said=$("$@" 2>&1 </dev/null) || status=$?
  if [ "$status" != "$wanted" ] || ! grep -qE -e "$pattern" <<<"$said"; then
    echo "$*: status $status, expected $wanted and a line like /$pattern/:"
    head -20 <<<"$said"
    failures=$((failures + 1))
  fi
}
has 3 "'huge' is none of tiny, quick, full" "$rocvet" ladder --size huge
has 3 "time-budget" "$rocvet" ladder --time-budget never
# A machine with a GPU or with ROCm answers for itself.
if [ ! -e /dev/kfd ] && ! ldconfig -p 2>/dev/null | grep -q libhsa-runtime64; then
  has 1 "^the break is at the kernel driver: " "$rocvet" ladder --kfd
  has 1 "^  FAIL +KFD " "$rocvet" ladder --kfd
  [ -z "$fake" ] || has 1 "^HSA \(ROCr\) fails and HIP works: libhsa-runtime64: was not found" \
    env "LD_LIBRARY_PATH=$fake" ROCVET_FAKE_HIP= "$rocvet" ladder
fi
echo "$((cases - failures)) passed, $failures failed"
[ "$failures" = 0 ]
