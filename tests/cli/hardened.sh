#!/usr/bin/env bash
# hardened.sh BINARY: what makes a fault of memory end the program instead of being used.
set -euo pipefail
headers=$(readelf -hlW "$1") dynamic=$(readelf -dW "$1")
status=0
has() {  # WHAT TEXT PATTERN
  grep -qE "$3" <<< "$2" || { echo "hardened.sh: $1" >&2; status=1; }
}
has_not() {
  ! grep -qE "$3" <<< "$2" || { echo "hardened.sh: $1" >&2; status=1; }
}
has "no position-independent executable" "$headers" 'Type: +DYN'
has "no table is made read-only after the start (GNU_RELRO)" "$headers" 'GNU_RELRO'
has "functions are bound late: their table stays writable" "$dynamic" '(BIND_NOW|Flags:.* NOW)'
has "the stack is executable, or may be" "$headers" 'GNU_STACK.* RW +0x'
has_not "a segment is both writable and executable" "$headers" 'LOAD.* RWE '
has_not "the code is written to at the start (TEXTREL)" "$dynamic" 'TEXTREL'
has_not "libraries are looked for beside the program (RPATH)" "$dynamic" '\((RPATH|RUNPATH)\)'
# The static libraries of the compiler bring some three hundred.
guards=$(objdump -d --no-show-raw-insn "$1" | grep -c '__stack_chk_fail' || true)
[ "$guards" -ge 1000 ] || { echo "hardened.sh: only $guards stacks are guarded (-fstack-protector-strong)" >&2; status=1; }
# The static libraries have five calls of it.
sizes=$(objdump -d --no-show-raw-insn "$1" | grep -c 'call.*__snprintf_chk' || true)
[ "$sizes" -ge 20 ] || { echo "hardened.sh: only $sizes sizes of buffers are checked (_FORTIFY_SOURCE)" >&2; status=1; }
exit $status
