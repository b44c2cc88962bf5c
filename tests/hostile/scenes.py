"""Small machines with one fault each, so that the printed script tells of that one. Each takes the snapshot folder, the
folder of its files and the hostile word that stands as the name."""
import json

from machine import CARD, INDEX_HEAD, add_package, groups, package, passwd, write_process, write_python, write_snapshot
from payloads import file_name, one_line
from tree import append, drop, folder, link, put, read

NO_GPU = "RuntimeError: No HIP GPUs are available\n"
SCENES = {}
CUDA_TORCH = [("torch", "2.6.0+cu124", ["torch"]), ("numpy", "2.1.0", ["numpy"])]


def scene(function):
    SCENES[function.__name__] = function
    return function


def write_scene(out, title, word):
    write_snapshot(out, nodes_mode="0666")
    log(out, NO_GPU)
    SCENES[title](out, out + "/files", word)


def log(out, text):
    put("/", out + ".log", text)


def as_file(word):
    return file_name(word, 150)


def as_account(word):
    return one_line(word).replace(":", "_")


def as_word(word):
    return one_line(word).replace(" ", "")


def close_devices(out, group):
    """The device nodes refuse the user; they belong to the group."""
    rows = []
    for row in read(out, "index.tsv").split("\n"):
        fields = row.split("\t")
        if fields[0] == "char" and fields[1] in ("/dev/kfd", "/dev/dri/renderD128"):
            fields[0], fields[2], fields[6], fields[7] = "error", "0660", group, "open:EACCES char 226:0"
        rows.append("\t".join(fields))
    put(out, "index.tsv", "\n".join(rows))


def no_driver(files, kfd=True):
    drop(files, "/sys/module/amdgpu")
    if kfd:
        drop(files, "/sys/class/kfd")


def write_unit(files, name, lines):
    folder(files, "/run/systemd/system")
    put(files, "/usr/local/bin/ollama", "")
    put(files, f"/etc/systemd/system/{name}.service",
        "[Unit]\nDescription=x\n[Service]\nExecStart=/usr/local/bin/ollama serve\n"
        f"{lines}[Install]\nWantedBy=multi-user.target\n")


@scene
def user(out, files, word):
    name = as_account(word)
    put(files, "/etc/passwd", passwd(name))
    write_process(out, {}, user=name)
    close_devices(out, "render")


@scene
def group(out, files, word):
    name = as_account(word)
    put(files, "/etc/group", groups(name))
    close_devices(out, name)


@scene
def svcuser(out, files, word):
    name = as_account(word)
    put(files, "/etc/passwd", passwd(name, 990))
    close_devices(out, "")
    write_unit(files, "ollama", f"User={name}\n")
    write_process(out, {}, group_ids=(992,))


@scene
def unitname(out, files, word):
    write_unit(files, as_file(word), "User=ollama\n")


@scene
def unithide(out, files, word):
    write_unit(files, as_file(word), "PrivateDevices=yes\n")


@scene
def unitenv(out, files, word):
    write_unit(files, as_file(word),
               f"Environment=HSA_OVERRIDE_GFX_VERSION=9.0.0\nEnvironment=HIP_VISIBLE_DEVICES={one_line(word)}\n")


@scene
def mount(out, files, word):
    at = "/" + one_line(word)
    put(out, "cmd/df",
        "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n/dev/sda2 ext4 264212084 5 264212000 1% /\n"
        f"/dev/sdb ext4 1000000 1000000 0 100% {at}\n")
    write_process(out, {"TMPDIR": at, "MIOPEN_USER_DB_PATH": at + "/db", "HOME": at})


@scene
def blacklist(out, files, word):
    no_driver(files)
    drop(files, CARD + "/driver")
    put(files, f"/etc/modprobe.d/{as_file(word)}.conf", "blacklist amdgpu\n")
    rows = [f"absent\t{path}\t-\t-\t-\t-\t-\t-" for path in ("/dev/kfd", "/dev/dri", "/sys/module/amdgpu")]
    put(out, "index.tsv", "\n".join([INDEX_HEAD, *rows]) + "\n")


@scene
def blackinstall(out, files, word):
    blacklist(out, files, word + "i")
    put(files, "/etc/modprobe.d/z.conf", f"install amdgpu {one_line(word)}\n")


@scene
def vfio(out, files, word):
    blacklist(out, files, "a")
    folder(files, "/sys/bus/pci/drivers/vfio-pci")
    link(files, CARD + "/driver", "../../drivers/vfio-pci")
    put(files, f"/etc/modprobe.d/{as_file(word)}.conf", "options vfio-pci ids=1002:744c\n")


@scene
def otherdrv(out, files, word):
    drop(files, CARD + "/driver")
    link(files, CARD + "/driver", "../../drivers/" + as_file(word))
    folder(files, "/sys/bus/pci/drivers/" + as_file(word))


@scene
def modopt(out, files, word):
    put(files, f"/etc/modprobe.d/{as_file(word)}.conf", f"options amdgpu dpm=0 {as_word(word)}=1\n")
    for option in ("dpm", "gpu_recovery"):
        put(files, "/sys/module/amdgpu/parameters/" + option, "0\n")


@scene
def venv(out, files, word):
    at = "/home/user/" + word
    packages = write_python(files, at, CUDA_TORCH)
    put(files, packages + "/torch/version.py", "__version__ = '2.6.0+cu124'\ncuda = '12.4'\nhip = None\n")
    write_process(out, {"VIRTUAL_ENV": at})


@scene
def venvcpu(out, files, word):
    at = "/home/user/" + word
    write_python(files, at, [("torch", "2.6.0+cpu", ["torch"])])
    write_process(out, {"VIRTUAL_ENV": at})


@scene
def share(out, files, word):
    """Distributions that share one module's folder."""
    at = "/home/user/" + word
    write_python(files, at, [(name, "1.20.0", ["onnxruntime"])
                             for name in ("onnxruntime", "onnxruntime_" + as_file(word), "onnxruntime_rocm")])
    write_process(out, {"VIRTUAL_ENV": at})


@scene
def numpy(out, files, word):
    at = "/opt/" + word
    write_python(files, at, [("tensorflow_rocm", "2.16.1", ["tensorflow"]), ("numpy", "2.1.0", ["numpy"])])
    write_process(out, {"VIRTUAL_ENV": at})


@scene
def conda(out, files, word):
    at = "/opt/conda/envs/" + word
    write_python(files, at, CUDA_TORCH[:1])
    drop(files, at + "/pyvenv.cfg")
    put(files, at + "/conda-meta/history", "")
    put(files, "/opt/conda/conda-meta/history", "")
    write_process(out, {"CONDA_PREFIX": at})


@scene
def tversion(out, files, word):
    write_python(files, "/home/user/venv", [("torch", "2.6.0+rocm6.1" + as_file(word), ["torch"]),
                                            ("torchvision", "0.15.0" + as_file(word), ["torchvision"])])


@scene
def rocmdir(out, files, word):
    drop(files, "/opt/rocm", "/opt/rocm-6.4.1")
    put(files, f"/opt/rocm-6.4.1{word}/.info/version", "6.4.1-83\n")
    put(files, f"/opt/rocm-6.4.1{word}/lib/libamdhip64.so.6", "")


@scene
def ldso(out, files, word):
    put(files, f"/etc/ld.so.conf.d/{as_file(word)}.conf", f"/opt/rocm-5.6.0{one_line(word)}/lib\n")


@scene
def ldpath(out, files, word):
    write_process(out, {"LD_LIBRARY_PATH": f"/opt/rocm-5.7.1{word}/lib"})
    put(files, f"/opt/rocm-5.7.1{word}/lib/libamdhip64.so.5", "")
    put(files, f"/opt/rocm-5.7.1{word}/.info/version", "5.7.1-1\n")


@scene
def compose(out, files, word):
    put(files, f"/home/user/{word}/docker-compose.yml", "services:\n  a:\n    image: rocm/pytorch:latest\n")


@scene
def composesvc(out, files, word):
    put(files, "/home/user/docker-compose.yml",
        f"services:\n  {json.dumps(word)}:\n    image: rocm/pytorch:latest\n    command: x\n")


@scene
def kernelrel(out, files, word):
    put(out, "cmd/uname", f"Linux n 6.8.0-60{one_line(word)} #63 SMP x86_64 GNU/Linux\n")
    put(files, "/proc/sys/kernel/osrelease", f"6.8.0-60{one_line(word)}\n")
    no_driver(files)
    put(files, "/var/lib/dkms/amdgpu/6.12.12/source/dkms.conf", "PACKAGE_NAME=amdgpu\n")
    folder(files, "/lib/modules/6.8.0-60-generic")


@scene
def dkmsver(out, files, word):
    at = "/var/lib/dkms/amdgpu/6.12.12" + as_file(word)
    folder(files, at + "/6.5.0/x86_64/log")
    folder(files, "/usr/src")
    put(files, at + "/build/make.log", "error\n")
    no_driver(files, kfd=False)


@scene
def pkg(out, files, word):
    for name, status in (("rocm-hip-libraries", "install ok half-configured"), ("rocrand", "hold ok installed"),
                         ("amdgpu-dkms-firmware", "deinstall ok config-files"),
                         ("libamdhip64-5", "install ok installed")):
        add_package(files, package(name + one_line(word), "6.3.0.60300-39~22.04" + one_line(word), status,
                                   "rocm-core (= 6.3)"))


@scene
def alt(out, files, word):
    name, target = "/etc/alternatives/rocminfo" + as_file(word), "/opt/rocm-5.0.0/bin/" + word
    link(files, name, target)
    append(out, "index.tsv", "dir\t/etc/alternatives\t0755\t0\t0\troot\troot\tcomplete\n"
           f"link\t{one_line(name)}\t0777\t0\t0\troot\troot\t{one_line(target)}\n")


@scene
def apt(out, files, word):
    put(files, f"/etc/apt/sources.list.d/{as_file(word)}.list",
        f"deb [signed-by=/etc/apt/keyrings/{one_line(word)}.gpg] "
        f"https://repo.radeon.com/rocm/apt/6.4.1 jammy main {one_line(word)}\n")
    log(out, f"W: GPG error: https://repo.radeon.com/rocm/apt/6.4 jammy InRelease: NO_PUBKEY {word}\n")


@scene
def miopen(out, files, word):
    at = "/home/user/" + word
    write_process(out, {"MIOPEN_USER_DB_PATH": at, "MIOPEN_CUSTOM_CACHE_DIR": at})
    append(out, "index.tsv", f"dir\t{one_line(at)}\t0500\t0\t0\troot\troot\t-\n")
    folder(files, at)
    log(out, f"MIOpen Error: {at}/gfx1100.ukdb: unable to open database file\n")


@scene
def envvars(out, files, word):
    write_process(out, {"HIP_VISIBLE_DEVICES": word, "HSA_OVERRIDE_GFX_VERSION": word, "GPU_MAX_HW_QUEUES": word,
                        "PYTORCH_CUDA_ALLOC_CONF": word, "ROCM_PATH": "/x" + word, "HSA_XNACK": word,
                        "LD_PRELOAD": "/y" + word})


@scene
def envname(out, files, word):
    write_process(out, {"HSA_OVERRIDE_GFX_VERSION" + word: "1", "HIP_VISIBLE_DEVICES" + word: "9", "ROCM_" + word: "x"})
    put(files, "/etc/environment", f"HIP_VISIBLE_DEVICES{one_line(word)}=9\n")


@scene
def profile(out, files, word):
    put(files, f"/etc/profile.d/{as_file(word)}.sh",
        f"export HSA_OVERRIDE_GFX_VERSION=9.0.0\nexport ROCM_PATH=/x{one_line(word)}\n")
    write_process(out, {"HSA_OVERRIDE_GFX_VERSION": "9.0.0", "ROCM_PATH": "/x" + word})


@scene
def opencl(out, files, word):
    put(files, f"/etc/OpenCL/vendors/{as_file(word)}.icd", "libamdocl64.so\n")
    put(files, f"/etc/OpenCL/vendors/b{as_file(word)}.icd", f"/opt/rocm{one_line(word)}/libamdocl64.so\n")


@scene
def loglib(out, files, word):
    log(out, f"OSError: librocblas.so.4{word}: cannot open shared object file: No such file or directory\n"
        f"/opt/{word}/server: error while loading shared libraries: libamdhip64.so.6: cannot open shared object file\n"
        f"PermissionError: [Errno 13] Permission denied: '/home/{word}'\n")


@scene
def logpkg(out, files, word):
    log(out, f"E: Unable to locate package rocm-{word}\ndpkg: error processing package rocm-{word} (--configure):\n"
        f"E: Version '{word}' for 'rocm-core' was not found\nCould not find a package configuration file provided by "
        f"\"hip{word}\" with any\n"
        f"Failed to start ollama{word}.service\nModuleNotFoundError: No module named 'triton{word}'\n"
        f"usermod: group '{word}' does not exist\n"
        f"Module amdgpu{word} not found in directory /lib/modules/6.8.0{word}\n")


@scene
def app(out, files, word):
    at = "/opt/" + word
    put(files, at + "/bin/ollama", "")
    write_process(out, {"PATH": f"/home/user/bin{word}:{at}/bin:/usr/bin"})
    put(files, f"/home/user/bin{word}/llama-server", "")
    write_unit(files, "ollama", "")


@scene
def cmdline(out, files, word):
    name = as_word(word)
    put(files, "/proc/cmdline",
        f"nomodeset amdgpu.{name}=1 amdgpu.dpm=0 modprobe.blacklist=amdgpu,{name} vfio-pci.ids=1002:744c{name}\n")
    put(files, "/etc/default/grub", f'GRUB_CMDLINE_LINUX_DEFAULT="nomodeset {one_line(word)}"\n')


@scene
def secure(out, files, word):
    name = one_line(word)
    append(out, "cmd/dmesg", f"[ 4.0] Loading of module {name} with unavailable key is rejected\n"
           f"[ 4.1] amdgpu: Loading of unsigned module {name} is rejected\n"
           f"[ 4.2] amdgpu 0000:03:00.0: Direct firmware load for amdgpu/{name}.bin failed with error -2\n")
    no_driver(files, kfd=False)
