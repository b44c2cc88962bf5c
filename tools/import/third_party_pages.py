"""Pages of frameworks before 7.14: docs/…/3rd-party/*-install.rst of ROCm/rocm-install-on-linux (commands under tabs, TensorFlow's versions by
release) and docs/compatibility/ml-compatibility/*.rst of ROCm/ROCm (tables of images, 6.3). Compared with containers.toml and wheels.toml."""
import re

from cells import compared
from install_pages import commands, images, is_of, is_series, on_page
from selected_pages import blocks

FRAMEWORKS = {"PyTorch": "pytorch", "tensorflow-rocm": "tensorflow", "TensorFlow": "tensorflow", "JAX": "jax"}
PYPI, RADEON = "https://pypi.org/project/tensorflow-rocm", "https://repo.radeon.com/rocm/manylinux/rocm-rel-{}/"


def image_cells(table, release, image, facts, known):
    """facts: column of containers.toml -> value, the version with its framework before it."""
    name, tag = image.split(":")
    rows = [row for row in known.tables["container"] if row["image"] == name and row["tag"] == tag]
    yield compared(table, f"{release}: image {image}", rows)
    for key, value in facts.items():
        same = (lambda row: is_series(value, row.get(key, ""))) if key == "version" else (lambda row: row.get(key) == value)
        yield compared(table, f"{release}: image {image}: {key} {value}", any(same(row) for row in rows))


def third_party_page(table, text, releases, known):
    release = releases[0]
    for code in blocks(text):
        tabs = dict(tab.split(" ")[:2] for tab in code.where.get("tabs", ()) if " " in tab)
        facts = {"python": tabs["Python"]} if "Python" in tabs else {}
        for name in FRAMEWORKS.keys() & tabs.keys():
            facts |= {"framework": FRAMEWORKS[name], "version": tabs[name]}
        for image in images(code):
            system = re.search(rf"{re.escape(image)}\s*\n((?!docker pull).)*?\* - Ubuntu\n.*?\* - (\d\d\.04)\n", text, flags=re.S)
            yield from image_cells(table, release, image, facts | ({"os": f"ubuntu-{system[2]}"} if system and facts else {}), known)
    for index, _, _ in commands(text):
        if index.startswith("http"):
            own = index.rstrip("/")
            yield compared(table, f"{release}: index {index}", any(row.get("index", "").rstrip("/") == own for row in known.tables["wheel"]))
    yield from tensorflow_cells(table, text, known)


def tensorflow_cells(table, text, known):
    """The table of TensorFlow's versions: a series of ROCm has them in a folder of its own, before 6.1 on PyPI."""
    part = re.search(r"\* - ROCm version\n +- TensorFlow version\n((?: +\* - .*\n +- .*\n)+)", text)
    for series, versions in re.findall(r"\* - ([\d.]+)\.x\n +- (.*)", part[1] if part else ""):
        index = PYPI if series < "6.1" else RADEON.format(series)
        for version in re.findall(r"[\d.]+\d", versions):
            rows = [row for row in tensorflow_rows(known, version) if is_of(series, row["rocm"])]
            yield compared(table, f"{series}: tensorflow {version}", rows)
            own = index.removesuffix("/")
            yield compared(table, f"{series}: tensorflow {version} from {index}", any(row.get("index", "").startswith(own) for row in rows))


def tensorflow_rows(known, version):
    return [row for row in known.tables["wheel"] if row["framework"] == "tensorflow" and row["version"] == version]


def compatibility_page(table, text, releases, known):
    """Tables of images whose first cell is a link to Docker Hub."""
    listed = set()
    for part in re.split(r"^(?= +\* - \.\. raw:: html)", text, flags=re.M)[1:]:
        part = re.split(r"^\S", part, flags=re.M)[0]   # the last row of a table ends with it
        link = re.search(r"hub\.docker\.com/layers/([\w-]+/[\w-]+)/([^/]+)/images", part)
        if not link:
            continue
        cells = [re.sub(r"`([^`<]*?) *<[^`]*`_*", r"\1", cell.strip()) for cell in re.findall(r"^ +- (.*)$", part, flags=re.M)]
        framework = link[1].split("/")[1].removesuffix("-community")
        image = f"{link[1]}:{link[2]}"
        listed.add(image)
        facts = {"framework": framework, "version": re.search(r"[\d.]+", cells[0])[0]}
        system = next((cell for cell in cells if re.fullmatch(r"(?:Ubuntu )?\d\d\.04", cell)), "")
        python = next((cell for cell in cells[1:] if re.fullmatch(r"(?:Python )?3\.\d+\.\d+", cell)), "")
        facts |= {"os": f"ubuntu-{system.split()[-1]}"} if system else {}
        facts |= {"python": ".".join(python.split()[-1].split(".")[:2])} if python else {}
        yield from image_cells(table, releases[0], image, facts, known)
        wheel = re.search(r"(https://repo\.radeon\.com/rocm/manylinux/[\w.-]+/)tensorflow_rocm-([\d.]+)-cp3(\d+)-", part)
        if wheel:
            rows = [row for row in tensorflow_rows(known, wheel[2]) if row.get("index") == wheel[1]]
            yield compared(table, f"{releases[0]}: tensorflow {wheel[2]} from {wheel[1]}", rows)
            yield compared(table, f"{releases[0]}: tensorflow {wheel[2]} from {wheel[1]} for Python 3.{wheel[3]}",
                           any(f"3.{wheel[3]}" in row.get("python", ()) for row in rows))
    repository, _, rest = table.partition("@")
    branch, _, path = rest.partition(":")
    for row in known.tables["container"]:
        if all(part in row["source"] for part in (repository, f"({branch},", path)):
            yield on_page(table, f"{row['rocm']}: row of image {row['image']}:{row['tag']}", f"{row['image']}:{row['tag']}" in listed)
