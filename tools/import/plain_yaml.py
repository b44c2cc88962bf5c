"""docs/data/gpus.yaml: the target of each product; components-current.yaml: the version of each component. No question asks of either: they are
compared with the rows."""
import re

from cells import compared, plain
from gpu_systems import yaml_of

COMPONENTS = {"LLVM": "llvm-project", "ROCgdb": "ROCm Debugger (ROCgdb)"}


def gpus(table, text, releases, known):
    names = {}
    for row in known.tables["gpu"]:
        for name in (row["name"], row["name"].split(" (")[0], *row.get("aliases", ())):
            names.setdefault(name.lower(), set()).add(row["gfx"])
    for products in yaml_of(text).values():
        for name, entry in products.items():
            product = re.sub(r"^AMD\s+", "", plain(name))
            yield compared(table, f"{releases[-1]}: {product} is {entry['gfx']}", entry["gfx"] in names.get(product.lower(), ()))


def components(table, text, releases, known):
    for part in yaml_of(text).values():
        for name, entry in part["components"].items():
            own = COMPONENTS.get(name, name)
            for release in releases:
                rows = [row for row in known.rows_of("component", release) if row["component"] == own]
                there = any(same(row.get("version", ""), str(entry["version"])) for row in rows)
                yield compared(table, f"{release}: {name} {entry['version']}", there)


def same(row, listed):
    """ "5.6" is "5.6.0"."""
    return re.sub(r"(\.0)+$", "", row) == re.sub(r"(\.0)+$", "", listed)
