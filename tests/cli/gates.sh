#!/usr/bin/env bash
# gates.sh ROCVET MACHINE: what CI systems, monitoring and schedulers are given agrees with the exit status, whatever the flags; and
# the terminal: its width, its colours, its letters. MACHINE is healthy.
set -euo pipefail
rocvet=$1 machine=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fault() {
  echo "$*"
  failures=$((failures + 1))
}
# has STATUS PATTERN ARGUMENTS…: on standard output or, of an error, on standard error.
has() {
  local expected=$1 pattern=$2 status=0
  shift 2
  env -u NO_COLOR -u FORCE_COLOR "$rocvet" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  [ "$status" = "$expected" ] || fault "$*: status $status, expected $expected"
  grep -qE "$pattern" "$scratch/out" "$scratch/err" || fault "$*: no line like /$pattern/"
}
# lacks PATTERN: the last output.
lacks() { ! grep -qE "$1" "$scratch/out" || fault "a line like /$1/"; }

check=(check --snapshot "$machine")
# The machine as it is, and with a demand that it does not meet: each format says the same as the exit status.
for wanted in "0 kernel=*" "1 gpus=77"; do
  status=${wanted%% *} expect=(--expect "${wanted#* }")
  word=OK nagios=OK ended=0
  [ "$status" = 0 ] || { word=DRAIN nagios=CRITICAL ended=2; }
  has "$status" "^($word|WARN) " "${check[@]}" "${expect[@]}" --format line
  [ "$(wc -l <"$scratch/out")" = 1 ] || fault "line: more than one"
  has "$ended" "^ROCVET $nagios - " "${check[@]}" "${expect[@]}" --format nagios
  has "$status" '^rocvet_verdict\{verdict="fail"\} '"$status\$" "${check[@]}" "${expect[@]}" --format prometheus
  has "$status" passed "${check[@]}" "${expect[@]}" --format github
  if [ "$status" = 1 ]; then
    grep -q '^::error title=rocvet%3A RV990 policy-not-met \[gpu_count\]::' "$scratch/out" || fault "github: no error"
  else
    lacks '^::error'
  fi
  has "$status" '^\[' "${check[@]}" "${expect[@]}" --format gitlab
  python3 -c '
import json, sys
kinds = {one["severity"] for one in json.load(open(sys.argv[1]))}
sys.exit(("critical" in kinds) != (sys.argv[2] == "1"))' "$scratch/out" "$status" || fault "gitlab: another verdict"
  has "$status" "failures=\"$status\" errors=\"0\"" "${check[@]}" "${expect[@]}" --format junit
done
has 3 "unknown key 'gpuz'.*did you mean" "${check[@]}" --expect gpuz=1
has 3 "is not KEY=VALUE" "${check[@]}" --expect gpus
has 3 "no check, self-test or root cause matches 'kfd-mising'.*did you mean" "${check[@]}" --ignore kfd-mising
has 3 "regression needs --baseline" "${check[@]}" --fail-on regression
has 3 "fail-on" "${check[@]}" --fail-on never
has 3 "unknown format 'promeths'.*did you mean 'prometheus'" "${check[@]}" --format promeths

# A policy that the machine made is met by it, and another GPU's is not.
"$rocvet" policy init --snapshot "$machine" >"$scratch/policy.toml"
has 0 "RV990 .*met" "${check[@]}" --policy "$scratch/policy.toml" -v
sed -i 's/^gpu_target = .*/gpu_target = "gfx906"/' "$scratch/policy.toml"
has 1 "policy-not-met" "${check[@]}" --policy "$scratch/policy.toml"
has 0 . "${check[@]}" --policy "$scratch/policy.toml" --ignore policy-not-met
has 0 . "${check[@]}" --policy "$scratch/policy.toml" --ignore RV990

# A warning fails only where that was asked for.
printf 'policy = 1\n[expect]\ngpu_count = "77"\n[severity]\n"policy-not-met" = "warn"\n' >"$scratch/warn.toml"
"$rocvet" "${check[@]}" --format json >"$scratch/base.json"
has 0 . "${check[@]}" --baseline "$scratch/base.json" --fail-on regression

# The terminal. script(1) is one, 60 columns wide.
has 0 "ignore" help check
has 0 "^rocvet [0-9]" version
has 3 "did you mean 'check'" help chek
has 1 $'\x1b\\[' "${check[@]}" --expect gpus=77 --color always
has 1 . "${check[@]}" --expect gpus=77
lacks $'\x1b'
if command -v script >/dev/null && [ -c /dev/ptmx ]; then
  for environment in "TERM=xterm LANG=C.UTF-8" "TERM=dumb LANG=C"; do
    # shellcheck disable=SC2086
    env -u LC_ALL -u LC_CTYPE -u NO_COLOR -u FORCE_COLOR $environment script -qec \
      "stty cols 60; '$rocvet' check --snapshot '$machine' --expect gpus=77" "$scratch/typed" >/dev/null </dev/null || true
    sed -e '1d;$d' -e 's/\r$//' "$scratch/typed" >"$scratch/out"
    [ -s "$scratch/out" ] || continue # no pseudo-terminal here
    grep -q policy-not-met "$scratch/out" || fault "$environment: no report on a terminal"
    python3 - "$scratch/out" "$environment" <<'PY' || fault "$environment: not as that terminal needs it"
import re, sys
text = open(sys.argv[1], encoding="utf-8", errors="surrogateescape").read()
plain = re.sub("\x1b\\[[0-9;]*m", "", text)
wide = [line for line in plain.splitlines() if len(line) > 60 and len(line.split()) > 1 and not line.strip().startswith(("fix: ", "verify: ", "to be sure: "))]
dumb = "TERM=dumb" in sys.argv[2]
faults = wide + (["a colour"] if dumb and "\x1b" in text else []) + (["not ASCII"] if dumb and not text.isascii() else [])
faults += ["no colour"] if not dumb and "\x1b" not in text else []
print("\n".join(faults))
sys.exit(bool(faults))
PY
  done
fi
[ "$failures" = 0 ] || exit 1
echo "gates: all as expected"
