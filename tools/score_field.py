#!/usr/bin/env python3
"""score_field.py --rocvet PROGRAM --materialise PATH [--round N] [--stated-only] [--known FILE] [--keep DIR]: what rocvet names on the
machines of tests/field (its README.md), against what their threads say.

What looks alike in the reports of tests/field (db/similar_reports.tsv) is left out, since it was learnt from these machines; --alike
brings it in, for a round that it does not know.
A machine is right when the first root cause is the thread's. Where that is "none", or benign, it is right when nothing fails. A cause
that db/causes does not have ("outside:…") is printed and not counted. --known: exit status 1 when a machine is wrong that FILE does not
list, or right that it does. Status 3: bad input."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

sys.dont_write_bytecode = True
from overlays import materialiser, refuse, write_case  # noqa: E402
ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELD = ROOT / "tests" / "field"


def database_causes():
    """id -> row of db/causes."""
    rows = [row for path in sorted((ROOT / "db" / "causes").glob("*.toml")) for row in tomllib.loads(path.read_text(encoding="utf-8"))["cause"]]
    return {row["id"]: row for row in rows}


def benign_causes():
    """Causes that nobody needs to mend."""
    return {name for name, row in database_causes().items() if row["action"] == "nothing"}


WITHOUT_LIKENESS = "schema = 1\n" + "".join(f"""[[threshold]]
id = "{name}"
value = -9
means = "every report looks like one of a machine that works"
source = "tools/score_field.py"
checked = 2026-11-30
basis = "community"
""" for name in ("alike-healthy", "alike-healthy-beside"))


def run(program, snapshot, options):
    done = subprocess.run([program, "check", "--snapshot", snapshot, "--format", "json", *options], capture_output=True, timeout=120)
    if done.returncode not in (0, 1, 2):
        refuse("score_field", f"{snapshot}: status {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    report = json.loads(done.stdout)
    causes = [(cause["id"], cause.get("severity", "fail")) for cause in report["diagnosis"]["root_causes"]]
    return report["verdict"], causes


def judge(expected, benign, verdict, causes):
    names = [name for name, _ in causes]
    if expected.startswith("outside:"):
        return "outside"
    if expected == "none" or expected in benign:
        return "alarm" if verdict == "fail" or any(severity == "fail" and name != expected for name, severity in causes) else "first"
    return "first" if names[:1] == [expected] else "three" if expected in names[:3] else "miss"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("--materialise", required=True, help="the script that turns an overlay into a snapshot folder")
    parser.add_argument("--round", type=int)
    parser.add_argument("--stated-only", action="store_true", help="without what [basis] says is implied")
    parser.add_argument("--alike", action="store_true", help="with what other reports look like")
    parser.add_argument("--known", type=pathlib.Path, help="the machines that are known to be wrong")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the snapshots there")
    args = parser.parse_args()
    materialise, benign = materialiser("score_field", args.materialise), benign_causes()
    work = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="rocvet-field-"))
    options, found = [], {}
    try:
        if not args.alike:
            overlay = work / "without-likeness"
            overlay.mkdir(parents=True, exist_ok=True)
            (overlay / "thresholds.toml").write_text(WITHOUT_LIKENESS, encoding="utf-8")
            options = ["--db", overlay]
        for path in sorted((FIELD / "cases").glob("*.toml")):
            case = tomllib.loads(path.read_text(encoding="utf-8"))
            if args.round and case["round"] != args.round:
                continue
            overlay = materialise.load_overlay(FIELD / "machines" / path.name)
            machine = materialise.machine(materialise.stated_only(overlay, []) if args.stated_only else overlay, healthy=False)
            folder = work / path.stem
            write_case(materialise, case, machine, folder)
            expected = case["answer"]["root_cause"]
            verdict, causes = run(args.rocvet, folder, options)
            found[path.stem] = outcome = judge(expected, benign, verdict, causes)
            if outcome != "first":
                print(f"{outcome:<8}{path.stem:<36}{expected:<36}{verdict} {', '.join(name for name, _ in causes)}")
    finally:
        if not args.keep:
            shutil.rmtree(work, ignore_errors=True)
    counted = [outcome for outcome in found.values() if outcome != "outside"]
    first, three = counted.count("first"), counted.count("first") + counted.count("three")
    print(f"{len(counted)} machines: first {first} = {100 * first / max(1, len(counted)):.1f} %, in three {three} = {100 * three / max(1, len(counted)):.1f} %, alarms {counted.count('alarm')}")
    if args.known:
        known = {line.split()[0] for line in args.known.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}
        wrong = {name for name, outcome in found.items() if outcome not in ("first", "outside")}
        for name in sorted(wrong - known):
            print(f"{name}: wrong, and not in {args.known}")
        for name in sorted(known & set(found) - wrong):
            print(f"{name}: right: take it off {args.known}")
        return 1 if wrong ^ (known & set(found)) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
