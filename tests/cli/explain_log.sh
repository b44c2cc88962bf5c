#!/usr/bin/env bash
# explain_log.sh ROCVET: what a pasted text says is told with no machine beside it: messages, causes, and the one next step.
set -uo pipefail
rocvet=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 cases=0

# says PATTERN…: the explanation of standard input has a line like each; of "!PATTERN" it has none.
says() {
  local status=0
  cat >"$scratch/log"
  "$rocvet" explain --log "$scratch/log" >"$scratch/out" 2>"$scratch/err" || status=$?
  for pattern in "$@"; do
    cases=$((cases + 1))
    local wanted=0
    [ "${pattern#!}" = "$pattern" ] || wanted=1
    grep -qE -e "${pattern#!}" "$scratch/out"
    if [ "$?" != "$wanted" ] || [ "$status" != 0 ]; then
      echo "status $status, expected /$pattern/ of:"
      cat "$scratch/log" "$scratch/out" "$scratch/err"
      failures=$((failures + 1))
    fi
  done
}

says 'ERROR PyTorch: the framework' 'line: RuntimeError: HIP error: invalid device function' '%  gfx-not-in-torch-wheel' 'it is, if: ' '^next: ' <<'EOF'
Loading the model
RuntimeError: HIP error: invalid device function
EOF
# A cause of which nothing was seen but the words of another is not put in that one's place.
says '^ *[0-9]+ %  gfx-not-in-rocblas' <<'EOF'
rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1103
EOF
[ "$(grep -oE '%  [a-z-]+' "$scratch/out" | head -1)" = "%  gfx-not-in-rocblas" ] || { echo "gfx-not-in-rocblas is not first"; failures=$((failures + 1)); }
# The kernel's words, and what no fault brings about.
says 'ERROR kernel: ' 'line: .*ring gfx_0.0.0 timeout' <<'EOF'
[ 1234.500000] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3
EOF
says 'note  linker: ' 'nothing of the GPU stack is to be mended' '!%' '!ERROR' <<'EOF'
ld.lld: error: undefined symbol: main
EOF
says 'an error that rocvet does not know' 'AMD_LOG_LEVEL=3' '!%' <<'EOF'
FATAL: the frobnicator of this program failed with code 77
EOF
says 'no line says that something failed' 'give the lines around the failure' <<'EOF'
Hello.
EOF
says 'no line says that something failed' </dev/null
# In a container or under WSL it may have been all the same: nobody has looked.
says 'apptainer-rocm-binds-host-libs' <<'EOF'
rocBLAS error: Cannot read /.singularity.d/libs/rocblas/library/TensileLibrary.dat: Illegal seek
EOF
# Foreign bytes are told as escapes.
printf 'RuntimeError: No HIP GPUs are available\x1b]0;owned\x07\x9b31m\n' | says 'ERROR' '!owned.*[[:cntrl:]]'

cases=$((cases + 1))
echo 'RuntimeError: No HIP GPUs are available' | "$rocvet" explain --log - --format json >"$scratch/out" || { echo "--log -: status $?"; failures=$((failures + 1)); }
python3 - "$scratch/out" <<'EOF' || failures=$((failures + 1))
import json, sys
report = json.load(open(sys.argv[1]))
assert report["schema"] == "rocvet.explanation/1", report
assert report["messages"][0]["fault"] and report["messages"][0]["line"] == "RuntimeError: No HIP GPUs are available", report
assert 0 < sum(cause["probability"] for cause in report["causes"]) <= 1, report
assert all(cause["steps"] and cause["id"] for cause in report["causes"]) and report["next"], report
EOF
echo "$((cases - failures)) passed, $failures failed"
[ "$failures" = 0 ]
