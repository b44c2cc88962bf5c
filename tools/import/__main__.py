"""tools/import --verify --tables DIR [--tables DIR]… [--rocvet PROGRAM] [--only TEXT] [--show N] [--json FILE]
tools/import --write-gpu-systems FILE --tables DIR… [--rocvet PROGRAM]
tools/import --write-platforms FILE --tables DIR… [--rocvet PROGRAM]
tools/import --propose RELEASE --tables DIR… [--rocvet PROGRAM]

--verify compares every cell of the published tables that tables.toml lists with what `rocvet compat` answers, and prints the differences that
known_differences.tsv does not explain. DIR holds OWNER+NAME/repo (a bare clone) or OWNER+NAME/COMMIT/PATH (single files), as fetched; nothing
of them is part of this repository. A table that cannot be had is named. Exit status 1 when a difference is left or an explanation explains
nothing; 3: bad input. --write-gpu-systems makes db/gpu_systems.toml anew of the tables that say on which system a release supports a GPU, for
review; --write-platforms db/platforms.toml of those that say in which guests and in WSL. --propose prints
the rows of systems, drivers, GPUs and frameworks that a new release lacks. README.md beside this file says how a new release is taken in.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from ask import Known, answers  # noqa: E402
from forms import FORMS, GRIDS, PAIRS  # noqa: E402
from gpu_systems import grid_cells  # noqa: E402
from platforms import READERS, platforms_toml  # noqa: E402
from proposals import proposals, to_close  # noqa: E402
from rows import gpu_systems_toml  # noqa: E402


def refuse(what):
    print(f"import: {what}", file=sys.stderr)
    sys.exit(3)


class Page:
    """One table of one page."""

    def __init__(self, table, release):
        fill = lambda text: text.replace("{release}", release)
        self.form, self.read = table["form"], table["read"]
        self.releases = [release] if "{release}" in table["at"] + table["path"] else table["releases"]
        self.repository, self.at, self.path = table["repository"], fill(table["at"]), fill(table["path"])
        notes = table.get("notes", {})
        self.notes = (notes["repository"], fill(notes["at"]), fill(notes["path"])) if notes else None
        self.name = table.get("page") or f"{self.repository}@{self.at}:{self.path}"
        # Of the previews the second text has the systems; a matrix's has its footnotes.
        both = self.notes and self.form == "release-notes-html"
        self.source = self.name + ("; {}@{}:{}".format(*self.notes) if both else "")


def published():
    for table in tomllib.loads((HERE / "tables.toml").read_text(encoding="utf-8"))["table"]:
        if not any(table["form"] in forms for forms in (FORMS, PAIRS, GRIDS)):
            refuse(f"tables.toml: no form '{table['form']}'")
        many = "{release}" in table["at"] + table["path"]
        for release in table["releases"] if many else table["releases"][:1]:
            yield Page(table, release)


def text_of(folders, repository, at, path):
    for folder in folders:
        own = folder / repository.replace("/", "+")
        for folder_name in (at[:12], at):
            if (file := own / folder_name / path).is_file():
                return file.read_text(encoding="utf-8")
        if (own / "repo").is_dir():
            for ref in (at, f"origin/{at}"):
                shown = subprocess.run(["git", "-C", str(own / "repo"), "show", f"{ref}:{path}"], capture_output=True)
                if shown.returncode == 0:
                    return shown.stdout.decode("utf-8", errors="replace")
    return None


def explanations():
    """(part of a cell's name, answer) -> why; a line of known_differences.tsv each."""
    found = {}
    for line in (HERE / "known_differences.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            cell, answer, why = line.split("\t")
            found[cell, answer] = why
    return found


def read_pages(args, known):
    """[(page, cells, {release: grid})], and the names of what could not be had."""
    pages, missing = [], []
    for page in published():
        if args.only and args.only not in page.name:
            continue
        text = text_of(args.tables, page.repository, page.at, page.path)
        notes = text_of(args.tables, *page.notes) if page.notes else ""
        if text is None or notes is None:
            missing.append(page.name)
            continue
        cells = list(FORMS[page.form](page.name, text, page.releases, known)) if page.form in FORMS and (args.verify or args.propose) else []
        if page.form in PAIRS and args.verify:
            cells = list(PAIRS[page.form](page.name, text, notes, page.releases, known))
        grids = GRIDS[page.form](text, notes, page.releases, known) if page.form in GRIDS else {}
        grids = {release: grid for release, grid in grids.items() if grid}
        for release, grid in grids.items():
            cells += grid_cells(page.name, release, grid)
        pages.append((page, list(dict.fromkeys(cells)), grids))
    return pages, missing


def main():
    parser = argparse.ArgumentParser(prog="tools/import", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--verify", action="store_true")
    what.add_argument("--write-gpu-systems", type=pathlib.Path, metavar="FILE")
    what.add_argument("--write-platforms", type=pathlib.Path, metavar="FILE")
    what.add_argument("--propose", metavar="RELEASE")
    parser.add_argument("--tables", type=pathlib.Path, action="append", required=True)
    parser.add_argument("--rocvet", default="build/release/rocvet")
    parser.add_argument("--only", help="tables whose name has this part")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    for folder in args.tables:
        if not folder.is_dir():
            refuse(f"{folder}: no such folder")
    known = Known(args.rocvet)
    pages, missing = read_pages(args, known)
    if args.write_gpu_systems:
        args.write_gpu_systems.write_text(gpu_systems_toml(pages, known, args.write_gpu_systems), encoding="utf-8")
        return 0
    if args.propose:
        text_of_page = lambda page: text_of(args.tables, page.repository, page.at, page.path)
        cells = [cell for page, own, _ in pages if args.propose in page.releases for cell in own]
        left = [(cell, answer) for cell, answer in zip(cells, answers(args.rocvet, cells)) if answer not in cell.want]
        for file, text in proposals(pages, left, known, args.propose, text_of_page):
            print(f"# {file}\n{text}\n")
        for line in to_close(left, known, args.propose):
            print(f"# {line}")
        return 0
    if args.write_platforms:
        told = [(page, text_of(args.tables, page.repository, page.at, page.path)) for page, _, _ in pages if page.form in READERS]
        rows = platforms_toml([(page.form, page.name, page.read, page.releases, text) for page, text in told])
        args.write_platforms.write_text(rows, encoding="utf-8")
        return 0
    return verify(args, pages, missing)


def verify(args, pages, missing):
    cells = [cell for _, own, _ in pages for cell in own]
    explained, used = explanations(), collections.Counter()
    right, left, by_release = collections.Counter(), [], collections.defaultdict(collections.Counter)
    for cell, answer in zip(cells, answers(args.rocvet, cells)):
        reason = next((key for key in explained if key[1] == answer and key[0] in f"{cell.table}: {cell.where}"), None)
        release = by_release[dict(cell.question).get("rocm") or cell.where.partition(":")[0]]
        if answer in cell.want:
            right[cell.table] += 1
            release["agree"] += 1
        elif reason:
            used[reason] += 1
            release["explained"] += 1
        else:
            left.append((cell, answer))
            release["differ"] += 1
    for cell, answer in left[:args.show]:
        print(f"{cell.table}: {cell.where}: expected {'/'.join(cell.want)}, got {answer}  [{' '.join(cell.options())}]")
    if len(left) > args.show:
        print(f"… and {len(left) - args.show} more (--show)")
    for table, count in collections.Counter(cell.table for cell in cells).items():
        print(f"{right[table]:6d} of {count:6d} cells = {100 * right[table] / count:5.1f} %  {table}")
    for release in sorted(by_release, key=lambda text: [int(part) for part in re.findall(r"\d+", text)] or [0]):
        count = by_release[release]
        print(f"release {release}: {count['agree']} of {count.total()} agree, {count['explained']} explained, {count['differ']} differ")
    for name in missing:
        print(f"   not had: {name}")
    idle = [] if args.only else [key for key in explained if not used[key]]
    for cell, answer in idle:
        print(f"known_differences.tsv: '{cell}' ({answer}) explains nothing any more")
    if args.json:
        args.json.write_text(json.dumps([[c.table, c.where, dict(c.question), c.want, a] for c, a in left], indent=1))
    agree = sum(right.values())
    print(f"{len(pages)} tables, {len(cells)} cells, {agree} agree = {100 * agree / max(1, len(cells)):.2f} %, {sum(used.values())} explained, {len(left)} differ")
    return 1 if left or idle else 0


if __name__ == "__main__":
    sys.exit(main())
