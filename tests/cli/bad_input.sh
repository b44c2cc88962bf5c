#!/usr/bin/env bash
# bad_input.sh ROCVET MACHINE: every kind of bad input answers with one line on stderr, status 3 and nothing half-written.
set -uo pipefail
rocvet=$1 machine=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 cases=0

# expect PATTERN ARGUMENTS…: status 3, nothing on stdout, one line on stderr that matches.
expect() {
  local pattern=$1 status=0
  shift
  cases=$((cases + 1))
  "$rocvet" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  if [ "$status" != 3 ] || [ -s "$scratch/out" ] || [ "$(wc -l <"$scratch/err")" != 1 ] || ! grep -qE -e "$pattern" "$scratch/err"; then
    echo "rocvet $*: status $status, expected 3 and one line like /$pattern/:"
    cat "$scratch/out" "$scratch/err"
    failures=$((failures + 1))
  fi
}

expect "unknown verb 'chek'.*did you mean 'check'" chek
expect "unknown option '--fromat'.*did you mean '--format'" check --fromat json
expect "unknown option '--zzz'" scan --zzz
expect "unknown format 'jsn'.*did you mean 'json'" check --format jsn
expect "FORMAT=FILE" check --output report.json
expect "nothing to list under 'check'.*did you mean 'checks'" list check
expect "no check, self-test or root cause 'no-such-thing-at-all'" explain no-such-thing-at-all
expect "did you mean '.*'" explain kfd-not-accesible
expect "/nowhere/at/all" check --snapshot /nowhere/at/all
expect "no check matches 'no-such-check'" check --only no-such-check
expect "bandwith.copy.*did you mean 'bandwidth.copy'" test bandwith.copy --device host
expect "device" test --device toaster:0
expect "none of tiny, quick, full" test --size huge --device host
expect "not a duration" test --time-budget soon --device host
for duration in soon 90 1h30 1m1h 0s 0m -5m 1.5h 5d 1hh s 99999999999s 1e3s; do
  expect "--for: '$duration' is not a duration such as 90s, 15m, 1h or 2h30m" test --for "$duration" --device host
done
expect "'8760h' is more than a week" run --for 8760h --device host
expect "--for: .*is empty" test --for "" --device host
expect "excludes" test --for 5s --time-budget 5s --device host
expect "unknown option '--for'" calibrate --for 5s
expect "name the --device" run --for 5s --snapshot "$machine"
expect "no GPU 'nosuch'" expect --gpu nosuch
expect "clock" expect --gpu MI300X --clock -5
expect "excludes" expect --gpu MI300X --clock 1000 --no-clock
expect "no self-test that has a speed" expect --gpu MI300X --test memory.alloc
expect "exclude each other" expect --gpu MI300X --snapshot "$machine"
expect "not a size" test --transfer-size huge --device host
expect "not a size" test --transfer-size 1 --device host
expect "unexpected argument 'extra'" scan extra
expect "--to is required" plan
expect "did you mean 'rocm'" plan --to rokm=6.2
expect "names no version" plan --to rocm
expect "has a character that no version has" plan --to 'kernel=6.8;id'
expect "takes text or json" plan --to rocm=6.2 --format html
expect "/nowhere/at/all" plan --to rocm=6.2 --snapshot /nowhere/at/all
expect "is not JSON" plan --to rocm=6.2 --report "$0"
expect "is no version" advise --gpu gfx1100 --python 3.x
expect "not a version" advise --gpu gfx1100 --framework pytorch=abc
expect "nothing is known of 'mxnet'" advise --gpu gfx1100 --framework mxnet
expect "none of bare-metal, esxi, kvm, wsl" compat --platform moon
expect "--questions excludes --python" compat --questions - --python 3.12
expect "takes a file to write" db key
expect "cannot write" db key /nowhere/at/all
expect "takes the archive's file" db install
expect "is no database archive" db install "$0"
expect "not a regular file" db install /dev/zero
expect "takes --sign KEYFILE too" db export "$scratch" --archive "$scratch/a"
echo short >"$scratch/short"
expect "is no secret key" db export "$scratch" --archive "$scratch/a" --sign "$scratch/short"
expect "explain: name a check, a self-test or a root cause, or give --log FILE" explain
expect "/nowhere/at/all" explain --log /nowhere/at/all
expect "excludes" explain RV102 --log /nowhere/at/all
expect "takes text or json, not .xml." explain --log /dev/null --format xml
expect "needs|requires" explain RV102 --format json
expect "list: what is required" list
expect "check: --format" check --format
expect "--snapshot" check --snapshot ""
expect "--snapshot" check --snapshot a --snapshot b
expect "unknown option '--snapshto'.*did you mean '--snapshot'" --snapshto x
expect "excludes" run --demo --snapshot x
expect "/nowhere/venv" check --python /nowhere/venv
expect "no Python environment is there" scan --python "$scratch"
expect "is no Python program" scan --python "$0"
expect "/bin/sh" check --python /bin/sh
expect "--python" check --python ""
expect "/nowhere/app.log" check --log /nowhere/app.log
expect "$scratch: cannot be read" check --log "$scratch"

# A file of questions: file and line, what is wrong.
expect "/nowhere/questions" compat --questions /nowhere/questions
expect "there is no question in it" compat --questions -
expect "excludes" compat --questions - --gpu gfx1100
printf '{"gpu": "gfx1100"}\n\n["gfx1100"]\n' >"$scratch/questions"
expect "questions:3: a question is an object" compat --questions "$scratch/questions"
printf '{"gpus": "gfx1100"}\n' >"$scratch/questions"
expect "questions:1: nothing is asked by 'gpus'.*did you mean 'gpu'" compat --questions "$scratch/questions"
printf '{"gpu": 1100}\n' >"$scratch/questions"
expect "questions:1: 'gpu' is no text" compat --questions "$scratch/questions"
printf '{}\n' >"$scratch/questions"
expect "questions:1: nothing is asked" compat --questions "$scratch/questions"
printf '{"gpu": "gfx1100"\n' >"$scratch/questions"
expect "questions:1: " compat --questions "$scratch/questions"

# What a site lays over the database is checked as the build checks the rest: place, and what is wrong.
mkdir "$scratch/site"
site_row='id = "site-x"
title = "x"
definition = "x"
action = "configure"
source = "our site"
checked = 2026-11-20'
bad_row() {
  printf '%b' "$2" >"$scratch/site/cause.toml"
  expect "$1" check --db "$scratch/site" --snapshot "$machine"
  expect "$1" scan --db "$scratch/site" --snapshot "$machine"
  expect "$1" run --db "$scratch/site" --snapshot "$machine"
  expect "$1" test --db "$scratch/site" --device host
  expect "$1" advise --db "$scratch/site" --gpu gfx1100
  expect "$1" compat --db "$scratch/site" --gpu gfx1100
  expect "$1" compat --db "$scratch/site" --snapshot "$machine"
  expect "$1" db export --db "$scratch/site"
}
event='id = "site-e"
component = "gfx"
topic = "execution"
severity = "error"
means = "x"
via = "dev_err"
source = "our site"
checked = 2026-11-20'
bad_row "site/cause.toml:2:1: .*no cause 'no-such-thing'" "schema = 1\n[[cause]]\n$site_row\nexplains = \"no-such-thing\"\n"
bad_row "site/cause.toml:[0-9]+:[0-9]+: .*no observation 'kfd-not-accesible'" \
  "schema = 1\n[[cause]]\n$site_row\nsign = [{saw = \"kfd-not-accesible\", shows = \"always\", group = \"a\"}]\n"
bad_row "site/cause.toml:2:1: .*'ring \\{a:nothing\\}" "schema = 1\n[[event]]\n$event\ntext = \"ring {a:nothing} timeout\"\nhit = \"ring x timeout\"\n"
bad_row "site/cause.toml:2:1: '\\*' would be every line" \
  "schema = 1\n[[text]]\nid = \"site-t\"\nprose = true\ntext = \"*\"\nfrom = \"x\"\nmeans = \"x\"\nsource = \"our site\"\nchecked = 2026-11-20\n"

: >"$scratch/not-a-snapshot"
expect "not-a-snapshot" scan --snapshot "$scratch/not-a-snapshot"
expect "not-a-snapshot: is not JSON" report "$scratch/not-a-snapshot"
expect "/nowhere.json: does not exist" report /nowhere.json
expect "/nowhere.json: does not exist" diff /nowhere.json /nowhere.json
expect "after is required" diff /nowhere.json
expect "takes text or json, not 'html'" diff a b --format html
expect "path is required" fleet
printf '{"schema": "rocvet.report/1", "verdict": "fine"}' >"$scratch/verdict.json"
expect "verdict.json: /verdict is no verdict: 'fine'" fleet "$scratch/verdict.json"
expect "/nowhere.toml: does not exist" check --policy /nowhere.toml
printf 'policy = 1\n[expect]\nkernl = "x"\n' >"$scratch/policy.toml"
expect "policy.toml:3:9: unknown key 'kernl'.*did you mean 'kernel'" run --policy "$scratch/policy.toml"
expect "not-a-snapshot: is not JSON" test --device host --baseline "$scratch/not-a-snapshot"
mkdir "$scratch/empty"
expect "empty: holds no .json file" fleet "$scratch/empty"
expect "empty" scan --snapshot "$scratch/empty"
printf 'this is no archive' >"$scratch/bad.tar.zst"
expect "bad.tar.zst" scan --snapshot "$scratch/bad.tar.zst"
mkdir -p "$scratch/broken/files"
printf 'format = = 1\n' >"$scratch/broken/about.toml"
expect "about.toml:1:" scan --snapshot "$scratch/broken"
mkdir -p "$scratch/newer/files"
printf 'format = 99\n' >"$scratch/newer/about.toml"
expect "format" scan --snapshot "$scratch/newer"
printf 'format = 1\n' >"$scratch/about.toml"
tar -C "$scratch" -cPf "$scratch/escape.tar" --transform 's,^about.toml,../about.toml,' about.toml
expect "escape.tar.*leaves the archive" scan --snapshot "$scratch/escape.tar"
mkdir -p "$scratch/index/files"
cp "$scratch/about.toml" "$scratch/index/"
printf 'kind\tpath\tmode\tuid\tgid\towner\tgroup\textra\nfile\t/a/../../etc/passwd\t0644\t0\t0\troot\troot\t1\n' >"$scratch/index/index.tsv"
expect "index.tsv:2: not a clean absolute path" scan --snapshot "$scratch/index"
printf 'file\t/a\n' >"$scratch/index/index.tsv"
expect "index.tsv:1: expected 8 columns" scan --snapshot "$scratch/index"
rm "$scratch/index/index.tsv" "$scratch/index/about.toml"
mkfifo "$scratch/index/about.toml"
expect "about.toml" scan --snapshot "$scratch/index"
mkdir -p "$scratch/process/files"
cp "$scratch/about.toml" "$scratch/process/"
printf 'uid = "root"\n' >"$scratch/process/process.toml"
expect "process.toml:1:" scan --snapshot "$scratch/process"
mkdir "$scratch/db"
printf '[[gpu]\n' >"$scratch/db/x.toml"
expect "x.toml:1:" check --db "$scratch/db"
expect "/nowhere" check --db /nowhere
expect "/nowhere/report.json" scan --output json=/nowhere/report.json
expect "directory" scan --output "json=$scratch/db"

# What was asked for and could not be printed: one line, status 3; also of help, and where nothing is open to print to.
unprinted() {
  local out=$1 status=0
  shift
  cases=$((cases + 1))
  if [ "$out" = closed ]; then
    "$rocvet" "$@" >&- 2>"$scratch/err" || status=$?
  else
    "$rocvet" "$@" >"$out" 2>"$scratch/err" || status=$?
  fi
  if [ "$status" != 3 ] || [ "$(wc -l <"$scratch/err")" != 1 ] || ! grep -q "standard output: cannot write" "$scratch/err"; then
    echo "rocvet $*, standard output $out: status $status, expected 3: $(cat "$scratch/err")"
    failures=$((failures + 1))
  fi
}
for out in /dev/full closed; do
  if [ "$out" != closed ] && [ ! -w "$out" ]; then continue; fi
  unprinted "$out" --help
  unprinted "$out" --version
  unprinted "$out" check --help
  unprinted "$out" db export --help
  unprinted "$out" list gpus
  unprinted "$out" explain RV102
  unprinted "$out" scan
done

# A limit on the size of files ends in a complaint, not in a signal, and leaves no half file.
for blocks in 0 1; do
  cases=$((cases + 1)) status=0
  said=$( (ulimit -f "$blocks" && exec "$rocvet" check --snapshot "$machine" --output "json=$scratch/limited.json") 2>&1 >/dev/null) || status=$?
  if [ "$status" != 3 ] || [[ "$said" != *"limited.json: cannot write: File too large" ]] || compgen -G "$scratch/limited.json*" >/dev/null; then
    echo "ulimit -f $blocks: status $status, expected 3 and no file: $said"
    failures=$((failures + 1))
  fi
done

# What is quoted of a long argument or field is an excerpt.
long=$(head -c 100000 /dev/zero | tr '\0' x)
printf '{"schema": "rocvet.report/1", "verdict": "%s"}' "$long" >"$scratch/long.json"
brief() {
  expect "$@"
  if [ "$(wc -c <"$scratch/err")" -gt 600 ]; then
    echo "a message of $(wc -c <"$scratch/err") bytes: $(head -c 100 "$scratch/err")"
    failures=$((failures + 1))
  fi
}
brief "unknown verb 'xxx.*xxx' \(rocvet --help lists them\)" "$long"
brief "no check, self-test or root cause 'xxx" explain "$long"
brief "json=xxx|xxx: cannot write" check --snapshot "$machine" --output "json=$long"
brief "unknown option '--xxx" check "--$long"
brief "xxx" compat --gpu "$long"
brief "xxx" plan --to "rocm=$long" --snapshot "$machine"
brief "long.json: /verdict is no verdict: 'xxx" report "$scratch/long.json"

# A pipe that nobody opens at its other end is not waited for; one that is written to is read.
mkfifo "$scratch/fifo"
expect "fifo: nobody has opened the other end of this pipe" explain --log "$scratch/fifo"
expect "fifo: cannot write: nobody reads this pipe" check --snapshot "$machine" --output "json=$scratch/fifo"
piped() {
  cases=$((cases + 1))
  if ! grep -q "$1" "$scratch/out"; then
    echo "through a pipe: no '$1' in $(head -c 300 "$scratch/out")"
    failures=$((failures + 1))
  fi
}
words='HIP error: invalid device function'
"$rocvet" explain --log <(sleep 0.3 && echo "$words") >"$scratch/out" 2>&1
piped "$words"
echo "$words" | "$rocvet" explain --log - >"$scratch/out" 2>&1
piped "$words"
(sleep 0.3 && echo "$words" >"$scratch/fifo") &
"$rocvet" check --snapshot "$machine" --log "$scratch/fifo" >"$scratch/out" 2>&1
piped "$words"
wait
(sleep 0.3 && exec cat "$scratch/fifo" >"$scratch/out") &
"$rocvet" check --snapshot "$machine" --output "json=$scratch/fifo" >/dev/null 2>&1
wait
piped '"schema"'

# No descriptor is left to look with: that is not the snapshot's fault.
cases=$((cases + 1))
(exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && ulimit -n 4 && exec "$rocvet" scan --snapshot "$machine") >/dev/null 2>"$scratch/err"
if ! grep -q "EMFILE (too many open files)" "$scratch/err"; then
  echo "ulimit -n 4: $(cat "$scratch/err")"
  failures=$((failures + 1))
fi
if [ "$(id -u)" != 0 ]; then
  cp -r "$scratch/process" "$scratch/unreadable" && chmod 000 "$scratch/unreadable"
  expect "unreadable" scan --snapshot "$scratch/unreadable"
  chmod 755 "$scratch/unreadable"
  mkdir "$scratch/locked" && chmod 555 "$scratch/locked"
  expect "locked" scan --output "json=$scratch/locked/r.json"
fi

# A snapshot appears whole or not at all, and replaces nothing.
expect "/nowhere" snapshot /nowhere/out
expect "/nowhere" snapshot /nowhere/out.tar.zst
expect "empty" snapshot ""
expect "not-a-snapshot" snapshot "$scratch/not-a-snapshot"
cases=$((cases + 1))
if [ -s "$scratch/not-a-snapshot" ] || compgen -G "$scratch/not-a-snapshot?*" >/dev/null || [ -e /nowhere ]; then
  echo "snapshot left something behind"
  failures=$((failures + 1))
fi

# A run that ends in bad input leaves no report behind.
"$rocvet" check --snapshot /nowhere/at/all --output "json=$scratch/partial.json" 2>/dev/null
cases=$((cases + 1))
if compgen -G "$scratch/partial.json*" >/dev/null; then
  echo "a partial report was left behind"
  failures=$((failures + 1))
fi

# A reader that goes away is no error trace.
cases=$((cases + 1))
noise=$({ "$rocvet" list gpus 2>&1 >&3 | cat; } 3> >(head -c 1 >/dev/null))
if [ -n "$noise" ]; then
  echo "a closed pipe was reported: $noise"
  failures=$((failures + 1))
fi

echo "$((cases - failures)) passed, $failures failed"
[ "$failures" = 0 ]
