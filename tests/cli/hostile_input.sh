#!/usr/bin/env bash
# hostile_input.sh ROCVET [MIB]: input made to exhaust a parser (nested without end, of very many parts, or small and claiming to be
# large) answers with one line on stderr and status 3, within seconds and, where MIB is given, within that much address space.
set -uo pipefail
rocvet=$1 mib=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 cases=0 slowest=0
seconds=5 # of a debug build on a busy machine; a release build takes a tenth of one

# limited ARGUMENTS…: rocvet within the limits.
limited() {
  if [ -n "$mib" ]; then ulimit -v $((mib * 1024)); fi
  exec timeout "$seconds" "$rocvet" "$@"
}

# expect PATTERN ARGUMENTS…: status 3, nothing on stdout, one line on stderr that matches.
expect() {
  local pattern=$1 status=0 began took
  shift
  cases=$((cases + 1))
  began=$(date +%s%N)
  (limited "$@") >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  took=$((($(date +%s%N) - began) / 1000000))
  if [ "$took" -gt "$slowest" ]; then slowest=$took; fi
  if [ "$status" != 3 ] || [ -s "$scratch/out" ] || [ "$(wc -l <"$scratch/err")" != 1 ] || ! grep -qE -e "$pattern" "$scratch/err"; then
    echo "rocvet $*: status $status after $took ms, expected 3 and one line like /$pattern/:"
    head -c 600 "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
  fi
}

# scanned SNAPSHOT: within the limits too, and nothing is wrong with it.
scanned() {
  local status=0
  cases=$((cases + 1))
  (limited scan --snapshot "$1") >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  if [ "$status" -gt 2 ] || [ -s "$scratch/err" ]; then
    echo "rocvet scan --snapshot $1: status $status: $(head -c 600 "$scratch/err")"
    failures=$((failures + 1))
  fi
}

# repeat TEXT BYTES: the text again and again; that head ends the others is no failure.
repeat() { yes "$1" | tr -d '\n' | head -c "$2" || true; }

json=$scratch/json
mkdir "$json"
repeat '[' 40000 >"$json/arrays.json"
repeat '[' 10000000 >"$json/more-arrays.json"
repeat '{"a":' 40000 >"$json/objects.json"
repeat '{"a":' 10000000 >"$json/more-objects.json"
# Deep and whole, where the writer has to go down again; below a key that reports have.
{ printf '{"schema":"rocvet.report/1","verdict":"pass","machine":' && repeat '[' 20000 && repeat ']' 20000 && printf '}'; } >"$json/whole.json"
{ printf '{"schema":"rocvet.report/1","verdict":"pass","more":' && repeat '[' 20000 && repeat ']' 20000 && printf '}'; } >"$json/written.json"
{ printf '{"x":[' && repeat '[],' 10000000 && printf '[]]}'; } >"$json/values.json"
{ printf '{' && seq -f '"%.0f":0,' 1 400000 | tr -d '\n' && printf '"x":0}'; } >"$json/members.json"
for file in "$json"/*.json; do
  name=$(basename "$file")
  case $name in
    values*) what="holds more than 250000 values at byte [0-9]+" ;;
    members*) what="has an object of more than 5000 members at byte [0-9]+" ;;
    *) what="is nested deeper than 64 levels at byte [0-9]+" ;;
  esac
  expect "$name: $what" report "$file"
  expect "$name: $what" fleet "$file"
  expect "$name: $what" diff "$file" "$file"
  expect "$name: $what" test --device host --baseline "$file"
done

toml=$scratch/toml
mkdir "$toml"
{ repeat 'a.' 800000 && printf 'a = 1\n'; } >"$toml/key"
{ printf '[' && repeat 'a.' 800000 && printf 'a]\n'; } >"$toml/header"
{ printf '[[' && repeat '"a".' 800000 && printf 'a]]\n'; } >"$toml/rows"
{ printf 'a = ' && repeat '[' 800000; } >"$toml/arrays"
{ printf 'a = ' && repeat '{a=' 800000; } >"$toml/tables"
{ printf 'a = ' && repeat '{a.a.a=[' 800000; } >"$toml/mixed"
repeat '[' 10000000 >"$toml/brackets"
for file in "$toml"/*; do
  what="[0-9]+:[0-9]+: is nested deeper than 64 levels"
  if [ "$(basename "$file")" = brackets ]; then what=".*larger than [0-9]+ bytes"; fi
  cp "$file" "$toml.policy"
  expect "toml.policy:$what" check --policy "$toml.policy"
  rm -rf "$scratch/db" "$scratch/about" "$scratch/process"
  mkdir -p "$scratch/db/performance" "$scratch/about/files" "$scratch/process/files"
  cp "$file" "$scratch/db/x.toml"
  expect "x.toml(:$what|: is too large)" check --db "$scratch/db"
  mv "$scratch/db/x.toml" "$scratch/db/performance/x.toml"
  expect "x.toml(:$what|: is too large)" check --db "$scratch/db"
  cp "$file" "$scratch/about/about.toml"
  expect "about.toml(:$what|: is too large)" scan --snapshot "$scratch/about"
  printf 'format = 1\n' >"$scratch/process/about.toml"
  cp "$file" "$scratch/process/process.toml"
  expect "process.toml(:$what|: is too large)" scan --snapshot "$scratch/process"
done

# A report of more GPUs than a machine has.
{ printf '{"schema":"rocvet.report/1","verdict":"pass","machine":{"gpus":[' && repeat '{"gfx":"gfx1100"},' 26982 && printf '{}]}}'; } >"$scratch/gpus.json"
for verb in report fleet "plan --to rocm=7.2 --report"; do
  # shellcheck disable=SC2086 # an option stands behind the verb
  expect "gpus.json: /machine/gpus are 1500, more than 1024" $verb "$scratch/gpus.json"
done

# Archives of some KB: a file that claims 3 GiB; many files that together are too much; one that is too large for any fact, which
# keeps nobody from reading the others.
/usr/bin/python3 - "$scratch" <<'P'
import gzip, io, sys, tarfile
scratch = sys.argv[1]
def header(name, size):
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)
def member(name, data): return header(name, len(data)) + data + b"\0" * (-len(data) % 512)
about = member("about.toml", b"format = 1\n")
part = bytes(16 << 20)
with gzip.open(scratch + "/claim.tar.gz", "wb", 1) as out: out.write(about + header("files/proc/cmdline", 3 << 30) + part)
with gzip.open(scratch + "/many.tar.gz", "wb", 1) as out:
    out.write(about)
    for i in range(10): out.write(header(f"files/{i}", len(part)) + part)
with gzip.open(scratch + "/large.tar.gz", "wb", 1) as out:
    out.write(about + header("files/proc/cmdline", 10 * len(part)))
    for i in range(10): out.write(part)
    out.write(member("files/etc/hostname", b"x\n"))
P
expect "claim.tar.gz: more than 1024 MiB when unpacked" scan --snapshot "$scratch/claim.tar.gz"
if [ -n "$mib" ]; then mib=$((mib + 128)); fi # of which so much may be held
expect "many.tar.gz: more than 128 MiB when unpacked" scan --snapshot "$scratch/many.tar.gz"
scanned "$scratch/large.tar.gz"

# Very many folders that are said to be complete: each question is about one path, not about all of them.
mkdir -p "$scratch/complete/files"
{ printf 'format = 1\ncomplete = [' && seq -f '"/x/%.0f",' 1 40000 && printf ']\n'; } >"$scratch/complete/about.toml"
scanned "$scratch/complete"

echo "$((cases - failures)) passed, $failures failed; the slowest took $slowest ms"
[ "$failures" = 0 ]
