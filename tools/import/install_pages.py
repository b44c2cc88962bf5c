"""AMD's pages that install a framework from 7.14 on (docs/frameworks/*/include, docs/inference/include of AMD-Ecosystem/ai-ecosystem): images
and pip commands. No question asks of either: they are compared with the rows of containers.toml and wheels.toml, and a row that names the page as
its source must stand on it."""
import re
import shlex
import urllib.parse

from cells import Cell, compared
from plain_yaml import same
from selected_pages import INSTALLS, blocks

# What a package is called in wheels.toml where it has rows of its own; of all others the commands of the rows are read.
FRAMEWORKS = {"torch": "pytorch", "flash-attn": "flash-attention", "tensorflow-rocm": "tensorflow", "onnxruntime-migraphx": "onnxruntime"}
EVERY = {"instinct", "radeon", "ryzen"}


def framework_of(page):
    """ "…:docs/frameworks/jax/include/rocm10.0.0-docker.rst" -> "jax" """
    return re.search(r"docs/(?:frameworks|inference/include)/([\w.]+)/", page)[1]


def on_page(table, where, is_there):
    """A cell the other way: whether what a row of the database gives as the page's stands on the page."""
    return Cell(table, where, (), ("on the page",), "on the page" if is_there else "not on the page")


def is_of(rocm, release):
    """ "7.14" is that of 7.14.0, and of 7.14.1 too."""
    return same(rocm, release) or release.startswith(rocm + ".")


def is_series(version, series):
    """Whether one names the other's series or the same: a page's selector has "2.19" for 2.19.1, a tag "2.16" for 2.16.0."""
    return bool(series) and (same(version, series) or version.startswith(series + ".") or series.startswith(version + "."))


def images(code):
    for line in code.lines:
        if line.startswith(("docker pull ", "docker run ")):
            yield from (word for word in line.split() if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+:[\w.+-]+", word))


def image_facts(text, framework):
    """image -> what the page says of it: {"python": {"3.12"}, "version": {…}, "os": {…}, "family": {…}}"""
    found = {}
    for code in blocks(text):
        for image in images(code):
            facts = found.setdefault(image, {"python": set(), "version": set(), "os": set(), "family": set()})
            tab = code.only("tab").split(" ")
            facts["python"].update(tab[1:] if tab[0] == "Python" else [])
            facts["os"].update(["-".join(tab).lower()] if tab[0] == "Ubuntu" else [])
            facts["version"].update(code.where.get(f"{framework}-ver", []))
            facts["family"].update(EVERY if code.only("fam") == "all" else code.where.get("fam", []))
    return found


def docker_page(table, text, releases, known):
    framework, release = framework_of(table), releases[0]
    found = image_facts(text, framework)
    for image, facts in found.items():
        rows = [row for row in known.tables["container"] if f"{row['image']}:{row['tag']}" == image and is_of(row["rocm"], release)]
        yield compared(table, f"{release}: image {image}", rows)
        for version in sorted(facts["version"]):
            yield compared(table, f"{release}: image {image}: {framework} {version}",
                           any(row.get("framework") == framework and is_series(version, row.get("version", "")) for row in rows))
        for key in ("python", "os"):
            for value in sorted(facts[key]):
                yield compared(table, f"{release}: image {image}: {key} {value}", any(row.get(key) == value for row in rows))
        if facts["family"]:
            yield compared(table, f"{release}: image {image} for {' '.join(sorted(facts['family']))}",
                           any(facts["family"] == families(row, known) for row in rows))
    for row in known.tables["container"]:
        if table in row["source"]:
            image = f"{row['image']}:{row['tag']}"
            yield on_page(table, f"{release}: row of image {image}", image in found)


def families(row, known):
    """Of a row's targets; one without targets is for all."""
    if not row.get("gfx"):
        return EVERY
    kinds = {gpu["kind"] for gpu in known.tables["gpu"] if gpu["gfx"] in row["gfx"]}
    other = {"radeon", "ryzen"} if kinds - {"instinct"} else set()
    return other | ({"instinct"} if "instinct" in kinds else set())


class Wheel:
    """What one word of a pip command asks for."""

    def __init__(self, package, version, gfx, system, url=""):
        self.package, self.version, self.gfx, self.system, self.url = package, version, gfx, system, url

    @classmethod
    def of(cls, word, code):
        """ 'torch[device-gfx942]==2.14.0+rocm10.1.0' or the address of a wheel; None: an option."""
        system = "Windows" if code.only("os") == "windows" else "Linux"
        named = re.fullmatch(r"([\w.-]+)(?:\[([^\]]*)\])?==(.+)", word)
        if named:
            device = re.search(r"device-(\w+)", named[2] or "")
            return cls(named[1], named[3], device[1] if device else code.only("gfx"), system)
        if re.fullmatch(r"https?://\S+\.whl", word):
            name, version = urllib.parse.unquote(word).rsplit("/", 1)[1].split("-")[:2]
            return cls(name.replace("_", "-"), version, code.only("gfx"), system, word)
        return None

    def framework(self):
        return FRAMEWORKS.get(self.package, self.package)

    def is_row(self, row):
        """Whether a row is of it, whatever the target: its framework and version, or the very words in its command."""
        short = self.version.split("+")[0]
        if row["framework"] == self.framework() and (same(row["version"], short) or self.url and short.startswith(row["version"])):
            return True
        return self.url in row.get("install", "") if self.url else bool(self.spec().search(row.get("install", "")))

    def spec(self):
        return re.compile(rf"(?<![\w-]){re.escape(self.package)}(?:\[[^\]]*\])?=={re.escape(self.version)}(?![\w.+])")


def commands(text):
    """(index, its wheels, the block) of every pip command."""
    for code in blocks(text):
        for line in code.lines:
            if not INSTALLS.match(line) and not line.startswith("wget "):
                continue
            words = shlex.split(line)
            index = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in ("--index-url", "--extra-index-url", "-f")), "")
            yield index, [wheel for wheel in (Wheel.of(word, code) for word in words) if wheel], code


def pip_page(table, text, releases, known):
    framework, release = framework_of(table), releases[0]
    rows = [row for row in known.tables["wheel"] if same(row["rocm"], release)]
    asked = list(commands(text))
    for index, wheels, _ in asked:
        for wheel in wheels:
            yield rocm_cell(table, release, wheel, known) if wheel.package == "rocm" else wheel_cell(table, release, wheel, rows)
            if wheel.url:
                yield compared(table, f"{release}: {wheel.url}", any(wheel.url in row.get("install", "") for row in rows))
        names = {FRAMEWORKS.get(wheel.package, wheel.package) for wheel in wheels}
        if index:
            yield compared(table, f"{release}: index {index} for {' '.join(sorted(names))}", has_index(index, names, framework, release, rows, known))
    for python in sorted(pythons(text)):
        yield compared(table, f"{release}: {framework} by pip, Python {python}",
                       any(row["framework"] == framework and python in row.get("python", ()) for row in rows))
    wheels = [wheel for _, wheels, _ in asked for wheel in wheels]
    yield from rows_on_page(table, release, wheels, known)
    yield from installed_cells(table, release, wheels, known)


def installed_cells(table, release, wheels, known):
    """The other way for install.toml: what its rows of PyTorch from this page install for each of their targets."""
    for row in known.rows_of("install", release):
        if row["what"] != "pytorch" or table not in row["source"]:
            continue
        for gfx in row.get("gfx", ()):
            asked = [word for step in row["steps"] for word in shlex.split(step.replace("{gfx}", gfx)) if "==" in word]
            named = {f"{wheel.package}=={wheel.version}" for wheel in wheels if wheel.gfx in (gfx, "") and wheel.system == "Linux"}
            yield on_page(table, f"{release}: install.toml for PyTorch on {gfx}", named.issuperset(re.sub(r"\[.*\]", "", word) for word in asked))


def wheel_cell(table, release, wheel, rows):
    target = "" if wheel.gfx in ("", "all") else wheel.gfx
    fits = [row for row in rows if wheel.is_row(row) and (not target or not row.get("gfx") or target in row["gfx"])]
    if wheel.package == "torch" and wheel.system == "Windows":
        fits = [row for row in fits if windows_of(row) and (not target or target in windows_of(row))]
    return compared(table, f"{release}: {wheel.system}, {wheel.package} {wheel.version} for {wheel.gfx or 'all'}", fits)


def windows_of(row):
    """Targets that a row's condition gives Windows wheels to."""
    return re.findall(r"gfx\w+", (re.search(r"Windows wheels named for ([gfx\d a-z]*)", row.get("condition", "")) or ["", ""])[1])


def rocm_cell(table, release, wheel, known):
    """ROCm itself by pip: of the release, for a target whose packages the release has."""
    targets = {gfx for row in known.rows_of("install", release) if row["what"] == "rocm" for gfx in row.get("gfx", ())}
    return compared(table, f"{release}: {wheel.system}, ROCm {wheel.version} by pip for {wheel.gfx}",
                    same(wheel.version, release) and (wheel.gfx in ("", "all") or wheel.gfx in targets))


def has_index(index, names, framework, release, rows, known):
    own = index.rstrip("/")
    if "rocm" in names and any(own == url.rstrip("/") for row in known.rows_of("repository", release) for url in row["url"]):
        return True
    return any(row["framework"] in names | {framework} and (row.get("index", "").rstrip("/") == own or own in row.get("install", "")) for row in rows)


def pythons(text):
    """Of the environments that the page makes, and of its wheels."""
    lines = [line for code in blocks(text) for line in code.lines]
    made = [minor for line in lines for minor in re.findall(r"^python3\.(\d+) -m venv", line)]
    return {f"3.{minor}" for minor in made + [minor for line in lines for minor in re.findall(r"-cp3(\d+)-", line)]}


def rows_on_page(table, release, wheels, known):
    for row in known.tables["wheel"]:
        if table not in row["source"] or not same(row["rocm"], release):
            continue
        own = [wheel for wheel in wheels if wheel.is_row(row)]
        name = f"{release}: row of {row['framework']} {row['version']}"
        yield on_page(table, name, own)
        targets = {wheel.gfx for wheel in own if wheel.framework() == row["framework"]}
        for gfx in row.get("gfx", ()) if targets and "" not in targets else ():
            yield on_page(table, f"{name}: {gfx}", gfx in targets)
