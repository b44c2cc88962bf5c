#!/usr/bin/env bash
# check_time.sh ROCVET SNAPSHOT [OTHER_COMMAND…]: wall time and peak memory of `rocvet check` on a recorded machine (the goal is
# 20 ms and 32 MiB for 8 MI300X in CPX), beside other commands of this machine, such as rocminfo or 'python3 -c pass'.
set -euo pipefail
rocvet=$1 snapshot=$2
shift 2
command -v hyperfine >/dev/null || { echo "check_time.sh: hyperfine is not installed" >&2; exit 3; }
[ -x /usr/bin/time ] || { echo "check_time.sh: /usr/bin/time is not installed" >&2; exit 3; }
export NO_COLOR=1
hyperfine --shell=none --warmup 5 --min-runs 50 --ignore-failure --style basic "$rocvet check --snapshot $snapshot" "$@"
for command in "$rocvet check --snapshot $snapshot" "$@"; do
  # The command line is split on purpose: it is one of the arguments.
  # shellcheck disable=SC2086
  kib=$(/usr/bin/time -f %M $command 2>&1 >/dev/null | tail -1) || true
  echo "peak memory: $((kib / 1024)) MiB ($kib KiB)  $command"
done
