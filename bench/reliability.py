#!/usr/bin/env python3
"""Whether the confidence of a root cause means something: stated confidence against hit rate.

    reliability.py --rocvet PATH CASES.tsv... [--json OUT]

CASES.tsv has a line per case: the folder of a snapshot, a tab, the slug of its confirmed root cause.
For every case the first root cause that rocvet names counts: right or wrong, with its confidence.
Printed are a table by confidence, the mean gap between both (ECE, weighted by cases), and the
monotone map (pool adjacent violators) that would make confidence the hit rate, with the gap that
this map leaves on cases it has not seen (ten folds). Exit status 3: a file cannot be read.
"""
import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EDGES = [0.0, 0.2, 0.3, 0.4, 0.6, 0.8, 0.9, 1.01]


def read_cases(names):
    """[(snapshot, slug)] of the files; SystemExit(3) names the line that is wrong."""
    cases = []
    for name in names:
        try:
            lines = Path(name).read_text(encoding="utf-8").splitlines()
        except OSError as problem:
            print(f"reliability: {problem}", file=sys.stderr)
            raise SystemExit(3)
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            parts = line.split("\t")
            if len(parts) != 2 or not Path(parts[0]).is_dir():
                print(f"reliability: {name}:{number}: not 'snapshot<TAB>slug'", file=sys.stderr)
                raise SystemExit(3)
            cases.append((parts[0], parts[1].strip()))
    return cases


def first_cause(program, snapshot):
    """(slug, confidence) of the first root cause; None when none is named."""
    command = [program, "check", "--snapshot", snapshot, "--format", "json"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    causes = json.loads(done.stdout)["diagnosis"]["root_causes"]
    return (causes[0]["id"], causes[0]["confidence"]) if causes else None


def isotonic(points):
    """Pool adjacent violators: [(confidence, right)] -> [(lowest confidence, hit rate)]."""
    blocks = []
    for confidence, right in sorted(points):
        blocks.append([confidence, float(right), 1])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1][1] += last[1]
            blocks[-1][2] += last[2]
    return [(low, right / count) for low, right, count in blocks]


def mapped(steps, confidence):
    value = steps[0][1] if steps else confidence
    for low, rate in steps:
        if confidence >= low:
            value = rate
    return value


def gap(points):
    """Mean distance of confidence and hit rate over the bins, weighted by cases."""
    total = 0.0
    for low, high in zip(EDGES, EDGES[1:]):
        inside = [p for p in points if low <= p[0] < high]
        if inside:
            total += abs(sum(p[0] for p in inside) - sum(p[1] for p in inside))
    return total / len(points)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    cases = read_cases(args.cases)
    with ThreadPoolExecutor(2) as pool:
        named = list(pool.map(lambda case: first_cause(args.rocvet, case[0]), cases))
    points = [(one[1], one[0] == slug) for one, (_, slug) in zip(named, cases) if one]
    if not points:
        print("no root cause was named")
        return 0
    print(f"{len(cases)} cases, {len(cases) - len(points)} of them without a root cause\n")
    print("confidence     cases  right  hit rate  mean confidence")
    for low, high in zip(EDGES, EDGES[1:]):
        inside = [p for p in points if low <= p[0] < high]
        if inside:
            right = sum(p[1] for p in inside)
            mean = sum(p[0] for p in inside) / len(inside)
            print(f"{low:.1f} .. {min(high, 1):.2f}   {len(inside):5d}  {right:5d}  "
                  f"{right / len(inside):8.2f}  {mean:8.2f}")
    unseen = []
    for fold in range(10):
        steps = isotonic([p for i, p in enumerate(points) if i % 10 != fold])
        unseen += [(mapped(steps, p[0]), p[1]) for i, p in enumerate(points) if i % 10 == fold]
    print(f"\ngap (ECE) {gap(points):.3f}; with the map below, on unseen cases {gap(unseen):.3f}")
    print("monotone map: " + ", ".join(f"{c:.2f} -> {r:.2f}" for c, r in isotonic(points)))
    if args.json:
        args.json.write_text(json.dumps({"points": points}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
