"""An ordinary machine with RX 7900 XTX cards, as a snapshot folder; what else a test wants to be wrong with it is put
on top."""
import os

from tree import append, folder, link, put, remove

KFD = "/sys/class/kfd/kfd/topology"
CARD = "/sys/bus/pci/devices/0000:03:00.0"
INDEX_HEAD = "kind\tpath\tmode\tuid\tgid\towner\tgroup\textra"

CPU_NODE = {
    "cpu_cores_count": 16, "simd_count": 0, "mem_banks_count": 1, "caches_count": 0, "io_links_count": 1,
    "cpu_core_id_base": 0,
    "simd_id_base": 0, "max_waves_per_simd": 0, "lds_size_in_kb": 0, "gds_size_in_kb": 0, "wave_front_size": 0,
    "array_count": 0,
    "gfx_target_version": 0, "vendor_id": 0, "device_id": 0, "location_id": 0, "domain": 0, "drm_render_minor": 0,
    "max_engine_clk_ccompute": 3000,
}
GPU_NODE = {
    "cpu_cores_count": 0, "simd_count": 192, "mem_banks_count": 1, "caches_count": 0, "io_links_count": 1,
    "p2p_links_count": 0,
    "cpu_core_id_base": 0, "simd_id_base": 2147487744, "max_waves_per_simd": 16, "lds_size_in_kb": 64,
    "gds_size_in_kb": 0, "num_gws": 64,
    "wave_front_size": 32, "array_count": 12, "simd_arrays_per_engine": 2, "cu_per_simd_array": 8, "simd_per_cu": 2,
    "max_slots_scratch_cu": 32, "gfx_target_version": 110000, "vendor_id": 4098, "device_id": 29772, "domain": 0,
    "hive_id": 0,
    "num_sdma_engines": 2, "num_sdma_xgmi_engines": 0, "num_sdma_queues_per_engine": 6, "num_cp_queues": 8,
    "max_engine_clk_fcompute": 2371, "local_mem_size": 25753026560, "fw_version": 538, "capability": 671588992,
    "sdma_fw_version": 20,
    "num_xcc": 1, "max_engine_clk_ccompute": 3000,
}
CARD_FILES = {
    "vendor": "0x1002", "device": "0x744c", "revision": "0xc8", "subsystem_vendor": "0x1eae",
    "subsystem_device": "0x7901",
    "class": "0x030000", "numa_node": "0", "current_link_speed": "16.0 GT/s PCIe", "current_link_width": "16",
    "max_link_speed": "16.0 GT/s PCIe", "max_link_width": "16", "mem_info_vram_total": "25753026560",
    "mem_info_vram_used": "27000000",
    "mem_info_vis_vram_total": "25753026560", "mem_info_gtt_total": "33000000000", "mem_info_gtt_used": "20000000",
    "vbios_version": "113-3E4710U-O4W", "power_dpm_force_performance_level": "auto", "enable": "1",
}
OPTIONS = {"noretry": "-1", "gpu_recovery": "-1", "dpm": "-1", "ppfeaturemask": "0xfff7bfff", "gttsize": "-1",
           "vm_fragment_size": "-1",
           "runpm": "-1"}
PACKAGES = {"rocm-core": "6.4.1.60401-83~24.04", "hip-runtime-amd": "6.4.43483.60401-83~24.04",
            "hsa-rocr": "1.15.0.60401-83~24.04",
            "rocblas": "4.4.0.60401-83~24.04", "amdgpu-dkms": "1:6.12.12.60401-2164967.24.04"}
COMPLETE = ("/sys/class/kfd", "/sys/bus/pci/devices", "/dev", "/etc", "/opt", "/home", "/root", "/srv", "/proc/modules",
            "/sys/module/amdgpu")


def properties(values):
    return "".join(f"{key} {value}\n" for key, value in values.items())


def package(name, version, status="install ok installed", depends=""):
    """A paragraph of dpkg's status file."""
    needs = f"Depends: {depends}\n" if depends else ""
    return (f"Package: {name}\nStatus: {status}\nPriority: optional\nSection: devel\nInstalled-Size: 100\n"
            f"Maintainer: AMD\n"
            f"Architecture: amd64\nVersion: {version}\n{needs}Description: x\n\n")


def write_card(files, index, unique_id):
    """One GPU: its node of KFD and its PCI device."""
    bdf, minor = f"0000:{3 + index:02x}:00.0", 128 + index
    node = f"{KFD}/nodes/{1 + index}"
    put(files, node + "/properties", properties({**GPU_NODE, "location_id": (3 + index) << 8, "drm_render_minor": minor,
                                                 "unique_id": unique_id}))
    put(files, node + "/gpu_id", f"{40000 + index}\n")
    put(files, node + "/name", "ip discovery\n")
    put(files, node + "/mem_banks/0/properties", properties({
        "heap_type": 1, "size_in_bytes": 25753026560, "flags": 0, "width": 384, "mem_clk_max": 1249}))
    put(files, node + "/io_links/0/properties", properties({
        "type": 2, "version_major": 0, "version_minor": 0, "node_from": 1 + index, "node_to": 0, "weight": 20,
        "min_latency": 0,
        "max_latency": 0, "min_bandwidth": 312, "max_bandwidth": 31508, "recommended_transfer_size": 0, "flags": 1}))
    device = "/sys/bus/pci/devices/" + bdf
    for name, value in CARD_FILES.items():
        put(files, f"{device}/{name}", value + "\n")
    put(files, device + "/unique_id", f"{unique_id:016x}\n")
    put(files, device + "/serial_number", f"PCB{index:09d}\n")
    put(files, device + "/uevent",
        f"DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:744C\nPCI_SUBSYS_ID=1EAE:7901\nPCI_SLOT_NAME={bdf}\n"
        "MODALIAS=pci:v00001002d0000744Csv00001EAEsd00007901bc03sc00i00\n")
    for name, number in ((f"card{index}", index), (f"renderD{minor}", minor)):
        put(files, f"{device}/drm/{name}/uevent", f"MAJOR=226\nMINOR={number}\nDEVNAME=dri/{name}\n")
    folder(files, "/sys/bus/pci/drivers/amdgpu")
    link(files, device + "/driver", "../../drivers/amdgpu")


def write_files(files, gpus):
    put(files, KFD + "/generation_id", "2\n")
    put(files, KFD + "/system_properties", properties({"platform_oem": 0, "platform_id": 0, "platform_rev": 0}))
    put(files, KFD + "/nodes/0/properties", properties(CPU_NODE))
    put(files, KFD + "/nodes/0/gpu_id", "0\n")
    put(files, KFD + "/nodes/0/name", "\n")
    put(files, KFD + "/nodes/0/mem_banks/0/properties", properties({
        "heap_type": 0, "size_in_bytes": 67000000000, "flags": 0, "width": 64, "mem_clk_max": 3200}))
    for index in range(gpus):
        write_card(files, index, 0x4e1f9a2b7c3d5e61 + index)
    put(files, "/sys/module/amdgpu/version", "6.12.12\n")
    put(files, "/sys/module/amdgpu/initstate", "live\n")
    for name, value in OPTIONS.items():
        put(files, "/sys/module/amdgpu/parameters/" + name, value + "\n")
    put(files, "/proc/modules",
        "amdgpu 20000000 24 - Live 0x0000000000000000 (OE)\namdttm 100000 1 amdgpu, Live 0x0000000000000000 (OE)\n")
    put(files, "/proc/version",
        "Linux version 6.8.0-60-generic (buildd@lcy02-amd64-054) (x86_64-linux-gnu-gcc-13 13.3.0) #63-Ubuntu SMP\n")
    put(files, "/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.8.0-60-generic root=/dev/sda2 ro quiet splash\n")
    put(files, "/proc/meminfo",
        "MemTotal:       65800000 kB\nMemFree:        40000000 kB\nMemAvailable:   50000000 kB\n"
        "SwapTotal: 8000000 kB\nSwapFree: 8000000 kB\n")
    put(files, "/etc/os-release", 'PRETTY_NAME="Ubuntu 24.04.2 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\n'
        'VERSION="24.04.2 LTS (Noble Numbat)"\nVERSION_CODENAME=noble\nID=ubuntu\nID_LIKE=debian\n')
    put(files, "/etc/passwd", passwd("user"))
    put(files, "/etc/group", groups("render"))
    put(files, "/opt/rocm-6.4.1/.info/version", "6.4.1-83\n")
    put(files, "/opt/rocm-6.4.1/lib/.keep", "")
    link(files, "/opt/rocm", "rocm-6.4.1")
    put(files, "/var/lib/dpkg/status", "".join(package(name, version) for name, version in PACKAGES.items()))


def passwd(user, uid=1000, home="/home/user", service="ollama"):
    return (f"root:x:0:0::/root:/bin/bash\n{user}:x:{uid}:{uid}::{home}:/bin/bash\n"
            f"{service}:x:997:997::/usr/share/ollama:/bin/false\n")


def groups(render):
    return f"root:x:0:\nvideo:x:44:\n{render}:x:992:\nuser:x:1000:\nollama:x:997:\n"


def write_about(out, complete=COMPLETE):
    listed = ", ".join(f'"{path}"' for path in complete)
    put(out, "about.toml", 'format = 1\ntool = "rocvet 0.1.0"\ncreated = "2026-11-27T23:08:26Z"\nsource = "live"\n'
        f'redacted = ["UUIDs", "home folders", "host name", "secrets", "serial numbers", "user names"]\n'
        f'complete = [{listed}]\n')


def toml_text(text):
    return '"' + "".join(c if c not in '"\\' and ord(c) >= 32 else f"\\u{ord(c):04x}" for c in text) + '"'


def write_process(out, environment, uid=1000, user="user", group_ids=(4, 24)):
    variables = {"HOME": "/home/user", "PATH": "/opt/rocm/bin:/usr/local/bin:/usr/bin:/bin", "SHELL": "/bin/bash",
                 "LANG": "C.UTF-8"}
    variables.update(environment)
    put(out, "process.toml", f"uid = {uid}\ngid = {uid}\nuser = {toml_text(user)}\ngroups = {list(group_ids)}\n"
        'uid_map = "0 0 4294967295"\ngid_map = "0 0 4294967295"\ncgroup = "0::/user.slice"\nseccomp = 0\n'
        'capabilities = "0000000000000000"\n\n[limits]\nas = ["unlimited", "unlimited"]\nmemlock = [8388608, 8388608]\n'
        "nofile = [1024, 20000]\nnproc = [96365, 96365]\n\n[environment]\n"
        + "".join(f"{toml_text(name)} = {toml_text(value)}\n" for name, value in variables.items()))


def write_index(out, rows):
    put(out, "index.tsv", "\n".join([INDEX_HEAD, *rows]) + "\n")


def write_snapshot(out, gpus=1, nodes_mode="0600"):
    remove(out)
    os.makedirs(out + "/files")
    write_files(out + "/files", gpus)
    write_about(out)
    write_process(out, {})
    rows = [f"char\t/dev/kfd\t{nodes_mode}\t0\t992\troot\trender\t-", "dir\t/dev/dri\t0755\t0\t0\troot\troot\tcomplete"]
    for index in range(gpus):
        rows += [f"char\t/dev/dri/renderD{128 + index}\t{nodes_mode}\t0\t992\troot\trender\t-",
                 f"char\t/dev/dri/card{index}\t0660\t0\t44\troot\tvideo\t-"]
    write_index(out, rows)
    put(out, "cmd/uname", "Linux node 6.8.0-60-generic #63-Ubuntu SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n")
    put(out, "cmd/dmesg",
        "[    0.000000] Linux version 6.8.0-60-generic\n[    3.100000] [drm] amdgpu kernel modesetting enabled.\n")
    put(out, "cmd/df", "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n"
        "/dev/sda2 ext4 264212084 56631904 43705284 57% /\n")


def write_python(files, venv, dists, python="3.12"):
    """An environment of Python with (name, version, modules) of each distribution; where its packages are."""
    packages = f"{venv}/lib/python{python}/site-packages"
    put(files, venv + "/pyvenv.cfg", f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {python}.3\n")
    put(files, f"{venv}/bin/python{python}", "")
    link(files, venv + "/bin/python3", "python" + python)
    for name, version, modules in dists:
        info = f"{packages}/{name}-{version}.dist-info"
        put(files, info + "/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        put(files, info + "/RECORD", "".join(f"{module}/__init__.py,,\n" for module in modules))
        put(files, info + "/INSTALLER", "pip\n")
        for module in modules:
            put(files, f"{packages}/{module}/__init__.py", "")
    return packages


def add_package(files, text):
    append(files, "/var/lib/dpkg/status", text)
