"""Rows of db/ that a new release lacks, for review: of the cells that differ, what a row of its own would say. A GPU or a system whose rows have an
open range needs none."""
import json

from ai_matrix import rows as framework_rows

FILES = {"rhel": "rhel", "ubuntu": "ubuntu", "debian": "debian", "oracle": "oracle", "rocky": "rocky", "sles": "sles", "azurelinux": "azurelinux"}


def row(kind, page, release, **columns):
    lines = [f"[[{kind}]]"] + [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in columns.items() if value]
    return "\n".join(lines + [f'rocm = "={release}"', 'verdict = "supported"', f"source = {json.dumps(page.name)}", f"checked = {page.read}"])


def kinds_of(known, gpus):
    kind = {name: each["kind"] for each in known.tables["gpu"] for name in (each["name"], each["name"].split(" (")[0])}
    return sorted({kind[gpu] for gpu in gpus if gpu in kind})


def is_open(ranges):
    return ">" in ranges and "<" not in ranges


def to_close(left, known, release):
    """Rows with an open range by which the release still has what its table has no more."""
    found = {}
    for cell, _ in left:
        asked = dict(cell.question)
        # A framework's row may hold for other targets than the release's own.
        if asked.get("rocm") != release or "supported" in cell.want and "framework" not in asked:
            continue
        kind = "framework" if "framework" in asked else "driver" if "driver" in asked else "os" if "gpu" not in asked else ""
        for row in known.rows_of(kind, release) if kind else ():
            name, _, version = asked.get("framework", "").partition("=")
            same = {"framework": row.get("framework") == name and version in row.get("versions", ()), "driver": row.get("numbering") == "amdgpu",
                    "os": row.get("os") == asked.get("os", "").partition(" ")[0]}[kind]
            if same and is_open(row["rocm"]):
                what = row.get("versions") or row.get("driver") or row.get("version")
                found[f"{row.get('where', kind)}: the range of {row.get(kind, '')} {what} ends before {release}? ({row['rocm']})"] = None
    return list(found)


def proposals(pages, left, known, release, text_of_page):
    """[(file, row)]; `left`: (cell, answer) of cells that differ."""
    by_name, out, drivers = {page.name: page for page, _, _ in pages}, {}, {}
    for cell, _ in left:
        asked, page = dict(cell.question), by_name[cell.table]
        if asked.get("rocm") != release or "supported" not in cell.want:
            continue
        unlisted = asked.get("gpu") in known.target and known.verdict(gpu=asked["gpu"], rocm=release) not in ("supported", "deprecated")
        if unlisted and "os" in asked:
            gfx = known.target[asked["gpu"]]
            out[f"db/support/{gfx}.toml", asked["gpu"]] = row("support", page, release, gfx=gfx, gpus=[asked["gpu"]])
        elif set(asked) == {"gpu", "os", "rocm"} or set(asked) == {"os", "rocm"}:
            name, _, version = asked["os"].partition(" ")
            grid = next((grids[release] for own, _, grids in pages if own is page and release in grids), None)
            kernels = sorted({k for own in grid.of.values() for k in own.get(asked["os"], ())}) if grid else []
            out[f"db/os/{FILES.get(name, name)}.toml", asked["os"]] = row("os", page, release, os=name, version=version, kernels=kernels)
        elif "driver" in asked:
            drivers.setdefault((asked["driver"], page), set()).add(asked.get("gpu", ""))
        elif set(asked) == {"gpu", "rocm"} and asked["gpu"] in known.target:
            gfx = known.target[asked["gpu"]]
            out[f"db/support/{gfx}.toml", asked["gpu"]] = row("support", page, release, gfx=gfx, gpus=[asked["gpu"]])
    for (driver, page), gpus in drivers.items():
        out["db/driver.toml", driver] = row("driver", page, release, driver=f"={driver}", numbering="amdgpu", kinds=kinds_of(known, gpus))
    for page, _, _ in pages:
        if page.form == "ai-matrix" and release in page.releases:
            for framework, text in framework_rows(text_of_page(page), [release], known, page.name, page.read).items():
                if not any(page.name in row["source"] for row in known.rows_of("framework", release) if row["framework"] == framework):
                    out[f"db/frameworks/{framework}.toml", ""] = text.strip()
    return [(file, text) for (file, _), text in sorted(out.items())]
