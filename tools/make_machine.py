#!/usr/bin/env python3
"""Writes an example machine as a snapshot folder (rocvet.snapshot/1).

    make_machine.py mi300x-8gpu OUT
    make_machine.py rx7900xtx-desktop OUT

The figures are those of public documents: KFD's topology files and amdgpu's sysfs attributes as the kernel's
documentation describes them (Documentation/gpu/amdgpu), the parts as in db/gpus. The machines are nobody's."""
import json
import pathlib
import shutil
import sys


class Snapshot:
    def __init__(self, system, user_groups):
        self.rows, self.files, self.commands = {}, {}, {}
        self.system, self.user_groups = system, user_groups
        self.open_to = [system["gids"][group] for group in user_groups]

    def parents(self, path):
        parent = str(pathlib.PurePosixPath(path).parent)
        if parent != path and parent not in self.rows:
            self.rows[parent] = ("dir", "0755", 0, 0, "root", "root", "complete")
            self.parents(parent)

    def file(self, path, text, mode="0644"):
        data = text if isinstance(text, bytes) else text.encode()
        self.files[path] = data
        self.rows[path] = ("file", mode, 0, 0, "root", "root", str(len(data)))
        self.parents(path)

    def node(self, path, major, minor, gid, group, mode="0660"):
        numbers = f"{major}:{minor}"
        closed = gid not in self.open_to
        self.rows[path] = ("error" if closed else "char", mode, 0, gid, "root", group, f"open:EACCES char {numbers}" if closed else numbers)
        self.parents(path)

    def link(self, path, target):
        self.rows[path] = ("link", "0777", 0, 0, "root", "root", target)
        self.parents(path)

    def elf(self, path, soname, needed, gfx=()):
        summary = {"soname": soname, "needed": list(needed), "runpath": ["$ORIGIN"], "gfx": list(gfx),
                   "needs_versions": ["GLIBC_2.34", "GLIBCXX_3.4.30"]}
        self.rows[path] = ("elf", "0755", 0, 0, "root", "root", json.dumps(summary, separators=(",", ":")))
        self.parents(path)

    def write(self, out, about, process):
        if out.exists():
            shutil.rmtree(out)
        for path, data in self.files.items():
            target = out / "files" / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for name, text in self.commands.items():
            (out / "cmd").mkdir(parents=True, exist_ok=True)
            (out / "cmd" / name).write_text(text)
        lines = ["kind\tpath\tmode\tuid\tgid\towner\tgroup\textra"]
        lines += ["\t".join([row[0], path, *map(str, row[1:])]) for path, row in sorted(self.rows.items())]
        (out / "index.tsv").write_text("\n".join(lines) + "\n")
        (out / "about.toml").write_text(about)
        (out / "process.toml").write_text(process)


def properties(**values):
    return "".join(f"{key} {value}\n" for key, value in values.items())


PART = {
    "MI300X": dict(device="74a1", subsystem="74a1", pci_class="0x120000", revision="00", gfx=90402, cus=304, simd_per_cu=4, wave=64, xcc=8,
                   vram=206141652992, visible=206141652992, vram_width=8192, vram_clock=1300, clock=2100, gts="32.0 GT/s PCIe",
                   vbios="113-M3000100-103", power=750, board="MI300X-O", lds=64, arrays=32, cu_per_array=10),
    "RX 7900 XTX": dict(device="744c", subsystem="0e3b", pci_class="0x030000", revision="c8", gfx=110000, cus=96, simd_per_cu=2, wave=32, xcc=1,
                        vram=25753026560, visible=25753026560, vram_width=384, vram_clock=1249, clock=2304, gts="16.0 GT/s PCIe",
                        vbios="113-D70401XT-P11", power=339, board="", lds=64, arrays=12, cu_per_array=8),
}


def add_cpu(s, node, cores, memory_bytes, links):
    top = f"/sys/devices/virtual/kfd/kfd/topology/nodes/{node}"
    s.file(f"{top}/gpu_id", "0\n")
    s.file(f"{top}/name", "\n")
    s.file(f"{top}/properties", properties(
        cpu_cores_count=cores, simd_count=0, mem_banks_count=1, caches_count=0, io_links_count=len(links), p2p_links_count=0,
        cpu_core_id_base=node * cores, simd_id_base=0, max_waves_per_simd=0, lds_size_in_kb=0, gds_size_in_kb=0, num_gws=0,
        wave_front_size=0, array_count=0, simd_arrays_per_engine=0, cu_per_simd_array=0, simd_per_cu=0, max_slots_scratch_cu=0,
        gfx_target_version=0, vendor_id=0, device_id=0, location_id=0, domain=0, drm_render_minor=0, hive_id=0,
        num_sdma_engines=0, num_sdma_xgmi_engines=0, num_sdma_queues_per_engine=0, num_cp_queues=0, max_engine_clk_ccompute=3700))
    s.file(f"{top}/mem_banks/0/properties", properties(heap_type=0, size_in_bytes=memory_bytes, flags=0, width=64, mem_clk_max=4800))
    add_links(s, top, node, links)


def add_links(s, top, node, links):
    for i, (to, kind) in enumerate(links):
        weight = {"xgmi": 15, "pcie": 20, "cpu": 32}[kind]
        s.file(f"{top}/io_links/{i}/properties", properties(
            type={"xgmi": 11, "pcie": 2, "cpu": 5}[kind], version_major=0, version_minor=0, node_from=node, node_to=to, weight=weight,
            min_latency=0, max_latency=0, min_bandwidth=64000 if kind == "xgmi" else 0, max_bandwidth=64000 if kind == "xgmi" else 64000,
            recommended_transfer_size=0, recommended_sdma_engine_id_mask=0, flags=1))


def add_gpu(s, part, index, node, bus, numa, hive, links):
    p = PART[part]
    bridge = f"0000:{bus - 1:02x}:01.0"
    bdf = f"0000:{bus:02x}:00.0"
    root = f"/sys/devices/pci0000:{bus - 1:02x}/{bridge}"
    dev = f"{root}/{bdf}"
    pci = dict(vendor="0x1022", device="0x14ab", subsystem_vendor="0x1022", subsystem_device="0x1453", **{"class": "0x060400"}, revision="0x01",
               current_link_speed=p["gts"], max_link_speed=p["gts"], current_link_width="16", max_link_width="16", numa_node=str(numa))
    for name, value in pci.items():
        s.file(f"{root}/{name}", value + "\n")
    s.link(f"/sys/bus/pci/devices/{bridge}", f"../../..{root.removeprefix('/sys')}")
    attributes = {
        "vendor": "0x1002", "device": "0x" + p["device"], "subsystem_vendor": "0x1002", "subsystem_device": "0x" + p["subsystem"],
        "class": p["pci_class"], "revision": "0x" + p["revision"], "numa_node": str(numa), "enable": "1", "boot_vga": "0",
        "current_link_speed": p["gts"], "max_link_speed": p["gts"], "current_link_width": "16", "max_link_width": "16",
        "mem_info_vram_total": str(p["vram"]), "mem_info_vram_used": str(299 << 20), "mem_info_vis_vram_total": str(p["visible"]),
        "mem_info_vis_vram_used": str(299 << 20), "mem_info_gtt_total": str(256 << 30), "mem_info_gtt_used": str(22 << 20),
        "vbios_version": p["vbios"], "power_dpm_force_performance_level": "auto", "pcie_replay_count": "0", "gpu_busy_percent": "0",
        "mem_busy_percent": "0", "pp_dpm_sclk": f"0: 132Mhz *\n1: {p['clock']}Mhz", "power_state": "D0", "power/control": "on",
        "power/runtime_status": "active", "product_name": p["board"],
    }
    if p["xcc"] > 1:
        attributes |= {"current_compute_partition": "SPX", "available_compute_partition": "SPX, DPX, QPX, CPX",
                       "current_memory_partition": "NPS1", "available_memory_partition": "NPS1, NPS4",
                       "ras/features": "feature mask: 0x3fff", "ras/umc_err_count": "ue: 0\nce: 0", "ras/gfx_err_count": "ue: 0\nce: 0",
                       "ras/sdma_err_count": "ue: 0\nce: 0", "ras/gpu_vram_bad_pages": ""}
    for name, value in attributes.items():
        s.file(f"{dev}/{name}", value + "\n")
    s.file(f"{dev}/uevent", f"DRIVER=amdgpu\nPCI_CLASS={p['pci_class'][2:].lstrip('0').upper()}\nPCI_ID=1002:{p['device'].upper()}\n"
                            f"PCI_SUBSYS_ID=1002:{p['subsystem'].upper()}\nPCI_SLOT_NAME={bdf}\n")
    for aer in ("correctable", "nonfatal", "fatal"):
        s.file(f"{dev}/aer_dev_{aer}", {"correctable": "TOTAL_ERR_COR 0\n", "nonfatal": "TOTAL_ERR_NONFATAL 0\n", "fatal": "TOTAL_ERR_FATAL 0\n"}[aer])
    hwmon = f"{dev}/hwmon/hwmon{index + 4}"
    for name, value in {"name": "amdgpu", "temp1_label": "edge", "temp1_input": "38000", "temp1_crit": "100000", "temp2_label": "junction",
                        "temp2_input": "41000", "temp2_crit": "100000", "temp3_label": "mem", "temp3_input": "34000", "temp3_crit": "105000",
                        "power1_average": "140000000", "power1_cap": str(p["power"] * 1000000), "power1_cap_default": str(p["power"] * 1000000),
                        "power1_cap_max": str(p["power"] * 1000000), "power1_cap_min": "0"}.items():
        s.file(f"{hwmon}/{name}", value + "\n")
    minor = 128 + index * (8 if p["xcc"] > 1 else 1)
    s.link(f"{dev}/driver", "../../../../bus/pci/drivers/amdgpu")
    s.link(f"{dev}/iommu_group", f"../../../../kernel/iommu_groups/{index + 1}")
    s.file(f"/sys/kernel/iommu_groups/{index + 1}/type", "identity\n")
    s.link(f"/sys/bus/pci/devices/{bdf}", f"../../..{dev.removeprefix('/sys')}")
    s.link(f"/sys/bus/pci/drivers/amdgpu/{bdf}", f"../../../..{dev.removeprefix('/sys')}")
    for name in (f"card{index + 1}", f"renderD{minor}"):
        s.link(f"/sys/class/drm/{name}", f"../..{dev.removeprefix('/sys')}/drm/{name}")
        number = index + 1 if name.startswith("card") else minor
        s.file(f"{dev}/drm/{name}/dev", f"226:{number}\n")
        s.link(f"{dev}/drm/{name}/device", f"../../../{bdf}")
        s.node(f"/dev/dri/{name}", 226, number, s.system["gids"]["video" if name.startswith("card") else "render"],
               "video" if name.startswith("card") else "render")
    top = f"/sys/devices/virtual/kfd/kfd/topology/nodes/{node}"
    s.file(f"{top}/gpu_id", f"{10000 + 977 * (index + 1)}\n")
    s.file(f"{top}/name", "ip discovery\n")
    s.file(f"{top}/properties", properties(
        cpu_cores_count=0, simd_count=p["cus"] * p["simd_per_cu"], mem_banks_count=1, caches_count=0, io_links_count=len(links), p2p_links_count=0,
        cpu_core_id_base=0, simd_id_base=2147487744 + index * 4096, max_waves_per_simd=8 if p["wave"] == 64 else 16, lds_size_in_kb=p["lds"],
        gds_size_in_kb=0, num_gws=64, wave_front_size=p["wave"], array_count=p["arrays"], simd_arrays_per_engine=1,
        cu_per_simd_array=p["cu_per_array"], simd_per_cu=p["simd_per_cu"], max_slots_scratch_cu=32, gfx_target_version=p["gfx"],
        vendor_id=4098, device_id=int(p["device"], 16), location_id=bus << 8, domain=0, drm_render_minor=minor, hive_id=hive,
        num_sdma_engines=2, num_sdma_xgmi_engines=0, num_sdma_queues_per_engine=8, num_cp_queues=24, max_engine_clk_fcompute=p["clock"],
        local_mem_size=0, fw_version=177, capability=2893521536, debug_prop=1511, sdma_fw_version=24, unique_id=1000 + index,
        num_xcc=p["xcc"], max_engine_clk_ccompute=3700))
    s.file(f"{top}/mem_banks/0/properties", properties(
        heap_type=1, size_in_bytes=p["vram"], flags=0, width=p["vram_width"], mem_clk_max=p["vram_clock"]))
    add_links(s, top, node, links)


RUNTIME = {  # ROCm 6.4's sonames
    "libamdhip64.so.6": ["libamd_comgr.so.3", "libhsa-runtime64.so.1", "libnuma.so.1"],
    "libhsa-runtime64.so.1": ["libdrm.so.2", "libdrm_amdgpu.so.1", "libelf.so.1", "libnuma.so.1"],
    "libamd_comgr.so.3": ["libz.so.1"], "libhiprtc.so.6": ["libamd_comgr.so.3"], "librocm_smi64.so.7": [], "libamd_smi.so.25": [],
    "librocblas.so.4": ["libamdhip64.so.6"], "libhipblaslt.so.0": ["libamdhip64.so.6"], "libMIOpen.so.1": ["libamdhip64.so.6", "librocblas.so.4"],
    "librccl.so.1": ["libamdhip64.so.6", "librocm_smi64.so.7"], "librocfft.so.0": ["libamdhip64.so.6"],
}
TARGETS = ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1200", "gfx1201"]


def add_rocm(s, version):
    root = f"/opt/rocm-{version}"
    s.link("/opt/rocm", root)
    s.file(f"{root}/.info/version", version + "\n")
    for soname, needed in RUNTIME.items():
        has_code = soname.split(".")[0] in ("librocblas", "libhipblaslt", "libMIOpen", "librccl", "librocfft")
        s.elf(f"{root}/lib/{soname}", soname, [*needed, "libstdc++.so.6", "libc.so.6"], TARGETS if has_code else ())
        s.link(f"{root}/lib/{soname.split('.so')[0]}.so", soname)
    for target in TARGETS:
        s.file(f"{root}/lib/rocblas/library/TensileLibrary_lazy_{target}.dat", "")
    s.file(f"{root}/amdgcn/bitcode/ocml.bc", "")
    s.file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n")
    s.file("/etc/ld.so.conf.d/10-rocm-opencl.conf", f"{root}/lib\n")


UBUNTU_2204 = dict(id="22.04", full="22.04.5 LTS", codename="jammy", kernel="5.15.0-131-generic", build="#141-Ubuntu SMP", gcc="11.4.0",
                   gids={"video": 44, "render": 109}, cpu="AMD EPYC 9654 96-Core Processor", memory_kb=2377584000)
UBUNTU_2404 = dict(id="24.04", full="24.04.2 LTS", codename="noble", kernel="6.8.0-60-generic", build="#63-Ubuntu SMP PREEMPT_DYNAMIC", gcc="13.3.0",
                   gids={"video": 44, "render": 993}, cpu="AMD Ryzen 9 7950X 16-Core Processor", memory_kb=65536000)


def add_system(s, gpus, version, command_line, dmesg):
    o = s.system
    kernel = o["kernel"]
    s.file("/etc/os-release", f'PRETTY_NAME="Ubuntu {o["full"]}"\nNAME="Ubuntu"\nVERSION_ID="{o["id"]}"\nVERSION_CODENAME={o["codename"]}\nID=ubuntu\nID_LIKE=debian\n')
    s.file("/proc/sys/kernel/osrelease", kernel + "\n")
    s.file("/proc/sys/kernel/numa_balancing", "0\n")
    s.file("/proc/version", f"Linux version {kernel} (buildd@host) (gcc {o['gcc']}) {o['build']}\n")
    s.file("/proc/meminfo", f"MemTotal:       {o['memory_kb']} kB\nMemFree:        {o['memory_kb'] * 97 // 100} kB\nMemAvailable:   {o['memory_kb'] * 98 // 100} kB\n")
    s.file("/proc/cpuinfo", f"processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: {o['cpu']}\nflags\t\t: fpu vme de\n")
    members = {group: "ada" if group in s.user_groups else "" for group in o["gids"]}
    s.file("/etc/group", f"root:x:0:\nvideo:x:44:{members['video']}\nrender:x:{o['gids']['render']}:{members['render']}\nada:x:1000:\n")
    s.file("/proc/cmdline", command_line + "\n")
    s.file("/proc/modules", "amdgpu 19718144 0 - Live 0x0000000000000000 (OE)\namdttm 106496 1 amdgpu, Live 0x0000000000000000 (OE)\n")
    s.file("/proc/mounts", "/dev/nvme0n1p2 / ext4 rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n")
    s.file("/proc/self/uid_map", "         0          0 4294967295\n")
    s.file("/proc/self/gid_map", "         0          0 4294967295\n")
    s.file("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/bash\n")
    s.file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n")
    s.file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
    for name, value in {"initstate": "live", "version": "6.12.12", "srcversion": "533BB7E5866E52F63B9ACCB", "taint": "OE", "refcnt": "0"}.items():
        s.file(f"/sys/module/amdgpu/{name}", value + "\n")
    for name, value in {"gpu_recovery": "-1", "noretry": "-1", "runpm": "-1", "sched_policy": "0", "cwsr_enable": "1", "mes": "0"}.items():
        s.file(f"/sys/module/amdgpu/parameters/{name}", value + "\n")
    s.link("/sys/module/amdgpu/drivers/pci:amdgpu", "../../../bus/pci/drivers/amdgpu")
    s.file(f"/lib/modules/{kernel}/updates/dkms/amdgpu.ko", "")
    s.file(f"/lib/modules/{kernel}/updates/dkms/amdttm.ko", "")
    s.file(f"/lib/modules/{kernel}/build/Makefile", "")
    s.file("/sys/devices/virtual/kfd/kfd/dev", "234:0\n")
    s.file("/sys/devices/virtual/kfd/kfd/topology/generation_id", f"{gpus + 1}\n")
    s.file("/sys/devices/virtual/kfd/kfd/topology/system_properties", "platform_oem 0\nplatform_id 0\nplatform_rev 0\n")
    s.link("/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd")
    s.node("/dev/kfd", 234, 0, o["gids"]["render"], "render")
    packages = {"amdgpu-dkms": f"1:6.12.12.60401-2164967.{o['id']}", "rocm-core": f"{version}.60401-83~{o['id']}", "hip-runtime-amd": f"6.4.43483.60401-83~{o['id']}",
                "hsa-rocr": f"1.15.0.60401-83~{o['id']}", "comgr": f"3.0.0.60401-83~{o['id']}", "rocblas": f"4.4.0.60401-83~{o['id']}", "rocm-device-libs": f"1.0.0.60401-83~{o['id']}"}
    s.file("/var/lib/dpkg/status", "".join(
        f"Package: {name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: {number}\n\n" for name, number in packages.items()))
    s.file("/etc/apt/sources.list.d/rocm.list",
           f"deb [arch=amd64 signed-by=/etc/apt/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/{version} {o['codename']} main\n")
    s.commands["dmesg"] = dmesg
    s.commands["dkms-status"] = f"amdgpu/6.12.12-2164967.{o['id']}, {kernel}, x86_64: installed\n"
    s.commands["uname"] = f"Linux localhost {kernel} {o['build']} x86_64 GNU/Linux\n"


ABOUT = """format = 1
tool = "tools/make_machine.py"
redacted = []
complete = ["/dev", "/etc/apt", "/etc/group", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/modprobe.d", "/etc/os-release", "/etc/passwd",
  "/lib/modules", "/usr/lib/modules", "/opt", "/proc/cmdline", "/proc/modules", "/proc/mounts", "/proc/version", "/run/.containerenv", "/.dockerenv",
  "/.singularity.d", "/.flatpak-info", "/sys/bus/pci/devices", "/sys/bus/pci/drivers/amdgpu", "/sys/class/drm", "/sys/class/kfd",
  "/sys/devices/virtual/kfd", "/sys/kernel/iommu_groups", "/sys/module/amdgpu", "/usr/lib/wsl", "/var/lib/dkms", "/var/lib/dpkg/status",
  "/lib/modprobe.d", "/usr/lib/modprobe.d", "/home/ada"]
"""
PROCESS = """uid = 1000
gid = 1000
user = "ada"
groups = [GROUPS]
uid_map = "0 0 4294967295"
gid_map = "0 0 4294967295"
seccomp = 0
cgroup = "0::/user.slice/user-1000.slice/session-2.scope"
capabilities = "0000000000000000"

[limits]
nofile = [1048576, 1048576]
memlock = ["unlimited", "unlimited"]
nproc = [262144, 262144]

[environment]
HOME = "/home/ada"
PATH = "/opt/rocm/bin:/usr/local/bin:/usr/bin:/bin"
SHELL = "/bin/bash"
USER = "ada"
"""


def mi300x_8gpu():
    s = Snapshot(UBUNTU_2204, ["video", "render"])
    buses = [0x05, 0x26, 0x46, 0x65, 0x85, 0xA6, 0xC6, 0xE5]
    nodes = range(2, 10)
    add_cpu(s, 0, 96, 1216 << 30, [(1, "cpu"), *[(n, "pcie") for n in range(2, 6)]])
    add_cpu(s, 1, 96, 1216 << 30, [(0, "cpu"), *[(n, "pcie") for n in range(6, 10)]])
    for i, node in enumerate(nodes):
        add_gpu(s, "MI300X", i, node, buses[i], i // 4, 15188982192727901047,
                [(i // 4, "pcie"), *[(peer, "xgmi") for peer in nodes if peer != node]])
    dmesg = "".join(f"[   12.{i}00000] amdgpu 0000:{bus:02x}:00.0: amdgpu: SMU is initialized successfully!\n" for i, bus in enumerate(buses))
    add_system(s, 8, "6.4.1", "BOOT_IMAGE=/boot/vmlinuz root=/dev/nvme0n1p2 ro iommu=pt pci=realloc=off", dmesg)
    add_rocm(s, "6.4.1")
    return s


def rx7900xtx_desktop():
    """As after a first install: the user is in no group yet that may open the GPU."""
    s = Snapshot(UBUNTU_2404, [])
    add_cpu(s, 0, 16, 64 << 30, [(1, "pcie")])
    add_gpu(s, "RX 7900 XTX", 0, 1, 0x03, -1, 0, [(0, "pcie")])
    add_system(s, 1, "6.4.1", "BOOT_IMAGE=/boot/vmlinuz root=/dev/nvme0n1p2 ro quiet splash",
               "[    4.100000] amdgpu 0000:03:00.0: amdgpu: SMU is initialized successfully!\n")
    add_rocm(s, "6.4.1")
    return s


MACHINES = {"mi300x-8gpu": mi300x_8gpu, "rx7900xtx-desktop": rx7900xtx_desktop}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in MACHINES:
        sys.exit(f"{__doc__}\nmachines: {', '.join(MACHINES)}")
    machine = MACHINES[sys.argv[1]]()
    groups = ", ".join(map(str, [1000, *machine.open_to]))
    machine.write(pathlib.Path(sys.argv[2]), ABOUT, PROCESS.replace("GROUPS", groups))


if __name__ == "__main__":
    main()
