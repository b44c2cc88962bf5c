#!/usr/bin/env python3
"""score_plans.py --rocvet PROGRAM --materialise PATH [--verbose]: what `rocvet plan` says of the upgrades in tests/plans, against what is known of
them. ID.toml is the machine before, as an overlay; ID.plan.toml what is asked (`to`), whether it breaks, and what a right answer names (`must`). One that
breaks is right when a break or what must move names each; one that works when nothing breaks or may break. Status 1 when one is wrong, 3: bad input."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

sys.dont_write_bytecode = True
from overlays import materialiser, refuse  # noqa: E402
PLANS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "plans"


def judge(plan, output, status):
    says = output.split("\nIn this order")[0]
    breaks = re.search(r"^(BREAKS|MAYBE) ", says, re.M)
    if plan["breaks"]:
        return bool(breaks or "Must move with it" in says) and all(re.search(word, says, re.I) for word in plan["must"])
    return not breaks and status in (0, 2)


def main():
    parser = argparse.ArgumentParser(prog="score_plans", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("--materialise", required=True)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    materialise = materialiser("score_plans", args.materialise)
    right = {True: 0, False: 0}
    count = {True: 0, False: 0}
    for file in sorted(PLANS.glob("*.plan.toml")):
        plan = tomllib.loads(file.read_text(encoding="utf-8"))["plan"]
        name = file.name.removesuffix(".plan.toml")
        with tempfile.TemporaryDirectory() as folder:
            overlay = materialise.load_overlay(PLANS / f"{name}.toml")
            materialise.write(materialise.machine(overlay, healthy=False), f"{folder}/machine")
            done = subprocess.run([args.rocvet, "plan", "--to", plan["to"], "--snapshot", f"{folder}/machine"], capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, 1, 2):
            refuse("score_plans", f"{name}: status {done.returncode}: {done.stderr.strip()}")
        good = judge(plan, done.stdout, done.returncode)
        right[plan["breaks"]] += good
        count[plan["breaks"]] += 1
        if not good:
            print(f"wrong  {name}: --to {plan['to']}: {plan['why']}")
            if args.verbose:
                print(done.stdout)
    print(f"breaks {right[True]} of {count[True]}, works {right[False]} of {count[False]}")
    return int(right != count)


sys.exit(main())
