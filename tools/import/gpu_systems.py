"""On which systems a release supports which GPU: a grid made of a page's two lists and of what its footnotes take away from it."""
import re

from cells import BAD, DEPRECATED, GOOD, cell, kernels, plain, systems

SYSTEM = r"(Ubuntu|RHEL|SLES|Oracle Linux|Azure Linux|Debian|Rocky(?: Linux)?|CentOS)"
VERSION = r"\d[\d.]*(?: SP\d)?(?:\s*(?:\[[^\]]*\]|\([^)]*\)))?"
SYSTEMS = re.compile(SYSTEM + rf"((?:(?:,| and|, and)?\s+{VERSION})*)")
GPU = re.compile(r"\b(MI\d+[AXP]?(?: Series)?|RX \d+(?: XTX| XT| GRE)?(?: LP)?|AI PRO R\d+[DS]?|R9700|[WV]\d{3,4}(?: Dual Slot| 48GB)?)\b")
SERIES = {"MI200 Series": ("MI250X", "MI250", "MI210"), "MI350 Series": ("MI355X", "MI350X")}


class Grid:
    """of[GPU][system] = kernels that are listed there, [] where none is."""

    def __init__(self, gpus, system_kernels):
        self.of = {gpu: {system: list(k) for system, k in system_kernels.items()} for gpu in gpus}
        self.systems = list(system_kernels)
        self.limited = set()  # GPUs that a footnote has on some systems alone

    def named_gpus(self, words):
        if re.search(r"all (?:listed )?AMD Instinct", words):
            return {gpu for gpu in self.of if "Instinct" in gpu}
        tokens = [token for found in GPU.findall(words) for token in SERIES.get(found, (found,))]
        return {gpu for gpu in self.of for token in tokens if gpu.lower().endswith(" " + token.lower())}

    def named_systems(self, words):
        """[(system, the kernels in its brackets)], of those that the grid has."""
        found = []
        for name, versions in SYSTEMS.findall(words):
            name = "Rocky Linux" if name.startswith("Rocky") else name
            parts = re.findall(VERSION, versions)
            if not parts:
                prefix = systems(f"{name} 1")[0].split()[0]
                found += [(system, []) for system in self.systems if system.split()[0] == prefix]
            for part in parts:
                named = re.findall(r"\d+\.\d+", re.split(r"[\[(]", part, maxsplit=1)[1]) if re.search(r"[\[(]", part) else []
                version = re.split(r"[\[(]", part)[0].strip().rstrip(".")
                wanted = systems(f"{name} {version}")
                found += [(system, named) for system in self.systems if system in wanted
                          or wanted and system.startswith(wanted[0] + ".")]
        return found

    def apply(self, note):
        """A footnote's sentences: who is supported on what alone, or on all but what."""
        note = re.sub(r"\*\*|(?:For|Starting|Starting from|Prior(?: to)?) ROC[mM] [\d.x]+\s*-?", " ", note)
        for sentence in re.split(r"\.\s+(?=[A-Z])", note):
            verb = re.search(r"\b(?:support(?:s|ed)|extended)\b", sentence)
            if not verb:
                continue
            subject, rest = sentence[:verb.start()], sentence[verb.end():]
            rest, _, excepted = rest.partition("except")
            gpus, oses = self.named_gpus(subject), self.named_systems(subject)
            if re.search(r"\bnot\b[\w ]*$", subject):
                self.without(gpus, self.named_systems(rest))
            elif oses:
                self.only_gpus(oses, self.named_gpus(rest) if not excepted else set(self.of) - self.named_gpus(excepted))
            elif gpus and excepted:
                self.without(gpus, self.named_systems(excepted))
            elif gpus and "all listed" not in rest:
                self.only_systems(gpus, self.named_systems(rest))

    def only_gpus(self, oses, gpus):
        for gpu in self.of:
            for system, _ in oses if gpu not in gpus else ():
                self.of[gpu].pop(system, None)

    def only_systems(self, gpus, oses):
        listed = dict(oses)
        self.limited |= set(gpus if listed else ())
        for gpu in gpus if listed else ():
            self.of[gpu] = {system: listed[system] or own for system, own in self.of[gpu].items() if system in listed}

    def without(self, gpus, oses):
        for gpu in gpus:
            for system, named in oses:
                own = self.of[gpu].get(system)
                if own is None:
                    continue
                if left := [k for k in own if k not in named] if named else []:
                    self.of[gpu][system] = left
                else:
                    del self.of[gpu][system]

    def joined(self, other):
        """The grid of two tables of one release: what either takes from a GPU is none of its systems. Of a system that one of them lacks the other
        speaks, but for a GPU that the one has on some systems alone."""
        grid = Grid((), {system: [] for system in [*self.systems, *other.systems]})
        for gpu in [*self.of, *other.of]:
            lists = [each for each in (self, other) if gpu in each.of]
            grid.of[gpu] = {}
            grid.limited |= {gpu} & (self.limited | other.limited)
            for system in grid.systems:
                own = [each.of[gpu].get(system) for each in lists if system in each.systems or gpu in each.limited]
                if own and None not in own:
                    grid.of[gpu][system] = max(own, key=len)
        return grid

    def items(self):
        """GPU -> ("ubuntu 22.04.5 (5.15, 6.8)", …), in the order of the page."""
        return {gpu: tuple(system + (f" ({', '.join(k)})" if k else "") for system, k in own.items()) for gpu, own in self.of.items()}


def grid_cells(table, release, grid):
    for gpu, own in grid.of.items():
        for system in grid.systems:
            # How good the GPU itself is, its own cell says.
            want = GOOD + DEPRECATED if system in own else BAD
            yield cell(table, f"{release}: {gpu} on {system}", want, gpu=gpu, os=system, rocm=release)
            for kernel in own.get(system, ()):
                yield cell(table, f"{release}: {gpu} on {system}, kernel {kernel}", GOOD + DEPRECATED, gpu=gpu, os=system, kernel=kernel, rocm=release)


def yaml_of(text):
    try:
        import yaml
    except ImportError:
        raise SystemExit("import: python3-yaml is needed for AMD's YAML tables") from None
    return {family: entry for family, entry in yaml.safe_load(text).items() if not family.startswith("_")}


def yaml_grid(text):
    """docs/data/os-support.yaml: a list of systems for each GPU."""
    system_kernels, lists = {}, {}
    for gpus in yaml_of(text).values():
        for name, oses in gpus.items():
            own = lists.setdefault(re.sub(r"^AMD\s+", "", plain(name)), {})
            for os_name, entry in (oses or {}).items():
                for version in entry.get("versions", ()):
                    for system in systems(f"{os_name} {version['version']}") if isinstance(version, dict) else ():
                        listed = [] if "UEK" in version.get("kernel", "") else kernels(version.get("kernel", ""))
                        own.setdefault(system, []).extend(k for k in listed if k not in own.get(system, []))
                        system_kernels.setdefault(system, []).extend(k for k in listed if k not in system_kernels.get(system, []))
    grid = Grid(lists, system_kernels)
    grid.of = lists
    return grid


def driver_cells(table, text, releases, known):
    """docs/data/driver-firmware-support.yaml: drivers for each Instinct, and for all Radeons. What is listed for another one alone is none."""
    lists = {}
    for family, entry in yaml_of(text).items():
        if family == "AMD Instinct":
            for name, own in entry.items():
                lists[re.sub(r"^AMD\s+", "", plain(name))] = [driver["version"] for driver in own["linux"]["amdgpu"]]
        elif family == "AMD Radeon":
            lists["Radeon RX 7900 XTX"] = lists["Radeon PRO W7900"] = [driver["version"] for driver in entry["linux"]["amdgpu"]]
    every = sorted({driver for own in lists.values() for driver in own})
    for release in releases:
        for gpu, own in lists.items():
            for driver in every:
                yield cell(table, f"{release}: driver {driver}, {gpu}", GOOD if driver in own else BAD, gpu=gpu, driver=driver, rocm=release)
