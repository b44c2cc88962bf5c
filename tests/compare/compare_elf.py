#!/usr/bin/env python3
"""compare_elf.py ELF_DUMP ROOT...: our ELF reader against readelf and clang-offload-bundler.

For each ROOT (a chroot with ROCm installed) every library and code-object file of ROCm in it is read by both; prints
a line a difference and the number of equal facts, and exits 1 when anything differs.
"""
import json, os, re, subprocess, sys, tempfile
from pathlib import Path

NAMES = re.compile(r"^lib(amd|hip|hsa|roc|rccl|MIOpen|migraphx).*\.so(\.|$)")
BUNDLER = next((b for b in ("clang-offload-bundler-22", "clang-offload-bundler") if subprocess.run(["which", b], capture_output=True).returncode == 0), None)
READELF = next((b for b in ("llvm-readelf-22", "llvm-readelf") if subprocess.run(["which", b], capture_output=True).returncode == 0), None)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout


def dynamic(path):
    facts = {"soname": "", "needed": [], "rpath": [], "runpath": []}
    for kind, value in re.findall(r"\((NEEDED|SONAME|RPATH|RUNPATH)\).*\[(.*)\]", output("readelf", "-dW", path)):
        if kind == "SONAME":
            facts["soname"] = value
        elif kind == "NEEDED":
            facts["needed"].append(value)
        else:
            facts[kind.lower()] = value.split(":")
    section, needs, defines, base = "", set(), set(), False
    for line in output("readelf", "-VW", path).splitlines():
        section = "need" if line.startswith("Version needs") else "def" if line.startswith("Version definition") else "" if line.startswith("Version symbols") else section
        name = re.search(r"Name: (\S+)", line)
        if section == "need" and name and "Flags" in line:
            needs.add(name[1])
        elif section == "def" and name and "Rev:" in line and "Flags: BASE" not in line:
            defines.add(name[1])
    return facts | {"needs": sorted(needs), "defines": sorted(defines)}


def bundle_targets(data, limit=4096):
    """Every bundle in the bytes, found by its magic at pages, as clang-offload-bundler lists it."""
    found, at = set(), 0
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "bundle"
        starts = [p for p in range(0, len(data), limit) if data[p:p + 4] == b"CCOB" or data[p:p + 24] == b"__CLANG_OFFLOAD_BUNDLE__"]
        for i, at in enumerate(starts):
            part.write_bytes(data[at:starts[i + 1] if i + 1 < len(starts) else len(data)])
            for line in output(BUNDLER, "--list", "--type=o", f"--input={part}").split():
                target = re.search(r"-(gfx.*)$", line)
                if target:
                    found.add(target[1])
    return found


def targets(path):
    head = open(path, "rb").read(24)
    if head.startswith((b"CCOB", b"__CLANG_OFFLOAD")):
        return sorted(bundle_targets(open(path, "rb").read()))
    sections = re.findall(r"\] (\S+)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", output("readelf", "-SW", path))
    found = set()
    for name, offset, size in sections:
        if name == ".hip_fatbin":
            with open(path, "rb") as file:
                file.seek(int(offset, 16))
                found |= bundle_targets(file.read(int(size, 16)))
    flags = re.search(r"Flags:\s+0x[0-9a-fA-F]+, (gfx\S+?)(?:, (.*))?$", output(READELF, "-h", path), re.M)
    if flags:
        features = sorted(re.findall(r"(xnack|sramecc)([+-])", flags[2] or ""))
        found.add(flags[1].rstrip(",") + "".join(f":{n}{s}" for n, s in features))
    return sorted(found)


def main():
    dump, roots, bad = sys.argv[1], sys.argv[2:], 0
    for root in roots:
        paths = []
        for folder, _, names in os.walk(root + "/usr/lib/x86_64-linux-gnu"):
            for name in names:
                path = os.path.join(folder, name)
                if not os.path.islink(path) and (NAMES.match(name) or name.endswith((".co", ".hsaco"))):
                    paths.append(path)
        equal = libraries = 0
        for i in range(0, len(paths), 200):
            for line in output(dump, *sorted(paths)[i:i + 200]).splitlines():
                ours = json.loads(line)
                path = ours.pop("file")
                theirs = {"gfx": targets(path)}
                if NAMES.match(os.path.basename(path)):
                    theirs |= dynamic(path)
                    libraries += 1
                for key, value in theirs.items():
                    mine = sorted(ours.get(key, [])) if key == "gfx" else ours.get(key)
                    equal += mine == value
                    if mine != value:
                        bad += 1
                        print(f"{path}: {key}: ours {mine}, theirs {value}")
        print(f"{root}: {libraries} libraries, {len(paths) - libraries} code-object files, {equal} facts equal")
    return 1 if bad else 0


sys.exit(main())
