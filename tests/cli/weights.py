#!/usr/bin/env python3
"""weights.py ROCVET TOOLS DB MACHINE…: the rule that weighs stands twice, in diagnosis/weigh.cpp and in TOOLS/fit_weights.py, which
fits its constants. Both must give the same probability for every cause, on the MACHINEs as they are and with messages added."""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

program, tools, db = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(tools))
sys.dont_write_bytecode = True
import fit_weights  # noqa: E402: it is where TOOLS says

CLOSE = 1e-3  # --why prints a tenth of a percent


def fitted():
    """T, W, N, cause -> cases, observation -> (seen, readable), as db/weights.toml has them."""
    rows = tomllib.loads((db / "weights.toml").read_text(encoding="utf-8"))
    weights = {row["id"]: row["value"] for row in rows["weight"]}
    cases = collections.Counter({row["cause"]: row["cases"] for row in rows["prior"]})
    counts = {row["saw"]: (row["seen"], row["readable"]) for row in rows["leak"]}
    return weights["T"], weights["W"], weights["N"], cases, counts


def rows_of(folder, table):
    for path in sorted((db / folder).glob("*.toml")):
        yield from tomllib.loads(path.read_text(encoding="utf-8")).get(table, [])


def why(folder, cause, options):
    run = subprocess.run([program, "check", "--why", cause, "--snapshot", folder, *options], capture_output=True, text=True, timeout=60)
    said = re.search(r"in all; probability ([0-9.]+) %", run.stdout)
    if not said:
        sys.exit(f"weights: {folder}: --why {cause}: status {run.returncode}: {run.stdout}{run.stderr}")
    return float(said[1]) / 100


def variants(machine, scratch):
    """(folder, options): the machine, with a message of the kernel, with a program's, and with people's words beside it."""
    yield machine, []
    log = machine / "cmd" / "dmesg"
    signs = {sign["saw"] for cause in rows_of("causes", "cause") for sign in cause.get("sign", [])}
    events = [e for e in rows_of("kernel_log", "event") if "kernel." + e["id"] in signs and e["severity"] in ("error", "fatal")]
    for event in events[::max(1, len(events) // 4)][:4]:
        copy = scratch / f"{machine.name}-{event['id']}"
        shutil.copytree(machine, copy)
        hit = event["hit"] if isinstance(event["hit"], str) else event["hit"][0]
        with open(copy / log.relative_to(machine), "a", encoding="utf-8") as file:
            file.write(hit + "\n")
        yield copy, []
    texts = list(rows_of("error_texts", "text"))
    program_texts = [t for t in texts if not t.get("prose") and "text." + t["id"] in signs]
    causes_of = {}
    for cause in rows_of("causes", "cause"):
        for sign in cause.get("sign", []):
            causes_of.setdefault(sign["saw"], set()).add(cause["id"])
    # Words in plain text that speak for a cause of the message.
    def words_for(text):
        for words in texts:
            said = words["text"] if isinstance(words["text"], str) else words["text"][0]
            about = {one["cause"] for one in words.get("suggests", [])}
            if words.get("prose") and not said.startswith("&") and about & causes_of["text." + text["id"]]:
                return said
        return None
    pairs = [(text, words_for(text)) for text in program_texts]
    pairs = [pair for pair in pairs if pair[1]]
    for i, (text, words_said) in enumerate(pairs[::max(1, len(pairs) // 4)][:4]):
        said = scratch / f"{machine.name}-{i}.log"
        said.write_text(text["hit"][0] + "\n" + words_said.replace("*", " ") + "\n", encoding="utf-8")
        yield machine, ["--log", said]


def main():
    causes, common = fit_weights.read_tables(db)
    t, w, n, cases, counts = fitted()
    asked = likely = prose = 0
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for machine in map(pathlib.Path, sys.argv[4:]):
            for folder, options in variants(machine, pathlib.Path(scratch)):
                seen = fit_weights.Machine(folder, "-", "-", fit_weights.observe(program, folder, *options))
                found = fit_weights.evidence(seen, causes, common, cases, counts)
                shares, _ = fit_weights.probabilities(found, t, w, n)
                order = sorted(shares, key=shares.get, reverse=True)
                # The likeliest, and one that nothing supports.
                for cause in order[:3] + [c for c in causes if c not in shares][:1]:
                    here, there = shares.get(cause, 0.0), why(folder, cause, options)
                    asked += 1
                    likely += here > 0.1
                    prose += found.get(cause, (0, 0, 0))[2] > 0
                    if abs(here - there) > CLOSE:
                        wrong.append(f"{folder.name} {' '.join(map(str, options))}: {cause}: fit_weights.py says {here:.4f}, rocvet {there:.4f}")
    print(*wrong, sep="\n")
    print(f"{asked} probabilities, {likely} above a tenth, {prose} with people's words: {len(wrong)} differ")
    # A comparison of nothing with nothing shows nothing.
    sys.exit(bool(wrong) or likely < 8 or prose < 2)


main()
