"""Rows of db/ from what the tables say, folded into ranges of releases, for review."""
import json
import re
import tomllib


def version_key(text):
    return tuple(int(part) for part in text.split("."))


def range_of(order, first, last):
    """The range that holds just the releases from first to last of `order`."""
    short = lambda version: version.removesuffix(".0")
    after = order.index(last) + 1
    return f">={short(first)}, <{short(order[after])}" if after < len(order) else f"={first}" if first == last else f">={short(first)}, <={last}"


def releases_of(text, order):
    """The releases of `order` in a range as range_of() writes it."""
    compare = {">=": lambda a, b: a >= b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b}
    full = lambda version: (version_key(version) + (0, 0))[:3]
    bounds = [re.fullmatch(r"(>=|<=|<|=)(.+)", part.strip()).groups() for part in text.split(",")]
    return [release for release in order if all(compare[op](full(release), full(bound)) for op, bound in bounds)]


def kept(file, order, read):
    """[(GPU, release, systems, source)] of the rows that are there for releases whose tables are not at hand."""
    if not file.exists():
        return []
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("gpu_systems", [])
    return [(gpu, release, tuple(row["systems"]), (row["source"], row["checked"]))
            for row in rows for release in releases_of(row["rocm"], order) if release not in read for gpu in row["gpus"]]


def gpu_systems_toml(pages, known, file):
    order = sorted(known.releases, key=version_key)
    products = {name.lower(): name for name in known.names}
    grids, sources, lists, unknown = {}, {}, {}, set()
    for page, _, own in pages:
        for release, grid in own.items():
            grids[release] = grids[release].joined(grid) if release in grids else grid
            for gpu in grid.of:
                sources.setdefault((products.get(gpu.lower()), release), []).append((page.source, page.read))
    for release, grid in grids.items():
        for gpu, systems in grid.items().items():
            name = products.get(gpu.lower())
            if name is None:
                unknown.add(gpu)
                continue
            lists.setdefault(name, {})[release] = systems
    here = kept(file, order, grids)
    for gpu, release, systems, source in here:
        lists.setdefault(gpu, {})[release] = systems
        sources.setdefault((gpu, release), []).append(source)
    if here:
        print("kept as they are, their tables not at hand: " + ", ".join(sorted({release for _, release, _, _ in here}, key=version_key)))
    runs = {}  # (first, last, systems, sources) -> GPUs
    for gpu, by_release in lists.items():
        run = None
        for release in order:
            systems = by_release.get(release)
            if run and systems == run[2]:
                run[1], run[3] = release, run[3] + sources[gpu, release]
                continue
            if run:
                runs.setdefault((run[0], run[1], run[2], tuple(dict.fromkeys(run[3]))), []).append(gpu)
            run = [release, release, systems, list(sources[gpu, release])] if systems else None
        if run:
            runs.setdefault((run[0], run[1], run[2], tuple(dict.fromkeys(run[3]))), []).append(gpu)
    out = ["# All systems that a range of releases supports a GPU on, with the kernels that are listed for it there. Made by tools/import --write-gpu-systems of",
           "# the tables in tools/import/tables.toml. How to read and extend this file: db/README.md.", "schema = 1"]
    for (first, last, systems, origin), gpus in sorted(runs.items(), key=lambda item: (version_key(item[0][0]), sorted(item[1]))):
        names = list(dict.fromkeys(name for name, _ in origin))
        text = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        out += ["", "[[gpu_systems]]", f"gpus = {wrapped(sorted(gpus))}", f"rocm = {json.dumps(range_of(order, first, last))}",
                f"systems = {wrapped(systems)}", f"source = {json.dumps(text)}", f"checked = {max(read for _, read in origin)}"]
    for gpu in sorted(unknown):
        print(f"not a product of db/: {gpu}")
    return "\n".join(out) + "\n"


def wrapped(items):
    """A list of TOML, at most 150 columns wide."""
    lines, line = [], ""
    for item in items:
        word = json.dumps(item, ensure_ascii=False) + ", "
        if len(line) + len(word) > 146:
            lines.append(line.rstrip())
            line = ""
        line += word
    lines.append(line.rstrip(", "))
    return f"[{lines[0]}]" if len(lines) == 1 else "[\n  " + "\n  ".join(lines) + ",\n]"
