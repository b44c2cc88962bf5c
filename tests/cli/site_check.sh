#!/usr/bin/env bash
# site_check.sh ROCVET MACHINE: a check that a site adds as a row is run, listed, explained and judged like ours; a wrong row is
# one line with file, line and column.
set -uo pipefail
rocvet=$1 machine=$2
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
failures=0 cases=0
# has STATUS PATTERN ARGUMENTS…: the status, and a line of the output that matches.
has() {
  local wanted=$1 pattern=$2 status=0 said
  shift 2
  cases=$((cases + 1))
  said=$("$rocvet" "$@" 2>&1 </dev/null) || status=$?
  if [ "$status" != "$wanted" ] || ! grep -qE -e "$pattern" <<<"$said"; then
    echo "rocvet $*: status $status, expected $wanted and a line like /$pattern/:"
    head -20 <<<"$said"
    failures=$((failures + 1))
  fi
}
cat >"$site/checks.toml" <<'T'
schema = 1
[[check]]
code = "RV9990"
id = "site-root-disk"
topic = "platform"
title = "Our machines boot from disk B"
bad = [{ fact = "argument.root", not_in = ["/dev/b"] }]
verdict = "warn"
says = "the root disk is {value} here"
good = "it is B"
fix = ["echo {value} | sudo tee /our/list"]
doc = '''
## What it looks for
The root disk.
## Why it matters
It is ours.
## How to mend it
Ask us.
## Not this
Another disk.
## References
- https://example.org/disks
'''
source = "our handbook"
checked = 2026-11-20
T
printf 'policy = 1\n[severity]\n"site-root-disk" = "fail"\n' >"$site.policy"
trap 'rm -rf "$site" "$site.policy"' EXIT
has 0 '^2 rows, 0 problems$' db check "$site"
has 0 '^RV9990 .*Our machines boot from disk B$' list checks --db "$site"
has 0 '^Ask us\.$' explain RV9990 --db "$site"
has 0 '^The root disk\.$' explain site-root-disk --db "$site"
has 3 "no check, self-test or root cause 'site-root-disk'" explain site-root-disk
has 3 "no check matches 'site-root-disk'" check --snapshot "$machine" --only site-root-disk
has 0 'the root disk is /dev/nvme0n1p2 here' check --snapshot "$machine" --only site-root-disk --db "$site"
has 1 'the root disk is /dev/nvme0n1p2 here' check --snapshot "$machine" --only site-root-disk --db "$site" --policy "$site.policy"
has 3 "no check matches 'site-root-disk'" check --snapshot "$machine" --policy "$site.policy"
has 0 'debug-scheduling' explain RV233

# The same id as one of ours takes its place.
sed -i 's/"RV9990"/"RV1306"/; s/"site-root-disk"/"slow-clock-source"/' "$site/checks.toml"
has 0 'the root disk is /dev/nvme0n1p2 here' check --snapshot "$machine" --only RV1306 --db "$site"

wrong() {
  sed "$1" "$site/checks.toml" >"$site/wrong/checks.toml"
  has 3 "$site/wrong/checks.toml:$2" check --snapshot "$machine" --db "$site/wrong"
  has 3 "$site/wrong/checks.toml:$2" explain RV102 --db "$site/wrong"
  has "$3" "$site/wrong/checks.toml:$2" db check "$site/wrong"
}
mkdir "$site/wrong"
wrong 's/argument.root/argumant.root/' "7:17: no fact 'argumant.root'; did you mean 'argument.root'" 1
wrong 's/not_in = .*"\]/eq = 3/' "7:39: 'eq' is for numbers" 1
wrong 's/"RV1306"/"RV102"/' "3:8: 'RV102' is also that of the check at checks/access" 1
wrong 's/is {value} here/is {disk} here/' "9:8: 'says' has {disk}, which is no gap" 1
wrong 's/^## Not this/## Not that/' "12:7: the manual has no '## Not this'" 1
wrong 's/"warn"/"worn"/' "8:11: 'verdict' takes one of fail, warn, pass" 3
echo "$cases cases, $failures failed"
[ "$failures" = 0 ]
