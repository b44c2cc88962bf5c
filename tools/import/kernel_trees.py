"""drivers/gpu/drm/amd/amdkfd/kfd_device.c of one kernel with the list of what its amdgpu drives (amdgpu_drv.c; from 5.16 on amdgpu_discovery.c):
on which GPUs this kernel computes, against the driver rows of db/kernels.toml, and the MEC firmware without PCIe atomics, against
db/known_issues/firmware.toml. A chip is "polaris12" (to 5.15, and before Vega ever after) or the number of its graphics core, "11.0.4"."""
import re

from ask import holds
from cells import Cell, compared

CHIPS = {
    "kaveri": "gfx700", "hawaii": "gfx701", "carrizo": "gfx801", "tonga": "gfx802", "fiji": "gfx803", "polaris10": "gfx803", "polaris11": "gfx803",
    "polaris12": "gfx803", "vegam": "gfx803", "vega10": "gfx900", "raven": "gfx902", "vega12": "gfx904", "vega20": "gfx906", "arcturus": "gfx908",
    "aldebaran": "gfx90a", "renoir": "gfx90c", "navi10": "gfx1010", "navi12": "gfx1011", "navi14": "gfx1012", "cyan_skillfish": "gfx1013",
    "sienna_cichlid": "gfx1030", "navy_flounder": "gfx1031", "dimgrey_cavefish": "gfx1032", "vangogh": "gfx1033", "beige_goby": "gfx1034",
    "yellow_carp": "gfx1035"}
GOOD, OLD = ("usable", "no row"), ("too old",)
# Which core it is, of PCI ids whose target has several: libdrm's data/amdgpu.ids calls them Radeon 740M and Mendocino's 610M.
CORES = {"1002:15c8": "11.0.4", "1002:1901": "11.0.4", "1002:1506": "10.3.7"}
# Amdgpu wants its PCI ids of a chip that tells nothing of itself in later kernels too, in a list that is not read here.
UNTOLD = ("gfx1013",)
CORE = r"IP_VERSION\((\d+), (\d+), (\d+)\)"
PROBED = rf"case (?:CHIP_(\w+)|{CORE}):|gfx_target_version = [^;]*?(\d{{5,6}})\b|device_info = &(\w+)_device_info"
RULE = rf"if \(gc_version (==|>=|<) {CORE}\)|no_atomic_fw_version = (?:[^;?]*\? )?(\d+)"


def target(number):
    """KFD's gfx_target_version, two decimal digits a part: "90010" -> "gfx90a" """
    major, minor, step = (int(part) for part in re.fullmatch(r"(\d+)(\d\d)(\d\d)", number).groups())
    return f"gfx{major}{minor}{step:x}"


def body(text, function):
    """Of the first function whose name has the word; "" where there is none."""
    found = re.search(rf"^[^\n;]*\b\w*{function}\w*\([^;{{]*\)\n{{\n(.*?)^}}", text, re.M | re.S)
    return found[1] if found else ""


def kfd_chips(text):
    """chip -> target, of which KFD makes a device; and the PCI ids that it names, which it does up to 5.2."""
    listed = re.findall(r"\{\s*0x([0-9A-Fa-f]{4}),\s*&(\w+?)(?:_vf)?_device_info", text)
    named = [chip.lower() for _, chip in listed] + [chip.lower() for chip in re.findall(r"\[CHIP_(\w+)\]\s*=\s*\{\s*&", text)]
    found = {chip: CHIPS[chip] for chip in named if chip in CHIPS}
    # 5.16 has the targets in structures by name, 5.17 and later in the function itself.
    of_name = dict(re.findall(r"(\w+)_device_info = \{[^}]*?\.gfx_target_version = (\d+)", text))
    waiting, told = [], False
    for chip, *core, number, name in re.findall(PROBED, body(text, "kgd2kfd_probe")):
        if chip or core[0]:
            waiting = ([] if told else waiting) + [chip.lower() or ".".join(core)]
            told = False
        elif number or name in of_name:
            # Of several, for some boards or revisions, the last is what holds else.
            found.update({each: target(number or of_name[name]) for each in waiting if each in CHIPS or "." in each})
            told = True
    return found, {f"1002:{device.lower()}" for device, _ in listed}


def misnamed(text):
    """{PCI id: target} of boards that KFD calls otherwise than their core."""
    found = {}
    for boards, number in re.findall(r"if \(([^;{}]*?pdev->device == 0x[^;{}]*?)gfx_target_version = (\d{5,6});", body(text, "kgd2kfd_probe")):
        found.update({f"1002:{device.lower()}": target(number) for device in re.findall(r"device == 0x([0-9A-Fa-f]{4})", boards)})
    return found


def driven(text):
    """What amdgpu drives: {chip: its PCI ids}, none of a graphics core; and the chips that it drives with exp_hw_support=1 alone."""
    chips, held_back = {}, set()
    for device, chip, flags in re.findall(r"\{\s*0x1002,\s*0x([0-9A-Fa-f]{4}),[^}]*?CHIP_(\w+)([^}]*)\}", text):
        chips.setdefault(chip.lower(), set()).add(f"1002:{device.lower()}")
        if "AMD_EXP_HW_SUPPORT" in flags:
            held_back.add(chip.lower())
    chips.update({".".join(core): set() for core in re.findall(CORE, body(text, "discovery_set_gc_ip_blocks"))})
    return chips, held_back


def firmware(text, core):
    """The MEC firmware from which on KFD takes a graphics core without PCIe atomics; None where it says nothing of it."""
    number = lambda parts: tuple(int(part) for part in parts)
    own, inside, applies = number(core.split(".")), False, False
    for sign, *parts, value in re.findall(RULE, body(text, "kfd_device_info_init")):
        if value and applies:
            return value
        if sign == "<":  # a branch for all cores below this one, and of one branch the rules count
            if inside:
                return None
            inside = applies = own < number(parts)
        elif sign:
            applies = inside and (own == number(parts) if sign == "==" else own >= number(parts))
    return None


def needs(known, gfx, devices, kernel):
    """What the rows say of a kernel for a target, or for chips of it with these PCI ids: the rows for other chips do not count."""
    rows = [row for row in known.tables["kernel"] if row["need"] == "driver" and gfx in row["gfx"]
            and (not row.get("devices") or set(row["devices"]) & set(devices))]
    fits = lambda row: holds(row["kernel"], kernel) or ("or_kernel" in row and holds(row["or_kernel"], kernel))
    return "no row" if not rows else "usable" if all(map(fits, rows)) else "too old"


def kernel_tree(table, text, notes, releases, known):
    """Cells of one kernel, whose number is in place of the release."""
    (kfd, kfd_ids), (amdgpu, held_back) = kfd_chips(text), driven(notes)
    if "discovery_set_gc_ip_blocks" in notes:
        yield from cores(table, releases[0], kfd, amdgpu, misnamed(text), known)
        yield from atomics(table, releases[0], text, kfd, known)
    else:
        yield from chips(table, releases[0], kfd, kfd_ids, amdgpu, held_back, known)


def cores(table, kernel, kfd, amdgpu, boards, known):
    """From 5.16 on, where the cards tell which graphics core they have; of PCI ids those that rows speak of. Chips before Vega are known by
    name still."""
    works = {chip: gfx for chip, gfx in kfd.items() if chip in amdgpu or chip in CHIPS}
    for gfx in sorted(set(works.values()) - set(known.targets)):
        yield compared(table, f"{kernel}: {gfx} is a target", False)
    for gfx in sorted((spoken_of(known) | set(works.values())) & set(known.targets)):
        named = [chip for chip in works if works[chip] == gfx]
        yield Cell(table, f"{kernel}: {gfx}, {', '.join(named) or 'left out'}", (), GOOD if named else OLD, needs(known, gfx, (), kernel))
    for gfx, device in sorted(told_by_id(known)):
        core = CORES.get(device)
        called = boards.get(device) or (works.get(core) if core else gfx if gfx in works.values() else None)
        want = GOOD if called == gfx else OLD
        yield Cell(table, f"{kernel}: {gfx}, {device}, called {called}", (), want, needs(known, gfx, (device,), kernel))


def chips(table, kernel, kfd, kfd_ids, amdgpu, held_back, known):
    """To 5.15, by PCI id: each that db/ has of a target."""
    chip_of = {device: chip for chip, devices in amdgpu.items() for device in devices}
    for row in known.tables["target"]:
        for device in row.get("devices", ()) if row["gfx"] in spoken_of(known) else ():
            chip = chip_of.get(device)
            there = chip in kfd and (not kfd_ids or device in kfd_ids)
            # What wants exp_hw_support=1 is told by the row, whichever kernel it begins with.
            want = GOOD + OLD if there and chip in held_back and tells_option(known, row["gfx"]) else GOOD if there and chip not in held_back else OLD
            yield Cell(table, f"{kernel}: {row['gfx']}, {device} {chip or 'left out'}", (), want, needs(known, row["gfx"], (device,), kernel))


def atomics(table, kernel, text, kfd, known):
    """Processors' graphics have no PCIe between them and the memory, and do not count."""
    own = {row["gfx"] for row in known.tables["target"] if not row.get("apu")}
    for chip, gfx in kfd.items():
        number = firmware(text, chip) if "." in chip and gfx in own else None
        if number:
            yield Cell(table, f"{kernel}: {gfx}, {chip}, MEC firmware without PCIe atomics", (), (number,), told_firmware(known, gfx))


def spoken_of(known):
    return set(CHIPS.values()) | {gfx for row in known.tables["kernel"] if row["need"] == "driver" for gfx in row["gfx"]}


def told_by_id(known):
    """(target, PCI id) that rows speak of."""
    devices = {row["gfx"]: row.get("devices", ()) for row in known.tables["target"]}
    return {(gfx, device) for row in known.tables["kernel"] if row["need"] == "driver" for gfx in row["gfx"] if gfx not in UNTOLD
            for device in row.get("devices", ()) if device in devices.get(gfx, ())}


def tells_option(known, gfx):
    return any("exp_hw_support" in row["text"] for row in known.tables["kernel"] if gfx in row["gfx"])


def told_firmware(known, gfx):
    for row in known.tables["issue"]:
        found = re.search(r"unless its MEC firmware is (\d+) or newer", row["fact"])
        if found and gfx in row.get("gfx", ()):
            return found[1]
    return "no row"
