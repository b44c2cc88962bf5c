"""A machine with many faults at once. The names in it are the caller's: name(place, plain) -> the name to use at that
place."""
from machine import add_package, groups, package, passwd, write_index, write_process, write_python, write_snapshot
from tree import folder, link, put

TORCH_LOG = """Traceback (most recent call last):
  File "/home/user/app/train.py", line 3, in <module>
    torch.cuda.current_device()
RuntimeError: No HIP GPUs are available
hipErrorNoDevice: no ROCm-capable device is detected
HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the necessary resources
Unable to open /dev/kfd read-write: Permission denied
"""
LOG = """OSError: {lib}: cannot open shared object file: No such file or directory
ImportError: {mod}: undefined symbol: hipblasLtMatmul
PermissionError: [Errno 13] Permission denied: '{perm}'
{prog}: error while loading shared libraries: libamdhip64.so.6: cannot open shared object file: No such file or directory
ModuleNotFoundError: No module named '{pymod}'
ERROR: Could not find a version that satisfies the requirement {req} (from versions: none)
E: Unable to locate package {aptpkg}
E: Unmet dependencies. rocm-hip-libraries : Depends: {dep} (= 6.4.1) but it is not going to be installed
OSError: [Errno 28] No space left on device: '{full}'
modprobe: FATAL: Module {kmod} not found in directory /lib/modules/{krel}
bash: {cmd}: command not found
error: externally-managed-environment
usermod: group '{grp}' does not exist
W: GPG error: {url} jammy InRelease: The following signatures couldn't be verified because the public key is not available: NO_PUBKEY {key}
fatal error: '{hdr}' file not found
MIOpen Error: {miodb}: unable to open database file
rocBLAS error: Cannot read {tensile}/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1100
Failed to start {unit}.service: Unit not found.
clang: error: cannot find ROCm device library; provide its path via '--rocm-path'
dpkg: error processing package {dpkgpkg} (--configure):
Error response from daemon: error gathering device information while adding custom device "{node}": no such file or directory
CMake Error: Could not find a package configuration file provided by "{cmakepkg}" with any of the following names
"""
LOG_NAMES = {
    "lib": "librocblas.so.4", "mod": "/home/user/venv/lib/x.so", "perm": "/home/user/.config/miopen",
    "prog": "/opt/app/llama-server",
    "pymod": "flash_attn", "req": "torch==2.9", "aptpkg": "rocm-dkms", "dep": "libdrm-amdgpu-amdgpu1",
    "full": "/var/tmp/x",
    "kmod": "amdgpu", "krel": "6.8.0-60-generic", "cmd": "rocminfo", "grp": "render",
    "url": "https://repo.radeon.com/rocm/apt/6.4",
    "key": "9386B48A1A693C5C", "hdr": "hip/hip_runtime.h", "miodb": "/nfs/miopen/gfx1100.ukdb",
    "tensile": "/opt/rocm/lib/rocblas",
    "unit": "ollama", "dpkgpkg": "amdgpu-dkms", "node": "/dev/kfd", "cmakepkg": "hipblas",
}
KERNEL_LOG = """[    0.000000] Linux version 6.8.0-60-generic
[    3.100000] [drm] amdgpu kernel modesetting enabled.
[    3.200000] amdgpu: unknown parameter '{param}' ignored
[    3.300000] amdgpu 0000:03:00.0: Direct firmware load for amdgpu/{fw} failed with error -2
[    3.400000] {mod}: module verification failed: signature and/or required key missing - tainting kernel
[   10.400000] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32770, for process {proc} pid 4242 thread {proc} pid 4242)
[   10.500000] amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=3
[   10.510000] amdgpu 0000:03:00.0: amdgpu: Process information: process {proc} pid 4242 thread {proc} pid 4242
[   11.000000] audit: type=1400 audit(1.0:1): apparmor="DENIED" operation="open" profile="{profile}" name="/dev/kfd" pid=1 comm="{comm}" requested_mask="rw" denied_mask="rw"
[   12.000000] EXT4-fs error (device {disk}): ext4_find_entry:1455: inode #2: comm {comm}: reading directory lblock 0
[   13.000000] Out of memory: Killed process 4242 ({oom}) total-vm:1kB, anon-rss:1kB
"""
FULL_DISKS = "264212084 264212084 0 100%", "1000000 1000000 0 100%"


def write_faulty(out, name, full_disks=True):
    """The snapshot folder `out` and the log `out`.log of an application on it."""
    write_snapshot(out)
    files = out + "/files"
    rows = write_people(out, files, name)
    write_services(files, name)
    write_settings(files, name)
    write_software(files, name)
    rows += write_kernel_side(files, name)
    write_index(out, rows)
    write_disks(out, files, name, full_disks)
    write_kernel_log(out, name)
    write_log(out, name, full_disks)


def write_people(out, files, name):
    """Users and groups, who may open the devices, and the environment; the rows of the index."""
    user, group = name("user", "user"), name("group", "render")
    put(files, "/etc/group", groups(group))
    put(files, "/etc/passwd", passwd(user, home=name("home", "/home/user"), service=name("svcuser", "ollama")))
    write_process(out, {
        "HIP_VISIBLE_DEVICES": name("env-visible", "7"), "HSA_OVERRIDE_GFX_VERSION": name("env-override", "10.3.0"),
        "LD_LIBRARY_PATH": name("ldpath", "/opt/rocm-5.7.1/lib"), "ROCM_PATH": name("rocmpath", "/opt/rocm-5.7.1"),
        "HIP_PATH": name("hippath", "/opt/hip"), "MIOPEN_USER_DB_PATH": name("miopendb", "/nfs/miopen"),
        "PYTORCH_CUDA_ALLOC_CONF": name("alloc", "expandable_segments=True"), "HOME": name("home", "/home/user"),
        "NCCL_TOPO_FILE": name("topofile", "/etc/topo.xml"), "NCCL_SOCKET_IFNAME": name("ifname", "eth9"),
        "VIRTUAL_ENV": name("venv", "/home/user/venv"), "LD_PRELOAD": name("preload", "/opt/x/libhip.so"),
        "TMPDIR": name("tmpdir", "/tmp"), "GPU_MAX_HW_QUEUES": name("queues", "many"),
        "CUDA_VISIBLE_DEVICES": name("cvd", ""),
    }, user=user)
    return [f"error\t/dev/kfd\t0660\t0\t992\troot\t{group}\topen:EACCES char 226:0",
            "dir\t/dev/dri\t0755\t0\t0\troot\troot\tcomplete",
            f"error\t/dev/dri/renderD128\t0660\t0\t992\troot\t{group}\topen:EACCES char 226:128",
            "char\t/dev/dri/card0\t0660\t0\t44\troot\tvideo\t226:0"]


def write_services(files, name):
    services = ((name("svcuser", "ollama"), name("unit", "ollama"), "no"),
                (name("svcuser2", "vllm"), name("unit2", "vllm"), "yes"))
    for user, unit, private in services:
        put(files, f"/etc/systemd/system/{unit}.service",
            f"[Unit]\nDescription={unit}\nAfter=network-online.target\n\n[Service]\n"
            f"ExecStart=/usr/local/bin/ollama serve\nUser={user}\nGroup={user}\nPrivateDevices={private}\n"
            f"DeviceAllow=\n"
            f'Environment="HSA_OVERRIDE_GFX_VERSION={name("unitenv", "10.3.0")}"\nRestart=always\n\n'
            "[Install]\nWantedBy=default.target\n")
    folder(files, "/run/systemd/system")
    put(files, "/usr/local/bin/ollama", "\x7fELF")
    for home in ("/home/user", "/srv", "/opt"):
        put(files, f"{home}/{name('composedir', 'stack')}/docker-compose.yml",
            f"services:\n  {name('composesvc', 'train')}:\n    image: {name('image', 'rocm/pytorch:latest')}\n"
            f"    container_name: {name('cname', 'train1')}\n    command: python train.py\n    environment:\n"
            "      - HSA_OVERRIDE_GFX_VERSION=10.3.0\n    #devices:\n    #  - /dev/kfd\n"
            "  two:\n    image: vllm/vllm-openai:latest\n    devices:\n      - /dev/kfd\n      - /dev/dri\n"
            f"    volumes:\n      - {name('vol', '/srv/data')}:/data\n")


def write_settings(files, name):
    """Of the driver, of shells and of the loader."""
    put(files, f"/etc/modprobe.d/{name('modfile', 'amdgpu')}.conf",
        f"options amdgpu {name('modopt', 'fastmode')}={name('modval', '1')}\n"
        "options amdgpu dpm=0 noretry=0 gpu_recovery=0\nblacklist amdgpu\noptions vfio-pci ids=1002:744c\n")
    put(files, f"/etc/profile.d/{name('proffile', 'rocm')}.sh",
        f"export HSA_OVERRIDE_GFX_VERSION={name('profenv', '10.3.0')}\n"
        f"export LD_LIBRARY_PATH={name('profld', '/opt/rocm-5.7.1/lib')}\nexport HIP_PLATFORM=nvidia\n")
    put(files, "/etc/environment",
        f'HIP_VISIBLE_DEVICES="{name("envfile", "9")}"\nROCM_PATH={name("envrocm", "/opt/rocm-5.7.1")}\n'
        "HSA_ENABLE_SDMA=0\n")
    put(files, "/home/user/.bashrc", f"export PATH={name('rcpath', '/opt/rocm-5.7.1/bin')}:$PATH\nexport HSA_XNACK=1\n"
        f"export HSA_OVERRIDE_GFX_VERSION={name('rcenv', '9.0.0')}\n")
    put(files, f"/etc/ld.so.conf.d/{name('ldfile', 'rocm')}.conf",
        f"{name('ldso', '/opt/rocm-5.6.0/lib')}\n/opt/rocm-5.7.1/lib\n")


def write_software(files, name):
    rocm = name("rocmdir", "rocm-6.3.0")
    put(files, f"/opt/{rocm}/.info/version", "6.3.0-39\n")
    put(files, f"/opt/{rocm}/lib/libamdhip64.so.6", "")
    packages = write_python(files, name("venv", "/home/user/venv"), [
        ("torch", name("torchver", "2.6.0+cu124"), ["torch"]), ("torchvision", "0.15.0", ["torchvision"]),
        ("numpy", "2.1.0", ["numpy"]),
        ("jax", "0.5.0", ["jax"]), ("jaxlib", "0.4.0", ["jaxlib"]), ("tensorflow", "2.16.1", ["tensorflow"]),
        ("onnxruntime", "1.20.0", ["onnxruntime"]), ("onnxruntime_gpu", "1.20.0", ["onnxruntime"]),
        (name("dist", "triton"), "3.0.0", ["triton"]), ("ray", "2.9.0", ["ray"])])
    put(files, packages + "/torch/version.py", "__version__ = '2.6.0+cu124'\ncuda = '12.4'\nhip = None\n")
    write_python(files, "/home/user/" + name("venv2", "cpu"), [("torch", "2.6.0+cpu", ["torch"])])
    depends = "rocm-core (= 6.3.0), " + name("dep", "libfoo")
    for title, version, status in (
            (name("pkg", "rocm-hip-libraries"), name("pkgver", "6.3.0.60300-39~22.04"), "install ok half-configured"),
            ("rocm-" + name("pkg2", "smi-lib"), "7.4", "hold ok unpacked"),
            ("libamdhip64-5", "5.7.1-3", "install ok installed"),
            ("rocrand", "5.0.0.50600-1~20.04", "hold ok installed"), ("rocm-hip-sdk", "6.4.1", "install ok installed")):
        add_package(files, package(title, version, status, depends))
    put(files, f"/etc/apt/sources.list.d/{name('aptfile', 'rocm')}.list",
        f"deb [arch=amd64 signed-by={name('aptkey', '/etc/apt/keyrings/rocm.gpg')}] "
        f"{name('apturl', 'https://repo.radeon.com/rocm/apt/6.4.1')} jammy main\n"
        "# deb https://repo.radeon.com/amdgpu/6.4.1/ubuntu noble main\n")
    put(files, "/etc/apt/preferences.d/" + name("aptpref", "rocm-pin"),
        "Package: *\nPin: release o=Ubuntu\nPin-Priority: 900\n")
    put(files, f"/etc/OpenCL/vendors/{name('icd', 'amdocl64')}.icd", name("icdlib", "libamdocl64.so") + "\n")


def write_kernel_side(files, name):
    """DKMS, kernels, firmware and alternatives; rows of the index."""
    version, kernel = name("dkmsver", "6.10.5"), name("kernel", "6.11.0-9-generic")
    put(files, f"/var/lib/dkms/amdgpu/{version}/source/dkms.conf", "PACKAGE_NAME=amdgpu\n")
    put(files, f"/var/lib/dkms/amdgpu/{version}/build/make.log", f"make: error: {name('makelog', 'x')}\nError 2\n")
    folder(files, f"/var/lib/dkms/{name('dkmsmod', 'amdgpu-old')}/1.0")
    put(files, f"/lib/modules/{kernel}/modules.dep", "")
    put(files, "/boot/vmlinuz-" + kernel, "")
    put(files, "/lib/firmware/updates/amdgpu/" + name("fw", "gc_11_0_0_mes.bin"), "x")
    program = "/etc/alternatives/" + name("alt", "rocminfo")
    link(files, program, "/opt/rocm-5.0.0/bin/rocminfo")
    return [f"link\t{program}\t0777\t0\t0\troot\troot\t{name('altto', '/opt/rocm-5.0.0/bin/rocminfo')}"]


def write_disks(out, files, name, full):
    """Full ones out-shout other causes: a test of one other name asks for room."""
    mount, device, share = name("mount", "/var"), name("dev", "/dev/sdb1"), name("nfs", "filer:/vol")
    root, other = FULL_DISKS if full else ("264212084 5 264212000 1%", "1000000 5 999000 1%")
    put(out, "cmd/df", f"Filesystem Type 1024-blocks Used Available Capacity Mounted on\n/dev/sda2 ext4 {root} /\n"
        f"{device} {name('fstype', 'ext4')} {other} {mount}\n{share} nfs4 100 100 0 100% /home/user\n")
    escaped = mount.replace(" ", "\\040")
    put(files, "/proc/self/mounts",
        f"/dev/sda2 / ext4 rw 0 0\n{device} {escaped} ext4 rw 0 0\n{share} /home/user nfs4 rw 0 0\n"
        "tmpfs /dev/shm tmpfs rw,size=65536k 0 0\n")


def write_kernel_log(out, name):
    put(out, "cmd/dmesg", KERNEL_LOG.format(
        param=name("kparam", "fastmode"), fw=name("kfw", "gc_11_0_0_mes.bin"), mod=name("kmod", "amdgpu"),
        proc=name("kproc", "python3"),
        profile=name("kprofile", "snap.ollama"), comm=name("kcomm", "ollama"), disk=name("kdisk", "sda2"),
        oom=name("koom", "python3")))


def write_log(out, name, full):
    lines = TORCH_LOG + LOG.format(**{key: name("log-" + key, plain) for key, plain in LOG_NAMES.items()})
    if not full:
        lines = "".join(line for line in lines.splitlines(keepends=True) if "No space left" not in line)
    put("/", out + ".log", lines)
