#!/usr/bin/env python3
"""score_advice.py --rocvet PROGRAM [--only ID] [--verbose]: what `rocvet advise` tells the people of tests/advice/people.jsonl, against the documents
that their lines quote. Right: the answer has everything of `must`, nothing of `must_not` (Python's regular expressions, without case), and names a release
of `rocm_right` where it names one that lists the GPU. Status 1 when one is wrong, 3: bad input."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

PEOPLE = pathlib.Path(__file__).resolve().parent.parent / "tests" / "advice" / "people.jsonl"


def command(rocvet, person):
    words = [rocvet, "advise", "--gpu", person["gpu"], "--os", person["os"]]
    for option, key in (("--rocm", "rocm"), ("--kernel", "kernel"), ("--framework", "framework"), ("--python", "python")):
        if person.get(key):
            words += [option, person[key]]
    return words + (["--dkms"] if person.get("dkms") else [])


def faults(person, done):
    found = [f"status 3: {done.stderr.strip()}"] if done.returncode == 3 else []
    found += [f"lacks {word}" for word in person.get("must", []) if not re.search(word, done.stdout, re.I)]
    found += [f"has {word}" for word in person.get("must_not", []) if re.search(word, done.stdout, re.I)]
    named = re.search(r"ROCm (\d+\.\d+(?:\.\d+)?) is the newest release that lists", done.stdout)
    if named and person.get("rocm_right") and named[1] not in person["rocm_right"]:
        found.append(f"ROCm {named[1]} is none of {person['rocm_right']}")
    return found


def main():
    parser = argparse.ArgumentParser(prog="score_advice", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("--only")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    right = count = 0
    for line in PEOPLE.read_text(encoding="utf-8").splitlines():
        person = json.loads(line)
        if args.only and person["id"] != args.only:
            continue
        done = subprocess.run(command(args.rocvet, person), capture_output=True, text=True, timeout=60)
        found = faults(person, done)
        count += 1
        right += not found
        if found:
            print(f"wrong  {person['id']} {person['gpu']} on {person['os']}, {person.get('framework', '')}: " + "; ".join(found))
            if args.verbose:
                print(f"       {person['why']}\n{done.stdout}")
    print(f"{right} of {count}")
    return int(right != count)


sys.exit(main())
