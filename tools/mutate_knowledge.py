#!/usr/bin/env python3
"""Changes rows of db/ one at a time and counts how many of the changes a test would notice.

    tools/mutate_knowledge.py --notice build/dev/tests/notice [--mutants 500] [--seed 1] [--kind K] [--survivors FILE]

Each mutant is an overlay with the changed rows. Kinds, the same number of each as far as there are enough:
  strength   a sign shows half as often
  cause      a sign stands with another cause
  explains   one consequence is taken away
  condition  one of needs or refuted_by is taken away
  pattern    one letter of a message's literal text is gone
  fix        one line of a remedy is another cause's
`notice` (tests/mutation) says what notices a mutant: the loader, the second reading, a diagnosis or a verdict of tests/cases.
"""
import argparse
import collections
import copy
import datetime
import json
import pathlib
import random
import re
import subprocess
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEAKER = {"always": "sometimes", "usually": "sometimes", "sometimes": "rarely"}  # 0.95, 0.7, 0.3, 0.1


def rows(folder, table):
    for file in sorted((ROOT / "db" / folder).glob("*.toml")):
        yield from tomllib.loads(file.read_text(encoding="utf-8")).get(table, [])


def as_list(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def overlay(changed):
    """The text of a TOML file with (table, row) of each changed row."""
    text = "schema = 1\n"
    for table, row in changed:
        text += f"\n[[{table}]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in row.items())
    return text


def mutants(rng):
    """Of each kind all that there are, as (what, changed rows), in random order."""
    causes = list(rows("causes", "cause"))
    messages = [("event", e) for e in rows("kernel_log", "event")]
    messages += [("text", t) for t in rows("error_texts", "text") if not t.get("prose")]
    made = collections.defaultdict(list)
    lines = [line for cause in causes for line in as_list(cause.get("remedy"))]
    for cause in causes:
        for i, sign in enumerate(cause.get("sign", [])):
            if sign["shows"] in WEAKER:
                row = copy.deepcopy(cause)
                row["sign"][i]["shows"] = WEAKER[sign["shows"]]
                made["strength"].append((f"{cause['id']}: {sign['saw']} {sign['shows']}", [("cause", row)]))
            other = copy.deepcopy(rng.choice([c for c in causes if all(s["saw"] != sign["saw"] for s in c.get("sign", []))]))
            row = copy.deepcopy(cause)
            other.setdefault("sign", []).append(row["sign"].pop(i))
            made["cause"].append((f"{sign['saw']} of {cause['id']} to {other['id']}", [("cause", row), ("cause", other)]))
        for key, kind in (("explains", "explains"), ("needs", "condition"), ("refuted_by", "condition")):
            for i, name in enumerate(as_list(cause.get(key))):
                row = copy.deepcopy(cause)
                row[key] = [n for j, n in enumerate(as_list(cause[key])) if j != i]
                made[kind].append((f"{cause['id']} {key} {name}", [("cause", row)]))
        for i, line in enumerate(as_list(cause.get("remedy"))):
            row = copy.deepcopy(cause)
            row["remedy"] = list(as_list(cause["remedy"]))
            row["remedy"][i] = rng.choice([other for other in lines if other != line])
            made["fix"].append((f"{cause['id']}: {line}", [("cause", row)]))
    for table, message in messages:
        texts = as_list(message["text"])
        for i, text in enumerate(texts):
            letters = [m.start() for m in re.finditer(r"[A-Za-z]", re.sub(r"\{[^}]*\}", lambda m: " " * len(m.group()), text))]
            if not letters:
                continue
            at = rng.choice(letters)
            row = copy.deepcopy(message)
            row["text"] = texts[:i] + [text[:at] + text[at + 1 :]] + texts[i + 1 :]
            made["pattern"].append((f"{table} {message['id']}: {row['text'][i]}", [(table, row)]))
    for kind in made.values():
        rng.shuffle(kind)
    return made


def chosen(made, number):
    """`number` of them, the same of each kind as far as there are enough."""
    picked, left = [], {kind: list(all_of) for kind, all_of in sorted(made.items())}
    while len(picked) < number and any(left.values()):
        for kind, rest in left.items():
            if rest and len(picked) < number:
                picked.append((kind, *rest.pop()))
    return picked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notice", required=True)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--survivors", type=pathlib.Path)
    args = parser.parse_args()
    made = mutants(random.Random(args.seed))
    picked = chosen({k: v for k, v in made.items() if not args.kind or k in args.kind}, args.mutants)
    with tempfile.TemporaryDirectory() as scratch:
        folders = []
        for number, (_, _, changed) in enumerate(picked):
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            (folder / "mutant.toml").write_text(overlay(changed), encoding="utf-8")
            folders.append(str(folder))

        def run(part):
            done = subprocess.run([args.notice, *part], capture_output=True, text=True, check=True)
            # What it tells may have tabs and line ends of its own: a message of the database.
            return [line.split("\t", 2) for line in done.stdout.splitlines() if line.split("\t", 1)[0] in part]

        size = 10
        parts = [folders[i : i + size] for i in range(0, len(folders), size)]
        with ThreadPoolExecutor(2) as pool:
            told = [line for part in pool.map(run, parts) for line in part]
    if len(told) != len(picked):
        raise SystemExit(f"{len(told)} answers to {len(picked)} mutants")
    by_kind = collections.defaultdict(collections.Counter)
    survivors = []
    for (kind, what, _), (_, how, _) in zip(picked, told):
        by_kind[kind][how] += 1
        if how == "none":
            survivors.append(f"{kind}\t{what}")
    noticed = 0
    for kind, hows in sorted(by_kind.items()):
        total = sum(hows.values())
        noticed += total - hows["none"]
        detail = ", ".join(f"{how} {count}" for how, count in sorted(hows.items()) if how != "none")
        print(f"{kind:10} {total - hows['none']:4} of {total:4} noticed ({detail})")
    print(f"{noticed} of {len(picked)} mutants noticed, {100 * noticed / len(picked):.1f} %")
    if args.survivors:
        args.survivors.write_text("\n".join(survivors) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
