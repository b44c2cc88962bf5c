#!/usr/bin/env bash
# completion.sh ROCVET COMPLETION: what bash offers is what rocvet says of itself.
set -uo pipefail
rocvet=$1 failures=0 cases=0
# shellcheck source=/dev/null
source "$2"

# offers WORDS… -- EXPECTED…: the last of WORDS is the one being typed.
offers() {
  COMP_WORDS=("$rocvet") COMPREPLY=()
  while [ "$1" != -- ]; do COMP_WORDS+=("$1"); shift; done
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  cases=$((cases + 1))
  _rocvet
  if [ "${COMPREPLY[*]}" != "$*" ]; then
    echo "after ${COMP_WORDS[*]:1}: got '${COMPREPLY[*]}', expected '$*'"
    failures=$((failures + 1))
  fi
}

offers che -- check
offers expl -- explain
offers check --snap -- --snapshot
offers --verb -- --verbose
offers run --demo -- --demo
offers check --format ju -- junit
offers list zz --
offers list gp -- gpus

echo "$((cases - failures)) passed, $failures failed"
[ "$failures" = 0 ]
