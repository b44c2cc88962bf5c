#!/usr/bin/env python3
"""Fills a root folder with three ROCm installations and five Python environments, to time the software probe.

    tools/make_software_tree.py ROOT        ROOT: a chroot or an empty folder; what is there is kept

The files look as the real ones do: ELF files with sonames, needed libraries, symbol versions and offload bundles (plain and
compressed), the device code itself a hole, so that libraries are as large as ROCm's and take no room; names of rocBLAS',
hipBLASLt's and MIOpen's kernel files; dist-info folders with RECORD files; a status file of dpkg. Then, for instance:

    for i in $(seq 21); do chroot ROOT /rocvet scan --format json | grep duration_ms; done
    strace -f -c chroot ROOT /rocvet scan
"""
import os
import struct
import sys
import zlib

MIB = 1 << 20
TARGETS = ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1101", "gfx1200", "gfx1201"]


def bundle(targets, code_size):
    """Header of a plain offload bundle and its whole size: the code behind it is a hole."""
    ids = ["host-x86_64-unknown-linux--"] + ["hipv4-amdgcn-amd-amdhsa--" + t for t in targets]
    head, offset = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(ids)), 4096
    for name in ids:
        size = 0 if name.startswith("host") else code_size
        head += struct.pack("<QQQ", offset, size, len(name)) + name.encode()
        offset += size
    return head, offset


def compressed_bundle(targets, size):
    """A compressed bundle (version 2, zlib) that says it is `size` bytes long; its code is a hole."""
    head, unpacked = bundle(targets, 65536)
    text = zlib.compress(head + bytes(unpacked - len(head)))
    return b"CCOB" + struct.pack("<HHIIQ", 2, 0, size, unpacked, 0) + text


def write_elf(path, soname, needed=(), runpath="", versions=(), fatbin=()):
    """fatbin: parts of .hip_fatbin, each (bytes, size); what the bytes do not fill is a hole."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    strings, dynamic = b"\0", []

    def text(value):
        nonlocal strings
        at = len(strings)
        strings += value.encode() + b"\0"
        return at

    for name in needed:
        dynamic.append((1, text(name)))
    if soname:
        dynamic.append((14, text(soname)))
    if runpath:
        dynamic.append((29, text(runpath)))
    need = b""
    if versions:
        need = struct.pack("<HHIII", 1, len(versions), text("libc.so.6"), 16, 0)
        for i, version in enumerate(versions):
            need += struct.pack("<IHHII", 0, 0, i + 2, text(version), 16 if i + 1 < len(versions) else 0)
    strings_at = 64 + 2 * 56
    need_at = (strings_at + len(strings) + 7) // 8 * 8
    dynamic_at = (need_at + len(need) + 7) // 8 * 8
    dynamic += [(5, 0x10000 + strings_at), (10, len(strings))]
    if need:
        dynamic += [(0x6ffffffe, 0x10000 + need_at), (0x6fffffff, 1)]
    dynamic.append((0, 0))
    fatbin_at = (dynamic_at + 16 * len(dynamic) + 4095) // 4096 * 4096
    fatbin_size = sum((size + 4095) // 4096 * 4096 for _, size in fatbin)
    names_at = fatbin_at + fatbin_size
    names = b"\0.hip_fatbin\0.shstrtab\0"
    sections_at = (names_at + len(names) + 7) // 8 * 8
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, sections_at, 0, 64, 56, 2, 64, 3, 2)
    header += struct.pack("<IIQQQQQQ", 1, 4, 0, 0x10000, 0x10000, names_at, names_at, 4096)
    size = 16 * len(dynamic)
    header += struct.pack("<IIQQQQQQ", 2, 4, dynamic_at, 0x10000 + dynamic_at, 0, size, size, 8)
    with open(path, "wb") as out:
        out.write(header + strings)
        out.seek(need_at)
        out.write(need)
        out.seek(dynamic_at)
        out.write(b"".join(struct.pack("<qQ", *entry) for entry in dynamic))
        at = fatbin_at
        for content, part in fatbin:
            out.seek(at)
            out.write(content)
            at += (part + 4095) // 4096 * 4096
        out.seek(names_at)
        out.write(names)
        out.seek(sections_at)
        out.write(bytes(64))
        out.write(struct.pack("<IIQQQQIIQQ", 1, 1 if fatbin else 0, 2, 0, fatbin_at, fatbin_size, 0, 0, 4096, 0))
        out.write(struct.pack("<IIQQQQIIQQ", 13, 3, 0, 0, names_at, len(names), 0, 0, 1, 0))


def device_code(megabytes, compressed):
    if compressed:
        part = megabytes * MIB // 16
        return [(compressed_bundle(TARGETS, part), part)] * 16
    head, size = bundle(TARGETS, megabytes * MIB // len(TARGETS))
    return [(head, size)]


LIBRARIES = {  # soname without the major: needed, MiB of device code
    "libamdhip64": (["libhsa-runtime64.so.1", "libamd_comgr.so.3"], 0), "libhiprtc": (["libamd_comgr.so.3"], 0),
    "libhsa-runtime64": ([], 0), "libamd_comgr": ([], 0), "librocm_smi64": ([], 0), "libamd_smi": ([], 0),
    "librocblas": (["libamdhip64.so.6"], 60), "libhipblas": (["librocblas.so.4"], 0), "libhipblaslt": (["libamdhip64.so.6"], 30),
    "librocsolver": (["librocblas.so.4"], 900), "librocsparse": (["libamdhip64.so.6"], 800), "libhipsparse": ([], 0),
    "librocfft": (["libamdhip64.so.6"], 20), "libhipfft": (["librocfft.so.0"], 0), "librocrand": (["libamdhip64.so.6"], 60),
    "libMIOpen": (["librocblas.so.4"], 500), "librccl": (["libamdhip64.so.6"], 400), "libmigraphx": (["libMIOpen.so.1"], 30),
    "libhipsolver": (["librocsolver.so.0"], 0), "libhiprand": (["librocrand.so.1"], 0), "libroctx64": ([], 0),
    "librocprofiler64": ([], 0), "libroctracer64": ([], 0), "libhipblas-common": ([], 0), "librocalution": ([], 40),
}
VERSIONS = ["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.14"]


def link(target, path):
    if not os.path.lexists(path):
        os.symlink(target, path)


def touch_many(folder, names):
    os.makedirs(folder, exist_ok=True)
    for name in names:
        open(os.path.join(folder, name), "wb").close()


def kernel_files(lib, share):
    types = ["DD", "SS", "HH", "HB", "BB", "I8I", "4xi8I", "CC", "ZZ"]
    layouts = ["Ailk_Bjlk", "Ailk_Bljk", "Alik_Bjlk", "Alik_Bljk"]
    rocblas = [f"TensileLibrary_Type_{t}_Contraction_l_{l}_Cijk_Dijk_{g}{e}" for t in types for l in layouts for g in TARGETS
               for e in (".dat", ".co", ".hsaco")]
    rocblas += [f"TensileLibrary_lazy_{g}.dat" for g in TARGETS] + [f"Kernels.so-000-{g}.hsaco" for g in TARGETS]
    touch_many(lib + "/rocblas/library", rocblas)
    for g in ("gfx90a", "gfx942", "gfx1100", "gfx1201"):
        touch_many(lib + f"/hipblaslt/library/{g}",
                   [f"TensileLibrary_{t}_{l}_{n}_{g}{e}" for t in types for l in layouts for n in range(6) for e in (".dat", ".co")]
                   + [f"TensileLibrary_lazy_{g}.dat"])
    touch_many(share + "/miopen/db", [f"{g}{n}.{e}" for g in TARGETS for n in ("36", "60", "68", "72") for e in ("db.txt", "kdb", "HIP.fdb.txt")])


def rocm(root, version, compressed):
    major = version.split(".")[0]
    prefix = f"{root}/opt/rocm-{version}"
    lib = prefix + "/lib"
    for name, (needed, megabytes) in LIBRARIES.items():
        soname = f"{name}.so.{major}"
        real = f"{soname}.{'.'.join(version.split('.')[1:])}"
        write_elf(f"{lib}/{real}", soname, list(needed) + ["libstdc++.so.6", "libm.so.6", "libc.so.6"], "$ORIGIN", VERSIONS,
                  device_code(megabytes, compressed) if megabytes else ())
        link(real, f"{lib}/{soname}")
        link(soname, f"{lib}/{name}.so")
    kernel_files(lib, prefix + "/share")
    touch_many(prefix + "/amdgcn/bitcode", ["ocml.bc", "ockl.bc", "hip.bc"])
    touch_many(prefix + "/bin", ["rocminfo", "hipcc", "rocm-smi", "amd-smi"])
    os.makedirs(prefix + "/.info", exist_ok=True)
    with open(prefix + "/.info/version", "w") as out:
        out.write(version + "-66\n")


def python(root, path, torch, build):
    site = f"{root}{path}/lib/python3.12/site-packages"
    packages = [(f"package_{i:03d}", "1.0") for i in range(110)] + [("transformers", "4.46.0"), ("torchvision", "0.20.1+" + build),
                                                                   ("torchaudio", "2.5.1+" + build), ("pytorch_triton_rocm", "3.1.0"),
                                                                   ("bitsandbytes", "0.49.2"), ("torch", torch)]
    for name, version in packages:
        folder = f"{site}/{name}-{version}.dist-info"
        os.makedirs(folder, exist_ok=True)
        with open(folder + "/METADATA", "w") as out:
            out.write(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "text\n" * 200)
        with open(folder + "/RECORD", "w") as out:
            out.writelines(f"{name}/f{i}.py,sha256=abcdefghijklmnopqrstuvwxyz,{i}\n" for i in range(12000 if name == "torch" else 80))
        os.makedirs(f"{site}/{name}", exist_ok=True)
    hip = build.startswith("rocm")
    with open(site + "/torch/version.py", "w") as out:
        out.write(f"__version__ = '{torch}'\ncuda: Optional[str] = {repr('12.1') if build.startswith('cu') else 'None'}\n"
                  f"hip: Optional[str] = {repr(build[4:] + '.41133') if hip else 'None'}\n")
    lib = site + "/torch/lib"
    if hip:
        for name, (needed, megabytes) in LIBRARIES.items():
            write_elf(f"{lib}/{name}.so", f"{name}.so.6", list(needed) + ["libc.so.6"], "$ORIGIN", VERSIONS,
                      device_code(megabytes, False) if megabytes else ())
        kernel_files(lib, site + "/torch/share")
        write_elf(lib + "/libaotriton_v2.so", "libaotriton_v2.so.0.7.1", ["libamdhip64.so"], "$ORIGIN", VERSIONS, device_code(10, False))
        touch_many(lib + "/aotriton.images/amd-gfx90a", [])
        touch_many(lib + "/aotriton.images/amd-gfx11xx", [])
    for name, megabytes in (("libtorch_hip", 3000), ("libc10_hip", 0), ("libtorch_python", 0), ("libtorch_cpu", 0)):
        write_elf(f"{lib}/{name}.so", name + ".so", ["libamdhip64.so", "libc.so.6"] if hip else ["libc.so.6"], "$ORIGIN", VERSIONS,
                  device_code(megabytes, False) if megabytes and hip else ())
    write_elf(site + "/torchvision/_C.so", "", ["libc.so.6"], "", VERSIONS, device_code(4, False) if hip else ())
    write_elf(site + "/bitsandbytes/libbitsandbytes_rocm62.so", "", ["libamdhip64.so.6"], "", VERSIONS, device_code(4, False))
    with open(f"{root}{path}/pyvenv.cfg", "w") as out:
        out.write("home = /usr/bin\nversion = 3.12.3\n")
    touch_many(f"{root}{path}/bin", ["python3", "pip"])


def dpkg(root, count):
    os.makedirs(root + "/var/lib/dpkg", exist_ok=True)
    with open(root + "/var/lib/dpkg/status", "a") as out:
        for i in range(count):
            out.write(f"Package: made-up-package-{i}\nStatus: install ok installed\nPriority: optional\nSection: libs\n"
                      f"Installed-Size: {i}\nMaintainer: nobody <nobody@example.org>\nArchitecture: amd64\nVersion: 1.{i}-1\n"
                      "Depends: " + ", ".join(f"libdep{j} (>= 1.{j})" for j in range(25)) + "\n"
                      "Description: a package\n " + "words of its description\n " * 8 + "end\n\n")


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    root = os.path.abspath(sys.argv[1])
    for version, compressed in (("6.2.0", False), ("6.4.1", True), ("7.0.2", True)):
        rocm(root, version, compressed)
    link("/opt/rocm-6.4.1", root + "/opt/rocm")
    for path, torch, build in (("/opt/venv", "2.5.1+rocm6.2", "rocm6.2"), ("/root/ai", "2.8.0+rocm6.4", "rocm6.4"),
                               ("/root/comfy/venv", "2.6.0+rocm6.2.4", "rocm6.2.4"), ("/root/.virtualenvs/cuda", "2.4.1", "cu121"),
                               ("/root/.local/share/pipx/venvs/x", "2.6.0+cpu", "cpu")):
        python(root, path, torch, build)
    dpkg(root, 2500)


if __name__ == "__main__":
    main()
