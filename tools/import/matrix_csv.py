"""compatibility-matrix-historical-*.csv: a column a release ("7.2.4/7.2.3" is two)."""
import csv
import io
import re

from cells import BAD, GOOD, LEFT_OUT, cell, is_listed, plain, releases, systems
from gpu_systems import Grid
from support_pages import footnotes

FRAMEWORKS = {"pytorch": "pytorch", "tensorflow": "tensorflow", "jax": "jax", "onnx runtime": "onnxruntime"}


def rows_of(text):
    """The matrix of a CSV file, or of the page that has it inline; its first row is the releases."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if "ROCm Version" in line)
    if ":header:" in lines[start]:
        lines[start] = re.sub(r",\s+", ",", lines[start].split(":header:")[1].strip())
    return list(csv.reader(io.StringIO("\n".join(lines[start:]))))


def matrix(table, text, all_releases, known):
    rows = rows_of(text)
    columns = [releases(name.strip()) for name in rows[0][1:]]
    width = len(rows[0])
    rows = [rows[0]] + [row for row in rows[1:] if len(row) == width]
    listed = {}
    section = ""
    for row in rows[1:]:
        if row and row[0].strip():
            section = plain(row[0]).lower()
        for named, part in zip(columns, row[1:]):
            part = part.strip()
            if not part or part.startswith(".. _") or part == "N/A":
                continue
            for release in named:
                yield from cells_of(table, section, release, part, listed)
    for named in columns:
        for release in named:
            for name in known.systems:
                if not is_listed(name, listed.get(("system", release), {name})):
                    yield cell(table, f"{release}: system {name}, left out", BAD, os=name, rocm=release)
            for name in known.targets:
                if name not in listed.get(("gfx", release), {name}):
                    yield cell(table, f"{release}: target {name}, left out", LEFT_OUT, gpu=name, rocm=release)


def cells_of(table, section, release, part, listed):
    if "operating system" in section:
        for name in systems(part):
            listed.setdefault(("system", release), set()).add(name)
            yield cell(table, f"{release}: system {name}", GOOD, os=name, rocm=release)
    elif "llvm target" in section:
        for gfx in re.findall(r"gfx[0-9a-f]+", part):
            listed.setdefault(("gfx", release), set()).add(gfx)
            yield cell(table, f"{release}: target {gfx}", GOOD, gpu=gfx, rocm=release)
    elif "user space versions" in section:
        for user in re.findall(r"(\d+\.\d+)\.x", plain(part)):
            yield cell(table, f"{release}: driver of it, user space {user}", GOOD, driver=release, rocm=user)
    elif "kmd versions" in section or "amd gpu driver" in section:
        for driver in re.findall(r"\d+(?:\.\d+)+(?:\.x)?", plain(part)):
            yield cell(table, f"{release}: driver {driver}", GOOD, driver=driver.removesuffix(".x"), rocm=release)
    else:
        name = FRAMEWORKS.get(section)
        for version in re.findall(r"\d+(?:\.\d+)+", plain(part)) if name else ():
            yield cell(table, f"{release}: {section}", GOOD, framework=f"{name}={version}", rocm=release)


def matrix_grids(text, notes_text, known):
    """release -> grid: systems and targets of its column, less what the footnotes that the column's cells carry say. `known.supported`:
    release -> products that the database has as supported, by target."""
    rows = rows_of(text)
    notes, grids = footnotes(notes_text), {}
    for at, named in enumerate(releases(name.strip()) for name in rows[0][1:]):
        section, oses, gfx, marks = "", [], [], []
        for row in rows[1:]:
            if len(row) != len(rows[0]):
                continue
            section = plain(row[0]).lower() if row[0].strip() else section
            part = row[at + 1]
            if "operating system" in section:
                oses += systems(part)
            elif "llvm target" in section:
                gfx += re.findall(r"gfx[0-9a-f]+", part)
            else:
                continue
            marks += re.findall(r"\[#([^\]]*)\]_", part)
        for release in named:
            gpus = [gpu for target in gfx for gpu in known.supported(release).get(target, ())]
            grids[release] = Grid(gpus, {system: [] for system in oses})
            for note in dict.fromkeys(marks):
                grids[release].apply(notes.get(note, ""))
    return grids
