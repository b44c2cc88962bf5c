"""Pages that register AMD's repositories: `.. selected::` pages from 7.14 on (ROCm/rocm-docs docs/install/include/200-install.rst, MIGraphX's own
in AMD-Ecosystem/ai-ecosystem), before them templates whose loops run over lists of docs/conf.py (ROCm/rocm-install-on-linux to 6.2.2, of the driver
ROCm/amdgpu-docs 6.4 to 7.0.2). Addresses and keys are compared with repositories.toml, packages with install.toml. Files to download alone (.run,
.tar.gz) and Linux inside Windows are left out."""
import ast
import re

from cells import compared
from install_pages import commands, has_index, on_page, rocm_cell
from selected_pages import blocks

SYSTEMS = {"oracle-linux": "oracle", "rocky-linux": "rocky"}
DEBIAN, RPM = ["ubuntu", "debian"], ["rhel", "oracle-linux", "rocky-linux", "sles"]
AMD = re.compile(r"https://[\w.-]*(?:radeon|amd)\.com/[^\s\"'>|]+")
# Words that are no package, and packages of the distributions that go before.
NO_PACKAGE = re.compile(r"\./|-|linux-|kernel-|python|lib|sudo|wget|zypper")


class Named:
    """What a page names for one system: (version or "", address or package)."""

    def __init__(self):
        self.urls, self.packages = {}, {}   # (system, version, what) -> where; an order without doubles

    def add(self, system, versions, line):
        system = SYSTEMS.get(system, system)
        for url in AMD.findall(line) if not re.search(r"\.(?:run|tar\.gz)\b|/whl|^pip|-m pip", line) else ():
            for version in versions:
                self.urls[system, version, url.rstrip("/")] = True
        installs = re.match(r"sudo (?:apt|dnf|yum|zypper)(?: -\S+| --\S+)* install (.+)", line)
        for package in installs[1].split() if installs else ():
            if not NO_PACKAGE.match(package):
                self.packages[system, package] = True


def selected_page(text):
    """A page of conditions: what stands under no system is for all that a tab or the page names."""
    named = Named()
    for code in blocks(text):
        tab = code.only("tab")
        systems = code.where.get("os", DEBIAN if tab.startswith("Debian") else RPM if tab.startswith("RPM") else [])
        for system in systems:
            for line in code.lines if system not in ("wsl", "windows") else ():
                named.add(system, code.where.get(f"{system}-ver", [""]), line)
    return named


def template_page(text, conf, system):
    """A page of loops. An address with `$ver` is of several releases at once and left out."""
    lists = {name: ast.literal_eval(value) for name, value in re.findall(r"^(\w+) = (\[.*?\])\s*$", conf, flags=re.M)}
    words = dict(re.findall(r"^(\w+_version) = '([^']+)'", conf, flags=re.M))
    named = Named()
    loop = re.compile(r"\{%-? *for (.+?) in (.+?) *-?%\}(.*?)\{%-? *endfor *-?%\}", re.S)
    for variables, source, body in loop.findall(text):
        there = re.search(r"\['(\w+)'\]", source) if source.startswith("config") else None
        for item in lists.get(there[1], []) if there else ast.literal_eval(source):
            values = dict(zip(re.findall(r"\w+", variables), item if isinstance(item, tuple) else [item]))
            for line in filled(body, values, words):
                named.add(system, [values.get("os_version") or values.get("os_release")], line)
    for line in filled(loop.sub("", text), {}, words):
        named.add(system, [""], line)
    return named


def filled(text, values, words):
    """Lines with a loop's values, the words of conf.py and the branch of `if NAME == 'value'` that the values take."""
    values = {**values, "os_major": str(values.get("os_version", "")).split(".")[0]}
    branch = re.compile(r"\{%-? *if (\w+) == '([^']*)' *-?%\}(.*?)(?:\{%-? *else *-?%\}(.*?))?\{%-? *endif *-?%\}", re.S)
    text = branch.sub(lambda found: found[3] if str(values.get(found[1])) == found[2] else found[4] or "", text)
    text = re.sub(r"\{\{ *(\w+) *\}\}", lambda name: str(values.get(name[1], name[0])), text)
    text = re.sub(r"\|(\w+)\|", lambda name: words.get(name[1], name[0]), text)
    return [line.strip() for line in text.split("\n") if "$ver" not in line]


class Words:
    """What fills the braces of a row: {rocm} as the repository names the release, the system's own."""

    def __init__(self, known, release, system, version):
        systems = [row for row in known.tables["system"] if row["os"] == system and same_system(version, row["version"])]
        codename = next((row.get("amd_codename") or row.get("codename", "") for row in systems), "")
        rocm = re.sub(r"\.0$", "", release)
        driver = next((row.get("driver") for row in known.tables["release"] if row["rocm"] == release), None)
        self.words = {"{rocm}": rocm, "{full}": release, "{series}": ".".join(release.split(".")[:2]), "{codename}": codename,
                      "{driver}": driver or rocm, "{version}": version, "{major}": version.split(".")[0],
                      "{compact}": "".join(version.split(".")[:2])}

    def fill(self, text):
        for word, value in self.words.items():
            text = text.replace(word, value)
        return text


def same_system(version, row):
    """ "24.04.5" of a page is "24.04" of a row, its "9" every "9.x"."""
    return version == row or version.startswith(row + ".") or row.startswith(version + ".")


def url_rows(known, release, system, version, url):
    """Rows that name the address for the system."""
    found = []
    for row in known.rows_of("repository", release):
        own = [each for each in row.get("versions", ()) if not version or same_system(version, each)]
        if system not in row["os"].split() or row.get("versions") and not own:
            continue
        words = [Words(known, release, system, each) for each in ([version] if version else own or [""])]
        if any(word.fill(each).rstrip("/") == url for word in words for each in row["url"]):
            found.append(row)
    return found


def package_rows(known, release, system, package):
    """Rows that install the package; a name with a target is that of a row with the target."""
    target = re.search(r"-(gfx\w+)$", package)
    for row in known.rows_of("install", release):
        if not {system, "*"} & set(row["os"].split()) or target and target[1] not in row.get("gfx", ()):
            continue
        steps = " ".join(row.get("steps", ())).replace("{gfx}", target[1] if target else "{gfx}")
        if re.search(rf"install (?:\S+ )*{re.escape(package)}(?!\S)", Words(known, release, system, "").fill(steps)):
            yield row


def named_cells(table, release, named, known):
    for system, version, url in named.urls:
        yield compared(table, f"{release}: {system} {version or 'of any version'}: {url}", url_rows(known, release, system, version, url))
    for system, package in named.packages:
        yield compared(table, f"{release}: {system}: package {package}", list(package_rows(known, release, system, package)))


def rows_named(table, release, named, known, is_own):
    """The other way: what a row that has the page as its source gives each of its systems."""
    systems = {system for system, _, _ in named.urls}
    for row in known.rows_of("repository", release):
        for system in systems & set(row["os"].split()) if is_own(row["source"]) else ():
            for version in row.get("versions", ()):
                for url in row["url"]:
                    own = Words(known, release, system, version).fill(url).rstrip("/")
                    there = any(system == s and own == u and (not v or same_system(v, version)) for s, v, u in named.urls)
                    yield on_page(table, f"{release}: row of {system} {version}: {own}", there)
    for row in known.rows_of("install", release):
        for system in systems & set(row["os"].split()) if is_own(row["source"]) else ():
            for gfx in row.get("gfx", ()):
                yield on_page(table, f"{release}: row that installs for {gfx} on {system}",
                              any(s == system and package.endswith(f"-{gfx}") for s, package in named.packages))


def is_of_page(table):
    """Whether a source names this page; one source may name a path at two commits."""
    repository, _, rest = table.partition("@")
    commit, _, path = rest.partition(":")
    return lambda source: repository in source and path in source and commit in source


def repository_page(table, text, releases, known):
    release, named = releases[0], selected_page(text)
    yield from named_cells(table, release, named, known)
    for index, wheels, _ in commands(text):
        for wheel in wheels:
            if wheel.package == "rocm":
                yield rocm_cell(table, release, wheel, known)
                yield compared(table, f"{release}: index {index} for rocm", has_index(index, {"rocm"}, "rocm", release, [], known))
    yield from rows_named(table, release, named, known, is_of_page(table))


def native_page(table, text, conf, releases, known):
    """The text is the template, `conf` docs/conf.py."""
    name = re.sub(r"^package-manager-|\.rst$", "", table.rsplit("/", 1)[1])
    system = {"sle": "sles", "ol": "oracle", "rl": "rocky"}.get(name, name)
    release, named = releases[0], template_page(text, conf, system)
    yield from named_cells(table, release, named, known)
    repository, folder = table.partition("@")[0], table.partition(":")[2].rsplit("/", 1)[0]
    yield from rows_named(table, release, named, known, lambda source: f"{repository}@" in source and folder in source)
