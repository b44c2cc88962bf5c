"""Questions to `rocvet compat`, all in one run, and what its database knows."""
import json
import subprocess
import sys

from cells import cell


class Known:
    """.gpus: products by name; .targets; .systems: "ubuntu 22.04.5", of every release."""

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
        self.systems = sorted({f"{row['os']} {row['version']}" for row in tables["os"] if row.get("version") and row["os"] != "windows"})

    def supported(self, release):
        """target -> products that the release supports, or supports for the last time."""
        found = {}
        cells = [cell("", "", (), gpu=gpu, rocm=release) for gpu in self.gpus]
        for gpu, answer in zip(self.gpus, answers(self.rocvet, cells)):
            if answer in ("supported", "deprecated"):
                found.setdefault(self.target[gpu], []).append(gpu)
        return found


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
    if not cells:
        return []
    questions = "\n".join(json.dumps(dict(cell.question)) for cell in cells) + "\n"
    report = run(rocvet, ["compat", "--questions", "-", "--format", "json"], questions)
    return [reply.get("verdict") or f"not understood: {reply['error']}" for reply in report.get("all", [report])]
