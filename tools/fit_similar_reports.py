#!/usr/bin/env python3
"""fit_similar_reports.py --rocvet PROGRAM --materialise PATH --write db/similar_reports.tsv [--until ROUND]: from the machines of tests/field,
what words and observations their reports have in common by cause (diagnosis/similar_reports.h).

Two linear support vector machines over the same features (`check --observations` prints them), each present or not, weighted by its inverse
document frequency, all of a report of length 1: one of the causes, one against the rest; and one ("-") of machines that work against all
others. A cause's title and definition are a report of it too, and the logs of tests/cases that name no cause are reports of machines that
work. Small weights and causes that few machines had are left out: they never come near the threshold.

--until ROUND leaves later rounds out, for a measurement on machines that the data does not know. The rules that the program observes with
know the machines of earlier rounds, though: only a program from before a round tells how good both are on it.
Needs scikit-learn (Debian: python3-sklearn). Status 3: bad input."""
import argparse
import collections
import functools
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
from overlays import materialiser, refuse, write_case  # noqa: E402
from score_field import database_causes  # noqa: E402
ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELD, CASES = ROOT / "tests" / "field", ROOT / "tests" / "cases"
HEALTHY = "-"
FEWEST_MACHINES = 3  # of a cause
FEWEST_REPORTS, MOST_REPORTS = 2, 0.3  # that have a feature; the second is a share
MOST_WEIGHTS, LEAST_WEIGHT = 800, 0.02  # of a cause
WORD = re.compile(r"[a-z_][a-z0-9_.+-]*")


def words_of(text):
    """As add_words of diagnosis/report_features.cpp, for the few texts that no program reads."""
    words = [word.rstrip(".+-") for word in WORD.findall(text.lower())]
    words = [word for word in words if 2 <= len(word) <= 40]
    return {f"word:{word}" for word in words} | {f"word:{a} {b}" for a, b in zip(words, words[1:])}


def features_of(program, folder):
    run = subprocess.run([program, "check", "--observations", "--snapshot", folder], capture_output=True, text=True, errors="replace", timeout=120)
    if run.returncode != 0:
        refuse("fit_similar_reports", f"{folder}: status {run.returncode}: {run.stderr.strip()}")
    return {line.split("\t", 1)[1] for line in run.stdout.splitlines() if line.startswith("feature\t")}


@functools.cache
def materialise_of(path):
    return materialiser("fit_similar_reports", path)


def read_report(job):
    """(cause, features) of a machine; None where its cause is outside of db/causes or its round is too late."""
    path, args, known, work = job
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    cause = case["answer"]["root_cause"]
    if cause.startswith("outside:") or (args.until and case["round"] > args.until):
        return None
    materialise = materialise_of(args.materialise)
    folder = pathlib.Path(work) / path.stem
    write_case(materialise, case, materialise.machine(materialise.load_overlay(FIELD / "machines" / path.name), healthy=False), folder)
    features = features_of(args.rocvet, folder)
    shutil.rmtree(folder)
    benign = cause == "none" or known.get(cause, {}).get("action") == "nothing"
    return (HEALTHY if benign else cause), features


def read_reports(args, known):
    with tempfile.TemporaryDirectory(prefix="rocvet-reports-") as work, ProcessPoolExecutor() as pool:
        jobs = [(path, args, known, work) for path in sorted((FIELD / "cases").glob("*.toml"))]
        return [report for report in pool.map(read_report, jobs, chunksize=16) if report]


def remarks():
    """Of logs that tell of nothing, as tests/cases has them."""
    cases = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*/*.toml"))]
    return [(HEALTHY, words_of(case["log"]["app"])) for case in cases if case.get("first") == "none" and case.get("log", {}).get("app")]


class Matrix:
    def __init__(self, reports):
        count = collections.Counter(name for features in reports for name in features)
        most = MOST_REPORTS * len(reports)
        self.names = sorted(name for name, n in count.items() if FEWEST_REPORTS <= n <= most)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.idf = [math.log((1 + len(reports)) / (1 + count[name])) + 1 for name in self.names]

    def rows(self, reports):
        from scipy.sparse import csr_matrix
        values, columns, ends = [], [], [0]
        for features in reports:
            places = [self.place[name] for name in features if name in self.place]
            length = math.sqrt(sum(self.idf[i] ** 2 for i in places)) or 1
            columns += places
            values += [self.idf[i] / length for i in places]
            ends.append(len(columns))
        return csr_matrix((values, columns, ends), shape=(len(reports), len(self.names)))


def loudest(weights):
    """place -> weight of those that matter."""
    order = sorted((i for i, value in enumerate(weights) if abs(value) >= LEAST_WEIGHT), key=lambda i: -abs(weights[i]))
    return {i: weights[i] for i in order[:MOST_WEIGHTS]}


def fit(reports, known):
    from sklearn.svm import LinearSVC
    matrix = Matrix([features for _, features in reports])
    own = [(cause, words_of(row["title"] + " " + row["definition"])) for cause, row in sorted(known.items())]
    causes = LinearSVC(C=1, random_state=0).fit(matrix.rows([f for _, f in reports + own]), [c for c, _ in reports + own])
    healthy = LinearSVC(C=0.3, class_weight="balanced", random_state=0)
    healthy.fit(matrix.rows([f for _, f in reports]), [c == HEALTHY for c, _ in reports])
    count = collections.Counter(cause for cause, _ in reports)
    told = [i for i, cause in enumerate(causes.classes_) if cause != HEALTHY and count[cause] >= FEWEST_MACHINES]
    classes = [(causes.classes_[i], float(causes.intercept_[i]), loudest(causes.coef_[i])) for i in told]
    classes.append((HEALTHY, float(healthy.intercept_[0]), {i: w for i, w in enumerate(healthy.coef_[0]) if abs(w) >= LEAST_WEIGHT}))
    return matrix, classes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rocvet", required=True)
    parser.add_argument("--materialise", required=True, help="the script that turns an overlay into a snapshot folder")
    parser.add_argument("--until", type=int, help="the last round to learn from")
    parser.add_argument("--write", required=True, type=pathlib.Path)
    args = parser.parse_args()
    known = database_causes()
    machines = read_reports(args, known)
    reports = machines + remarks()
    matrix, classes = fit(reports, known)
    rounds = f"rounds up to {args.until}" if args.until else "all rounds"
    lines = [f"# Made by tools/fit_similar_reports.py of {len(machines)} machines of tests/field ({rounds}): not written by hand."]
    lines += [f"cause\t{cause}\t{intercept:.3f}" for cause, intercept, _ in classes]
    by_feature = collections.defaultdict(list)
    for place, (_, _, weights) in enumerate(classes):
        for i, weight in weights.items():
            by_feature[i].append(f"{place}:{weight:.2f}")
    lines += [f"{matrix.names[i]}\t{matrix.idf[i]:.2f}\t" + "\t".join(weights) for i, weights in sorted(by_feature.items())]
    args.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(machines)} machines, {len(reports) - len(machines)} remarks, {len(classes)} classes, {len(by_feature)} features, {sum(map(len, by_feature.values()))} weights")


if __name__ == "__main__":
    main()
