#!/usr/bin/env bash
# run.sh [SECONDS_PER_TARGET] [BUILD] [TARGET…]: builds the fuzz targets with clang's libFuzzer and the sanitizers for addresses
# and undefined behaviour, and runs each. A table goes to stdout; status 1 when an input crashes a target, violates a property, or
# takes too long or too much memory. Such inputs are kept in BUILD/fuzz/found/TARGET.
#
# SECONDS_PER_TARGET: default (or 0) is a minute for all together. BUILD: default build/fuzz. What is found grows in
# BUILD/fuzz/corpus, from where the next run goes on. CXX, CC: clang with libFuzzer (Debian: libclang-rt-NN-dev); default the
# newest that has it. JOBS: of the build, default 1.
#
# In CI, where clang's libFuzzer is at hand and time allows, after ./bootstrap test:
#   tests/fuzz/run.sh --can && tests/fuzz/run.sh
# Without it the inputs that were found once, and the seeds, run under every compiler all the same: ctest -R fuzz.replay.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

has_libfuzzer() {
  local probe
  probe=$(mktemp -d)
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$probe/probe.cpp"
  local status=0
  "$1" -fsanitize=fuzzer,address,undefined -o "$probe/probe" "$probe/probe.cpp" 2> /dev/null || status=1
  rm -rf "$probe"
  return $status
}

if [ -z "${CXX:-}" ]; then
  for version in 22 21 20 19 18 17 ""; do
    candidate=clang++${version:+-$version}
    if command -v "$candidate" > /dev/null && has_libfuzzer "$candidate"; then
      CXX=$(command -v "$candidate") CC=$(command -v "clang${version:+-$version}")
      break
    fi
  done
fi
if [ -z "${CXX:-}" ]; then
  echo "run.sh: no clang with libFuzzer (Debian: apt install clang-19 libclang-rt-19-dev)" >&2
  exit 77
fi
[ "${1:-}" = --can ] && exit 0

seconds=${1:-0}
build=${2:-$root/build/fuzz}
[ $# -gt 2 ] && wanted=("${@:3}") || wanted=()

# A target as cmake has it: the name of its file without _fuzz.cpp.
all=()
for file in "$here"/*_fuzz.cpp; do
  name=$(basename "$file" _fuzz.cpp)
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || continue
  all+=("$name")
done
[ ${#all[@]} -gt 0 ] || { echo "run.sh: no such target" >&2; exit 2; }
[ "$seconds" -gt 0 ] || seconds=$(( (60 + ${#all[@]} - 1) / ${#all[@]} ))

# -O1: a sanitizer's build at -O0 is slow to run, at -O2 slow to build. Device code of one target, for the self-tests' library.
cmake -G Ninja -S "$root" -B "$build" -DROCVET_FUZZ=ON -DCMAKE_BUILD_TYPE= "-DCMAKE_CXX_FLAGS=-O1 -gline-tables-only" \
  "-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_C_COMPILER=${CC:-clang}" -DROCVET_GPU_TARGETS=gfx942 \
  -DROCVET_CUDA_ARCHITECTURES= > "$build.configure.log" 2>&1 || { cat "$build.configure.log" >&2; exit 2; }
nice -n 10 cmake --build "$build" -j "${JOBS:-1}" --target "${all[@]/%/_fuzz}" >&2
python3 -B "$here/seeds.py" "$build/fuzz/seeds"

# Inputs longer than a file of the kind often is find little more and cost time.
longest() {
  case $1 in
    report | snapshot | elf | code_objects | compressed | update) echo 32768 ;;
    shell_word | printable) echo 512 ;;
    *) echo 4096 ;;
  esac
}

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}

status=0
printf '%-14s %10s %7s %7s %8s  %s\n' target executions cov ft seconds found
for name in "${all[@]}"; do
  corpus=$build/fuzz/corpus/$name found=$build/fuzz/found/$name log=$build/fuzz/$name.log
  rm -rf "$found"
  mkdir -p "$corpus" "$found" "$here/mended/$name" "$build/fuzz/seeds/$name"
  begin=$(date +%s)
  result=0
  nice -n 10 "$build/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -max_len="$(longest "$name")" \
    -print_final_stats=1 -reload=0 -seed=$((begin % 1000000)) -artifact_prefix="$found/" \
    "$corpus" "$build/fuzz/seeds/$name" "$here/mended/$name" > "$log" 2>&1 || result=$?
  rmdir --ignore-fail-on-non-empty "$here/mended/$name"
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  reached=$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -1 || true)
  cov=$(awk '{print $2}' <<< "$reached") ft=$(awk '{print $4}' <<< "$reached")
  what=-
  if [ $result -ne 0 ]; then
    status=1
    what=$(grep -m1 -oE 'property violated: .*|ERROR: (AddressSanitizer|LeakSanitizer|libFuzzer): [^(]*|runtime error: .*' "$log" ||
      echo "status $result")
  fi
  printf '%-14s %10s %7s %7s %8s  %s\n' "$name" "${runs:-0}" "${cov:--}" "${ft:--}" $(($(date +%s) - begin)) "$what"
done
[ $status -eq 0 ] || echo "run.sh: logs are $build/fuzz/TARGET.log, inputs in $build/fuzz/found/TARGET" >&2
exit $status
