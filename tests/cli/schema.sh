#!/usr/bin/env bash
# schema.sh ROCVET SCHEMA MACHINE…: every report validates against the published JSON Schema.
set -euo pipefail
rocvet=$1 schema=$2
shift 2
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || { echo "SKIPPED: python3-jsonschema is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0
record() {
  number=$((number + 1))
  "$rocvet" "$@" --format json >"$scratch/$number.json" || [ $? -le 2 ]
}
record scan
record check
record check --only no-amd-gpu
record test --device host --size tiny
record ladder --kfd
record test memory.pattern gemm.fp32 --device host --for 2s
for machine in "$@"; do
  record check --snapshot "$machine"
done
/usr/bin/python3 - "$schema" "$scratch"/*.json <<'P'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema) if hasattr(jsonschema, "Draft202012Validator") else None
validator = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)(schema)
bad = 0
for path in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(path))):
        bad += 1
        print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
print(f"{len(sys.argv) - 2 if not bad else 0} passed, {bad} failed")
sys.exit(bad > 0)
P
