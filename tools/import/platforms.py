"""Where the GPU's driver runs elsewhere: guests of a hypervisor (docs/data/virtualization-support.yaml) and WSL2 (os-support.yaml, key WSL2).
Cells for --verify, and rows of db/platforms.toml for --write-platforms."""
import json
import re

from cells import BAD, DEPRECATED, GOOD, cell, plain, systems
from gpu_systems import yaml_of


def product(name):
    return re.sub(r"^AMD\s+", "", plain(name))


def guests(names):
    return [system for name in names for system in systems(name if re.match(r"[A-Z]", name) else f"Ubuntu {name}")]


def wsl(text):
    """[(platform, technology, host, GPU, its guests)]"""
    found = []
    for gpus in yaml_of(text).values():
        for name, oses in gpus.items():
            entry = (oses or {}).get("WSL2")
            found.append(("wsl", "", "Windows 11", product(name), guests(entry["versions"]) if entry else []))
    return found


def hypervisors(text):
    found = []
    for gpus in yaml_of(text).values():
        for name, entries in gpus.items():
            for entry in entries or ():
                host = entry["host_os"] + (f", {entry['driver']['name']}" if "driver" in entry else "")
                found.append((entry["hypervisor"].lower(), entry["technology"].lower(), host, product(name), guests(entry["guest_os"])))
    return found


READERS = {"wsl-yaml": wsl, "virtualization-yaml": hypervisors}


def cells_of(form):
    def cells(table, text, releases, known):
        lists = {}
        for platform, technology, _, gpu, systems_of in READERS[form](text):
            word = f"{platform}-{technology}" if technology else platform
            lists.setdefault((word, gpu), []).extend(systems_of)
        every = {word: sorted({system for (other, _), own in lists.items() if other == word for system in own}) for word, _ in lists}
        for release in releases:
            for (word, gpu), own in lists.items():
                for system in every[word]:
                    want = GOOD + DEPRECATED if system in own else BAD
                    # What of the GPU and of the system themselves is listed, other tables say.
                    yield cell(table, f"{release}: {gpu} in {word}, {system}", want, gpu=gpu, platform=word, os=system, rocm=release)
    return cells


def platforms_toml(pages):
    """pages: [(form, name, day, releases, text)]"""
    order, out = {}, ["# Guests of a hypervisor, and WSL2, that AMD supports a GPU in. Made by tools/import --write-platforms of the tables in",
                      "# tools/import/tables.toml. How to read and extend this file: db/README.md.", "schema = 1"]
    for form, name, day, releases, text in pages:
        for platform, technology, host, gpu, own in READERS[form](text):
            if own:
                order.setdefault((releases[0], releases[-1], platform, technology, host, tuple(own), name, day), []).append(gpu)
    for (first, last, platform, technology, host, own, name, day), gpus in order.items():
        rocm = f"={first}" if first == last else f">={first}, <={last}"
        out += ["", "[[platform]]", f'platform = "{platform}"'] + ([f'technology = "{technology}"'] if technology else [])
        out += [f"gpus = {json.dumps(gpus)}", f'rocm = "{rocm}"', f"host = {json.dumps(host)}", f"guests = {json.dumps(list(own))}",
                f"source = {json.dumps(name)}", f"checked = {day}"]
    return "\n".join(out) + "\n"
