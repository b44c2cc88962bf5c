#!/usr/bin/env python3
"""Fits db/weights.toml: how many known cases each cause has, how often an observation is seen where no cause of it is, and the
three constants of the rule that weighs (diagnosis/weigh.h).

    fit_weights.py --rocvet PROGRAM --machines LABELS [--write db/weights.toml]

LABELS: a line a machine: the snapshot's folder, its root cause ("-" for none), the thread that it comes from; with tabs. Machines
of one thread are left out together: every figure printed is of machines that the numbers it used did not know. The causes and signs
were written by people who did, though; only machines that nobody has seen tell how good they are.
"""
import argparse
import collections
import concurrent.futures
import itertools
import math
import pathlib
import subprocess
import sys
import tomllib

SHOWS = {"always": 0.95, "usually": 0.7, "sometimes": 0.3, "rarely": 0.1}
COMMON = {"never": 0.001, "rare": 0.005, "uncommon": 0.02, "common": 0.1, "usual": 0.3}
DATA = pathlib.Path(__file__).resolve().parent.parent / "db"
LIMITS = {row["id"]: row["value"] for row in tomllib.loads((DATA / "thresholds.toml").read_text(encoding="utf-8"))["threshold"]}
AUTHOR, OTHER_CAUSE, PSEUDO = LIMITS["author"], LIMITS["other-cause"], LIMITS["pseudo-case"]
GRID_T = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
GRID_W = [0, 0.5, 1, 2, 3, 4]
GRID_N = [0.1, 0.2, 0.35, 0.5, 1, 2]


def read_tables(folder):
    causes, common = {}, {}
    for path in sorted((folder / "causes").glob("*.toml")):
        for cause in tomllib.loads(path.read_text(encoding="utf-8"))["cause"]:
            causes[cause["id"]] = cause
    for row in tomllib.loads((folder / "vocabulary.toml").read_text(encoding="utf-8"))["observation"]:
        common[row["id"]] = COMMON[row.get("common", "rare")]
    return causes, common


def observe(program, folder, *options):
    run = subprocess.run([program, "check", "--observations", "--snapshot", folder, *options], capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        sys.exit(f"fit_weights: {folder}: status {run.returncode}: {run.stderr.strip()}")
    possible, prose, saw, elsewhere = set(), {}, {}, {}
    for line in run.stdout.splitlines():
        kind, name, *rest = line.split("\t")
        if kind == "cause":
            if rest[0] == "possible":
                possible.add(name)
            prose[name] = float(rest[1])
        elif kind == "saw":
            saw[name] = rest[0]
        elif kind == "elsewhere":
            elsewhere[name, rest[0]] = rest[1]
    return possible, prose, saw, elsewhere


class Machine:
    def __init__(self, folder, cause, thread, observed):
        self.folder, self.cause, self.thread = folder, cause, thread
        self.possible, self.prose, self.saw, self.elsewhere = observed

    def truth(self, cause, name):
        """Of the GPU that the cause is weighed on: "yes", "no" or "unknown"."""
        return self.elsewhere.get((cause, name), self.saw.get(name))


def counts_of(machines, causes):
    """cause -> cases; observation -> [seen, readable] over machines whose cause does not show it."""
    cases, counts = collections.Counter(), collections.defaultdict(lambda: [0, 0])
    for machine in machines:
        shown = set()
        if machine.cause != "-":
            cases[machine.cause] += 1
            shown = {sign["saw"] for sign in causes.get(machine.cause, {}).get("sign", [])}
        for name, truth in machine.saw.items():
            if name in shown or truth == "unknown":
                continue
            counts[name][1] += 1
            counts[name][0] += truth == "yes"
    return cases, counts


def expected_texts(causes, cases):
    """observation -> how often a machine with a fault shows it for a cause that is known."""
    total, sums = sum(cases.values()), collections.Counter()
    for name, cause in causes.items():
        for sign in cause.get("sign", []):
            sums[sign["saw"]] += (cases[name] + PSEUDO) / (total + PSEUDO * len(causes)) * SHOWS[sign["shows"]]
    return sums


def evidence(machine, causes, common, cases, counts):
    """cause -> (logarithm of its prior, sum of its groups, share of the prose), of supported causes that are possible."""
    total, expected = sum(cases.values()), expected_texts(causes, cases)
    found = {}
    for name, cause in causes.items():
        if name not in machine.possible:
            continue
        groups = collections.defaultdict(list)
        for sign in cause.get("sign", []):
            groups[sign["group"]].append(sign)
        supported, level = False, 0.0
        for signs in groups.values():
            seen = [s for s in signs if machine.truth(name, s["saw"]) == "yes"]
            if seen:
                supported = True
                worth = []
                for s in seen:
                    q, (k, n) = SHOWS[s["shows"]], counts.get(s["saw"], (0, 0))
                    usual = common.get(s["saw"], LIMITS["common-text"])
                    if s["saw"].startswith("text.") and s["saw"] not in common:
                        usual = min(usual, OTHER_CAUSE * expected[s["saw"]])
                    leak = usual if n == 0 else (k + 0.5 + AUTHOR * usual) / (n + 1 + AUTHOR)
                    worth.append(math.log((q + leak - q * leak) / leak))
                level += max(worth)
            elif all(machine.truth(name, s["saw"]) == "no" for s in signs):
                level += math.log(1 - max(SHOWS[s["shows"]] for s in signs))
        if supported:
            prior = math.log((cases[name] + PSEUDO) / (total + PSEUDO * len(causes)))
            found[name] = (prior, level, machine.prose.get(name, 0))
    return found


def probabilities(found, t, w, n):
    levels = {name: math.exp(prior + t * level + w * prose) for name, (prior, level, prose) in found.items()}
    total = n + sum(levels.values())
    return {name: value / total for name, value in levels.items()}, n / total


def wilson(hits, n):
    if n == 0:
        return "-"
    z, p = 1.96, hits / n
    middle, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return f"{hits}/{n} = {100 * p:.1f} % ({100 * (middle - half):.0f} to {100 * (middle + half):.0f})"


def loss(folds, t, w, n):
    total = 0.0
    for machine, found in folds:
        shares, none = probabilities(found, t, w, n)
        total -= math.log(max(shares.get(machine.cause, 1e-4) if machine.cause != "-" else none, 1e-4))
    return total / len(folds)


def report(folds, causes, t, w, n):
    sick = [f for f in folds if f[0].cause != "-"]
    well = [f for f in folds if f[0].cause == "-"]
    first = three = 0
    said = []
    for machine, found in sick:
        shares, none = probabilities(found, t, w, n)
        order = sorted(shares, key=shares.get, reverse=True)
        first += order[:1] == [machine.cause]
        three += machine.cause in order[:3]
        if order:
            said.append((shares[order[0]], order[0] == machine.cause))
    alarms = 0
    for machine, found in well:
        shares, none = probabilities(found, t, w, n)
        named = [c for c, p in shares.items() if p > 0.5 and causes[c]["action"] != "nothing"]
        alarms += bool(named)
        if named:
            print(f"named on a healthy machine: {named} {machine.folder}")
    print(f"one thread left out at a time: first {wilson(first, len(sick))}, in three {wilson(three, len(sick))}")
    print(f"healthy machines with a named cause {wilson(alarms, len(well))}; mean log loss {loss(folds, t, w, n):.3f}")
    said.sort()
    for i in range(5):
        part = said[i * len(said) // 5:(i + 1) * len(said) // 5]
        if part:
            hits = sum(right for _, right in part)
            print(f"  said {part[0][0]:.2f} to {part[-1][0]:.2f}, mean {sum(p for p, _ in part) / len(part):.2f}: right {wilson(hits, len(part))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("--machines", required=True, type=pathlib.Path)
    parser.add_argument("--db", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "db")
    parser.add_argument("--write", type=pathlib.Path)
    args = parser.parse_args()
    causes, common = read_tables(args.db)
    labels = [line.split("\t") for line in args.machines.read_text(encoding="utf-8").splitlines() if line.strip()]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda label: observe(args.rocvet, label[0]), labels))
    machines = [Machine(*label, observed) for label, observed in zip(labels, seen)]
    cases, counts = counts_of(machines, causes)
    threads = collections.defaultdict(list)
    for machine in machines:
        threads[machine.thread].append(machine)
    folds = []
    for members in threads.values():
        own_cases, own_counts = counts_of(members, causes)
        others = {name: (k - own_counts[name][0], n - own_counts[name][1]) if name in own_counts else (k, n) for name, (k, n) in counts.items()}
        for machine in members:
            folds.append((machine, evidence(machine, causes, common, cases - own_cases, others)))
    best = min(itertools.product(GRID_T, GRID_W, GRID_N), key=lambda point: loss(folds, *point))
    print(f"{len(machines)} machines, {len(threads)} threads; T {best[0]}, W {best[1]}, N {best[2]}")
    report(folds, causes, *best)
    unknown = sorted({m.cause for m in machines if m.cause != "-"} - set(causes))
    if unknown:
        print("causes that the database lacks:", ", ".join(unknown))
    if args.write:
        out = ["# Made by tools/fit_weights.py: not written by hand.", "schema = 1"]
        for name, value in zip("TWN", best):
            out.append(f'\n[[weight]]\nid = "{name}"\nvalue = {value:g}')
        for name in sorted(cases):
            if name in causes:
                out.append(f'\n[[prior]]\ncause = "{name}"\ncases = {cases[name]}')
        signs = {sign["saw"] for cause in causes.values() for sign in cause.get("sign", [])}
        for name in sorted(signs & set(counts)):
            out.append(f'\n[[leak]]\nsaw = "{name}"\nseen = {counts[name][0]}\nreadable = {counts[name][1]}')
        args.write.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
