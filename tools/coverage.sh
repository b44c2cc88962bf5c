#!/usr/bin/env bash
# coverage.sh [BUILD] [CTEST_ARGUMENT…]: which lines the tests run, by folder, least first. Builds with clang's source-based
# coverage and the sanitizers for addresses and undefined behaviour into BUILD (default build/coverage), runs ctest, prints a
# table and the files of which least is run. Device code, kernels and the tests themselves do not count. Counters are mapped
# from the start (-fprofile-continuous), so a process that gave up writing files (cli/reader.h) counts too. A fault ends a process
# by its signal, as it does without the sanitizers.
# SANITIZE=OFF leaves the sanitizers out. CXX, CC: a clang with its profile runtime (Debian: libclang-rt-NN-dev). JOBS: default 2.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/coverage}
shift || true
mkdir -p "$build"
build=$(cd "$build" && pwd)
CXX=${CXX:-clang++-22} CC=${CC:-clang-22}
tools=$(dirname "$(readlink -f "$(command -v "$CXX")")")
jobs=${JOBS:-2}

cmake -G Ninja -S "$root" -B "$build" "-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_C_COMPILER=$CC" -DCMAKE_BUILD_TYPE= \
  "-DCMAKE_CXX_FLAGS=-O1 -gline-tables-only -fprofile-instr-generate -fcoverage-mapping -fprofile-continuous" \
  "-DROCVET_SANITIZE=${SANITIZE:-ON}" "-DROCVET_GPU_TARGETS=gfx942;gfx1100" -DROCVET_CUDA_ARCHITECTURES= > "$build.configure.log" 2>&1 ||
  { cat "$build.configure.log" >&2; exit 2; }
cmake --build "$build" -j "$jobs" > "$build.build.log" 2>&1 || { tail -n 40 "$build.build.log" >&2; exit 2; }

rm -rf "$build/profiles"
mkdir "$build/profiles"
status=0
LLVM_PROFILE_FILE="$build/profiles/%8m%c.profraw" ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0 \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
  ctest --test-dir "$build" -j "$jobs" --output-on-failure "$@" > "$build.tests.log" 2>&1 || status=$?
tail -n 12 "$build.tests.log"

"$tools/llvm-profdata" merge -sparse -o "$build/all.profdata" "$build"/profiles/*.profraw
objects=()
while read -r file; do objects+=(-object "$file"); done < <(find "$build" -type f -perm -u+x \
  \( -name rocvet -o -name '*_tests' -o -name fault_matrix -o -name fuzz_replay \) | sort)
"$tools/llvm-cov" export -summary-only -instr-profile "$build/all.profdata" "${objects[@]}" |
  python3 "$root/tools/coverage_table.py" "$root" "$build"
exit $status
