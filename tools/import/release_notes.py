"""Release notes from 7.9 to 7.13: tables of HTML, in one page or in one file each, that their titles tell apart. GPUs with their targets and (7.9,
7.10) systems; systems under the tab of a family; drivers and firmware of each GPU; frameworks with their Python."""
import re

from cells import BAD, GOOD, LEFT_OUT, cell, compared, is_listed, kernels, product, systems
from gpu_systems import Grid
from html_tables import html_tables

FRAMEWORKS = {"pytorch": "pytorch", "tensorflow": "tensorflow", "jax": "jax", "vllm": "vllm", "onnx runtime": "onnxruntime"}
# Where a table of drivers names the family alone, these are asked about.
EXAMPLES = {"instinct": ("Instinct MI300X",), "radeon": ("Radeon RX 7900 XTX", "Radeon PRO W7900"), "ryzen": ("Ryzen AI Max+ 395",)}


def listed_systems(name, kernel):
    """[(system, kernels)] of "Ubuntu 24.04.3", "(GA kernel: 6.8)". Oracle's own kernel has numbers of its own."""
    if name.startswith("Windows"):
        return [(" ".join(name.lower().split()[:2]), [])]
    return [(system, [] if "UEK" in kernel else kernels(re.sub(r"[()]", " ", kernel))) for system in systems(name)]


class Notes:
    """.gfx[GPU] = target, .systems[GPU] = {system: kernels}, .drivers[GPU] = versions, .firmware[GPU] = lines,
    .frameworks = [(name, versions, targets, Linux or Windows, versions of Python)]"""

    def __init__(self, text):
        self.gfx, self.systems, self.drivers, self.firmware, self.frameworks = {}, {}, {}, {}, []
        self.of_tab, self.tab_of, without_windows = {}, {}, set()
        for table in html_tables(text):
            at = {title: column for column, title in enumerate(table.titles)}
            for row in table.rows:
                own = {title: row[column] for title, column in at.items() if column < len(row)}
                if "device" in at and "llvm target" in at:
                    self.add_gpus(table.tab, own)
                elif "linux kernel version" in at:
                    self.add_system(table.tab, row)
                elif "linux driver" in at:
                    without_windows |= self.add_driver(table.tab, own)
                elif "framework" in at:
                    self.add_framework(own)
        for gpu, tab in self.tab_of.items():
            if tab in self.of_tab:
                self.systems[gpu] = {system: k for system, k in self.of_tab[tab].items() if system != "windows 11" or gpu not in without_windows}

    def add_gpus(self, tab, own):
        found = {}
        lines = own.get("supported os", [])
        for name, kernel in zip(lines, lines[1:] + [""]):
            for system, k in listed_systems(name, kernel if kernel.startswith("(") else ""):
                found[system] = k
        for name in map(product, own["device"]):
            self.gfx[name], self.tab_of[name] = own["llvm target"][0], tab
            if found:
                self.systems[name] = found

    def add_system(self, tab, row):
        for system, k in listed_systems(f"{row[0][0]} {row[1][0]}", row[2][0]):
            self.of_tab.setdefault(tab, {})[system] = k

    def add_driver(self, tab, own):
        """GPUs that the table has without a driver for Windows."""
        gpus = [product(name) for name in own["amd device"]] if "amd device" in own else EXAMPLES[tab.split()[0].lower()]
        drivers = own["linux driver"]
        versions = [] if "Inbox" in drivers[0] else [line for line in drivers if re.fullmatch(r"\d+(?:\.\d+)+", line)]
        for gpu in gpus:
            self.drivers[gpu] = versions
            self.firmware[gpu] = next((lines for title, lines in own.items() if "firmware" in title), [])
        windows = next((lines for title, lines in own.items() if "windows" in title), ["1"])
        return set() if re.search(r"\d", " ".join(windows)) else set(gpus)

    def add_framework(self, own):
        words = " ".join(own["framework"])
        name = FRAMEWORKS.get(words.split("(")[0].strip().lower())
        versions = own.get("supported versions") or own.get("supported framework versions", [])
        if name and versions:
            python = re.findall(r"\d+\.\d+", own.get("supported python versions", [""])[0])
            self.frameworks.append((name, re.findall(r"\d+(?:\.\d+)+", versions[0]), re.findall(r"gfx\w+", words), own["supported os"][0], python))


def release_notes(table, text, all_releases, known):
    notes = Notes(text)
    for release in all_releases:
        yield from gpu_cells(table, release, notes, known)
        yield from system_cells(table, release, notes, known)
        yield from driver_cells(table, release, notes, known)
        yield from framework_cells(table, release, notes, known)


def grid_of_notes(text):
    """None where the page has no GPUs or no systems for them."""
    notes = Notes(text)
    own = {gpu: notes.systems[gpu] for gpu in notes.gfx if gpu in notes.systems}
    grid = Grid(own, {system: k for found in own.values() for system, k in found.items()})
    grid.of = own
    return grid if own else None


def gpu_cells(table, release, notes, known):
    for gpu in notes.gfx:
        yield cell(table, f"{release}: GPU {gpu}", GOOD, gpu=gpu, rocm=release)
    for gfx in dict.fromkeys(notes.gfx.values()):
        yield cell(table, f"{release}: target {gfx}", GOOD, gpu=gfx, rocm=release)
    for gfx in known.targets if notes.gfx else ():
        if gfx not in notes.gfx.values():
            yield cell(table, f"{release}: target {gfx}, left out", LEFT_OUT, gpu=gfx, rocm=release)
    listed = {gpu.lower() for gpu in notes.gfx}
    for name in known.asked_by if notes.gfx else ():
        if not any(other.lower() in listed for other in known.asked_by[name]):
            yield cell(table, f"{release}: GPU {name}, left out", LEFT_OUT, gpu=name, rocm=release)


def system_cells(table, release, notes, known):
    found = {}
    for own in [*notes.systems.values(), *notes.of_tab.values()]:
        for system, k in own.items():
            found.setdefault(system, []).extend(each for each in k if each not in found.get(system, []))
    for system, k in found.items():
        yield cell(table, f"{release}: system {system}", GOOD, os=system, rocm=release)
        for kernel in k:
            yield cell(table, f"{release}: system {system}, kernel {kernel}", GOOD, os=system, kernel=kernel, rocm=release)
    for name in known.systems if found else ():
        if not is_listed(name, found):
            yield cell(table, f"{release}: system {name}, left out", BAD, os=name, rocm=release)


def driver_cells(table, release, notes, known):
    every = sorted({driver for own in notes.drivers.values() for driver in own} | set(known.drivers))
    for gpu, own in notes.drivers.items():
        for driver in every:
            good = is_listed(driver, own)
            yield cell(table, f"{release}: driver {driver}, {gpu}", GOOD if good else BAD, gpu=gpu, driver=driver, rocm=release)
    for gpu, lines in notes.firmware.items():
        for line in lines if gpu in known.target else ():
            texts = [row["firmware"] for row in known.rows_of("firmware", release) if gpu in row.get("gpus", ())]
            if re.search(r"\d", line):
                yield compared(table, f"{release}: firmware of {gpu}: {line}", any(set(words_of(line)) <= set(words_of(text)) for text in texts))


def words_of(text):
    """What numbers firmware in a text: "PLDM bundle 01.25.03.12", "VBIOS D3430401-037"."""
    return re.findall(r"[A-Z]?\d[\w.-]*\w|\d", text)


def framework_cells(table, release, notes, known):
    listed = {}
    for name, versions, targets, system, python in notes.frameworks:
        listed.setdefault(name, []).extend(versions)
        rows = [row for row in known.rows_of("framework", release) if row["framework"] == name]
        for version in versions:
            yield cell(table, f"{release}: {name} {version}, {system}", GOOD, framework=f"{name}={version}", rocm=release)
            for gfx in known.targets if targets else ():
                if gfx in targets or known.lists_target(gfx, release):
                    yield cell(table, f"{release}: {name} {version}, {gfx}", GOOD if gfx in targets else BAD, framework=f"{name}={version}", gpu=gfx,
                               rocm=release)
            conditions = [row.get("condition", "") for row in rows if version in row["versions"]]
            for each in python:
                yield compared(table, f"{release}: {name} {version}, Python {each}", any(each in pythons_of(text) for text in conditions))
    for name, own in listed.items():
        for version in sorted(known.frameworks.get(name, ())):
            if not is_listed(version, own):
                yield cell(table, f"{release}: {name} {version}, left out", BAD, framework=f"{name}={version}", rocm=release)


def pythons_of(condition):
    """ "Python 3.11-3.13" or "Python 3.11, 3.13" -> the versions. """
    found = re.search(r"Python ((?:3\.\d+[-, ]*)+)", condition)
    if not found:
        return []
    span = re.match(r"3\.(\d+)-3\.(\d+)", found[1])
    return [f"3.{minor}" for minor in range(int(span[1]), int(span[2]) + 1)] if span else re.findall(r"3\.\d+", found[1])
