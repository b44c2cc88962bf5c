"""docs/reference/docker-image-support-matrix.rst (6.0 to 6.2): images by tag with their inventory, under tabs of a framework and a system. A tag is
that of the link to Docker Hub, for the words of the link leave parts of it out. Compared with the rows of containers.toml."""
import re

from cells import compared
from install_pages import is_series, on_page
from plain_yaml import same

FRAMEWORKS = {"rocm/pytorch": ("pytorch", ("PyTorch", "Torch")), "rocm/tensorflow": ("tensorflow", ("tensorflow-rocm",))}
SYSTEMS = {"Ubuntu": "ubuntu", "CentOS": "centos"}


def entries(text):
    """(image, tag, system, {"ROCm": "6.2", "Python": "3.10", "PyTorch": "2.3.0"}) of each tag."""
    system = ""
    for part in re.split(r"^(?= +\.\. tab-item:: | +Tag\b)", text, flags=re.M):
        tab = re.match(r" +\.\. tab-item:: (\w+) ?([\d.]*)", part)
        if tab:
            system = f"{SYSTEMS[tab[1]]}-{tab[2]}" if tab[1] in SYSTEMS else ""
        tag = re.match(r" +Tag:?\s+`[^`<]+ <https://hub\.docker\.com/layers/(\w+/[\w-]+)/([^/]+)/images", part)
        if tag:
            yield tag[1], tag[2], system, dict(re.findall(r"^ +\* `([\w -]+?) (\d[\d.]*)(?: \(\w+\))? <", part, flags=re.M))


def image_matrix(table, text, releases, known):
    listed = set()
    for image, tag, system, parts in entries(text):
        listed.add((image, tag))
        framework, names = FRAMEWORKS[image]
        release, python = parts["ROCm"], parts["Python"]
        version = next(parts[name] for name in names if name in parts)
        where = f"{release}: image {image}:{tag}"
        rows = [row for row in known.tables["container"] if row["image"] == image and row["tag"] == tag]
        yield compared(table, where, rows)
        yield compared(table, f"{where}: ROCm {release}", any(same(row["rocm"], release) for row in rows))
        yield compared(table, f"{where}: {system}", any(row.get("os") == system for row in rows))
        yield compared(table, f"{where}: Python {python}", any(row.get("python") == python for row in rows))
        yield compared(table, f"{where}: {framework} {version}", any(is_series(version, row.get("version", "")) for row in rows))
    repository, _, rest = table.partition("@")
    branch, _, path = rest.partition(":")
    for row in known.tables["container"]:
        if all(part in row["source"] for part in (repository, branch, path)):
            yield on_page(table, f"{row['rocm']}: row of image {row['image']}:{row['tag']}", (row["image"], row["tag"]) in listed)
