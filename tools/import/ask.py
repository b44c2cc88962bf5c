"""Questions to `rocvet compat`, all in one run, and what its database knows."""
import json
import re
import subprocess
import sys

from cells import cell


class Known:
    """.gpus: products by name; .targets; .systems: "ubuntu 22.04.5", of every release; .asked_by[name of one product] = all names by which a
    table may list it; .drivers, .frameworks: versions of every release."""

    def __init__(self, rocvet):
        self.rocvet = rocvet
        tables = run(rocvet, ["db", "export", "--format", "json"])
        names = [row["name"] for row in tables["gpu"]]
        self.names = {alias for row in tables["gpu"] for alias in [row["name"], row["name"].split(" (")[0], *row.get("aliases", ())]}
        # A name of two targets is no question.
        self.gpus = sorted(name for name in set(names) if len({row["gfx"] for row in tables["gpu"] if row["name"] == name}) == 1)
        self.target = {row["name"]: row["gfx"] for row in tables["gpu"]}
        self.releases = [row["rocm"] for row in tables["release"]]
        self.targets = sorted({row["gfx"] for row in tables["target"]})
        self.asked_by = names_of_products(tables["gpu"])
        self.drivers = [row["driver"].removeprefix("=") for row in tables["driver"] if re.fullmatch(r"=3\d\.\d+\.\d+", row["driver"])]
        self.frameworks = {}
        for row in tables["framework"]:
            self.frameworks.setdefault(row["framework"], set()).update(v for v in row["versions"] if re.fullmatch(r"\d+(\.\d+)+", v))
        self.tables = tables
        self.systems = sorted({f"{row['os']} {row['version']}" for row in tables["os"] if row.get("version") and row["os"] != "windows"})

    def supported(self, release):
        """target -> products that the release supports, or supports for the last time."""
        found = {}
        cells = [cell("", "", (), gpu=gpu, rocm=release) for gpu in self.gpus]
        for gpu, answer in zip(self.gpus, answers(self.rocvet, cells)):
            if answer in ("supported", "deprecated"):
                found.setdefault(self.target[gpu], []).append(gpu)
        return found


    def verdict(self, **question):
        return next(iter(answers(self.rocvet, [cell("", "", (), **question)])))

    def rows_of(self, table, release):
        """Rows whose range holds the release."""
        return [row for row in self.tables[table] if holds(row["rocm"], release)]

    def lists_target(self, gfx, release):
        """Whether a row of the release speaks of products of the target."""
        return any(row["gfx"] == gfx and row["verdict"] == "supported" for row in self.rows_of("support", release))


def names_of_products(rows):
    """A name of two targets is no question. The graphics of processors are listed by the processors' names, a processor by its own alone."""
    names, targets = {}, {}
    for row in rows:
        aliases = row.get("aliases", ())
        for name in {row["name"], row["name"].split(" (")[0], *aliases}:
            targets.setdefault(name, set()).add(row["gfx"])
            names.setdefault(name, {name}).update(() if name in aliases else (row["name"].split(" (")[0], *aliases))
    return {name: names[name] for name in sorted(names) if len(targets[name]) == 1}


def holds(ranges, release):
    """">=7.11, <7.14", "=7.2.0", "7.2" (the series), "*"."""
    number = lambda text: [int(part) for part in (text.split(".") + ["0", "0"])[:3]]
    for part in ranges.split(","):
        sign, version = re.fullmatch(r"\s*(>=|<=|<|>|=|)\s*([\d.]+|\*)\s*", part).groups()
        if version == "*":
            continue
        own, other = number(release), number(version)
        if not {">=": own >= other, "<=": own <= other, "<": own < other, ">": own > other, "=": own == other,
                "": own[:len(version.split("."))] == other[:len(version.split("."))]}[sign]:
            return False
    return True


def run(rocvet, arguments, questions=""):
    """The JSON that it prints; whatever its status, for that says how the answers are."""
    try:
        done = subprocess.run([rocvet, *arguments], input=questions, capture_output=True, text=True)
        return json.loads(done.stdout)
    except OSError as problem:
        print(f"import: {rocvet}: {problem.strerror}", file=sys.stderr)
    except ValueError:
        print(f"import: {rocvet}: {done.stderr.strip() or 'no JSON came'}", file=sys.stderr)
    sys.exit(3)


def answers(rocvet, cells):
    """A verdict a cell; "not understood: …" of a question that rocvet refuses."""
    asked = [each for each in cells if each.answer is None]
    if not asked:
        return [each.answer for each in cells]
    questions = "\n".join(json.dumps(dict(each.question)) for each in asked) + "\n"
    report = run(rocvet, ["compat", "--questions", "-", "--format", "json"], questions)
    replies = iter(report.get("all", [report]))
    verdict = lambda reply: reply.get("verdict") or f"not understood: {reply['error']}"
    return [each.answer if each.answer is not None else verdict(next(replies)) for each in cells]
