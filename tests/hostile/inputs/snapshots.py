"""Snapshot folders: links out of them, devices and pipes in them, files that are too large, too many or nonsense."""
import gzip
import os
import shutil
import stat
import struct

from inputs.common import Input, repeated_gzip
from machine import CARD, KFD
from tree import append, drop, link, put, replace

NODE = f"files{KFD}/nodes"
DEVICE = "files" + CARD
COMPOSE = "files/home/user/stack/docker-compose.yml"
UNIT = "files/etc/systemd/system/ollama.service"
MIB = 1 << 20


def to(path, target):
    """A link in the place of a file or folder."""
    def change(out, place):
        drop(out, path)
        link(out, path, target(place.shared) if callable(target) else target)
    return change


def outside(shared):
    return shared.outside


def with_text(path, text):
    return lambda out, place: replace(out, path, text() if callable(text) else text)


def more(path, text):
    return lambda out, place: append(out, path, text() if callable(text) else text)


def without(*paths):
    return lambda out, place: drop(out, *paths)


def pipe(path):
    def change(out, place):
        drop(out, path)
        os.mkfifo(os.path.join(out, path))
    return change


def zeros(path):
    """A device that never ends."""
    def change(out, place):
        drop(out, path)
        os.mknod(os.path.join(out, path), 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    return change


def folder_at(path):
    def change(out, place):
        drop(out, path)
        os.mkdir(os.path.join(out, path))
    return change


def copies(path, names):
    """Folders beside one, as it is."""
    def change(out, place):
        parent = os.path.dirname(os.path.join(out, path))
        for name in names:
            shutil.copytree(os.path.join(out, path), os.path.join(parent, name), symlinks=True)
    return change


def two_links(out, place):
    for name, target in (("a", "../b/b"), ("b", "../a/b")):
        link(out, "files/opt/" + name, target)


def card_values(out, place):
    for name, value in {"vendor": "0x1002\x1b[31m", "mem_info_vram_total": "-1",
                        "mem_info_vram_used": "99999999999999999999",
                        "current_link_width": "0", "max_link_speed": "nan GT/s", "numa_node": "-99999999999",
                        "vbios_version": "\x1b[31m\u202e<xssmark>",
                        "power_dpm_force_performance_level": "x" * 100000}.items():
        put(out, f"{DEVICE}/{name}", value)


def many_files(out, place):
    for number in range(4000):
        put(out, f"files/etc/profile.d/{number}.sh", "export HSA_XNACK=1\n")


def unreadable(out, place):
    os.chmod(out + "/files/etc", 0)


def random_index(out, place):
    replace(out, "index.tsv", place.rng.randbytes(100000))


def random_kernel_log(out, place):
    replace(out, "cmd/dmesg", place.rng.randbytes(2 * MIB))


def index_out(out, place):
    append(out, "index.tsv", f"link\t/etc/os-release\t0777\t0\t0\troot\troot\t../../../..{place.shared.outside}\n"
           f"link\t/etc/hostname\t0777\t0\t0\troot\troot\t{place.shared.outside}\n")


def index_up(out, place):
    append(out, "index.tsv",
           f"file\t/../../..{place.shared.outside}\t0644\t0\t0\troot\troot\t10\nfile\t../../x\t0\t0\t0\tr\tr\t1\n")


def loader_out(out, place):
    replace(out, "files/etc/ld.so.conf", "include /etc/ld.so.conf\ninclude ld.so.conf.d/*.conf\n"
            f"include /../../../..{place.shared.outside}\n")


def compose_bomb():
    doubled = "".join(f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi"))
    return "a: &a [x,x,x,x,x,x,x,x,x]\n" + doubled + "services:\n  x:\n    image: rocm/pytorch\n    devices: *i\n"


def apt_policy():
    return "".join(f"rocminfo{i}:\n  Installed: (none)\n  Candidate: 1.{i}\n  Version table:\n     1.{i} 500\n"
                   f"        500 http://repo.radeon.com/rocm/apt/{i} jammy/main amd64 Packages\n" for i in range(40000))


def many_torches(out, place):
    for number in range(6000):
        put(out, f"files/home/user/venv/lib/python3.12/site-packages/torch-2.{number}.dist-info/METADATA",
            f"Name: torch\nVersion: 2.{number}\n")


def many_units(out, place):
    for number in range(4000):
        put(out, f"files/etc/systemd/system/ollama{number}.service", f"[Service]\nUser=u{number}\nExecStart=/usr/bin/ollama\n")
    append(out, "files/etc/passwd", "".join(f"u{i}:x:{i + 2000}:{i + 2000}::/home/u{i}:/bin/sh\n" for i in range(60000)))


def loader_cache():
    """Each name and path begins one byte further into one text without an end."""
    count = 200000
    texts = 48 + 24 * count
    head = b"glibc-ld.so.cache1.1" + struct.pack("<II", count, 2000000) + bytes(20)
    entries = b"".join(struct.pack("<IIIIQ", 0x303, texts + i, texts + i, 0, 0) for i in range(count))
    return head + entries + b"/" * 2000000


def large_hive(out, place):
    """GPUs of one hive, of which each has a link to each."""
    count = 300
    for number in range(2, count):
        node = f"{NODE}/{number}"
        put(out, node + "/gpu_id", f"{number}\n")
        put(out, node + "/properties", "simd_count 304\ngfx_target_version 90402\nvendor_id 4098\ndevice_id 29857\nhive_id 77\n"
            f"location_id {number * 256}\ndomain 0\nnum_xcc 8\nio_links_count {count}\n")
        for other in range(2, count, 9):
            put(out, f"{node}/io_links/{other}/properties", f"type 11\nnode_from {number}\nnode_to {other}\nweight 15\n")


ABOUT = 'tool = "x"\ncreated = "x"\nsource = "live"\n'
CHANGES = {
    # out of the folder
    "link-osrelease": to("files/etc/os-release", outside), "link-dmesg": to("cmd/dmesg", outside),
    "link-about": to("about.toml", outside),
    "link-rel": to("files/etc/os-release", lambda shared: "../" * 20 + shared.outside.lstrip("/")),
    "link-index": to("index.tsv", outside), "link-process": to("process.toml", outside),
    "link-dir": to("files/etc/modprobe.d", lambda shared: os.path.dirname(shared.outside)),
    "link-files": to("files", "/"),
    "link-cmd": to("cmd", lambda shared: os.path.dirname(shared.outside)),
    "link-hostabs": to("files/opt/rocm", lambda shared: shared.folder),
    "link-cycle": to("files/opt/rocm", "rocm"), "link-cycle2": two_links, "dir-loop": to("files/home/user/loop", ".."),
    "link-proc": to("files/proc/cmdline", "/proc/self/environ"), "link-zero": to("files/proc/cmdline", "/dev/zero"),
    "index-linkout": index_out, "index-dotdot": index_up, "ldconf-include": loader_out,
    # what is no file
    "fifo-osrelease": pipe("files/etc/os-release"), "fifo-dmesg": pipe("cmd/dmesg"), "fifo-about": pipe("about.toml"),
    "fifo-index": pipe("index.tsv"), "fifo-process": pipe("process.toml"), "fifo-compose": pipe(COMPOSE),
    "fifo-unit": pipe(UNIT),
    "dev-zero": zeros("files/proc/cmdline"), "dev-dmesg": zeros("cmd/dmesg"),
    "dev-profile": zeros("files/etc/profile.d/zero.sh"),
    "dir-as-file": folder_at("cmd/dmesg"), "dir-about": folder_at("about.toml"), "unreadable": unreadable,
    # the snapshot's own files
    "index-huge": more("index.tsv",
                       lambda: "".join(f"file\t/x/{i}\t0644\t0\t0\troot\troot\t1\n" for i in range(700000))),
    "index-longline": more("index.tsv", lambda: "file\t/" + "x" * (20 * MIB) + "\t0644\t0\t0\tr\tr\t1\n"),
    "index-depth": more("index.tsv", "dir\t" + "/a" * 200000 + "\t0755\t0\t0\tr\tr\tcomplete\n"),
    "index-garbage": random_index,
    "index-empty": with_text("index.tsv", ""), "index-nul": more("index.tsv", b"file\t/a\0b\t0644\t0\t0\tr\tr\t1\n"),
    "index-numbers": more("index.tsv", "char\t/dev/kfd\t99999999999\t-1\t4294967296\t\t\t-1:99999999999999\n"
                          'elf\t/opt/x.so\t0755\t0\t0\tr\tr\t{"soname":' + "[" * 50000 + "\n"),
    "index-elf-evil": more("index.tsv", "elf\t/opt/rocm-6.4.1/lib/libamdhip64.so.6\t0755\t0\t0\troot\troot\t"
                           '{"soname":"\\u001b[31m","needed":["\\u202e$(touch CAN)","lib;touch CAN;.so.1"],"gfx":[1,'
                           'null],"needs_versions":9}\n'),
    "index-ansi": more("index.tsv", "error\t/etc/\x1b[31m\u202ex\t0\t0\t0\t\x1b[1m\tr\tEACCES \x1b[31m\n"),
    "about-missing": without("about.toml"), "about-bad": with_text("about.toml", b"\xff\0[["),
    "about-format": with_text("about.toml", "format = 99999999999999999999\n"),
    "about-values": with_text("about.toml", lambda: "format = 1\n" + ABOUT + "x = [" + "[]," * 1000000 + "]\n"),
    "about-format2": with_text("about.toml", "format = 2\n"),
    "about-ansi": with_text("about.toml",
                            'format = 1\ntool = "\\u001b[31m\\u202e<xssmark>"\ncreated = "x"\nsource = "live"\n'
                            'redacted = []\ncomplete = ["/"]\n'),
    "about-complete": with_text("about.toml", lambda: "format = 1\n" + ABOUT + "complete = ["
                                + ",".join(f'"/x{i}"' for i in range(200000)) + "]\n"),
    "process-missing": without("process.toml"),
    "process-bad": with_text("process.toml", 'uid = -1\ngid = 1e9\nuser = 5\ngroups = "x"\n[environment]\nA = 1\n'),
    "process-ansi": more("process.toml", '"HSA_OVERRIDE_GFX_VERSION2" = "\\u001b[31m"\n"\\u001b[31mX" = "y"\n'),
    "process-huge": more("process.toml", lambda: '"HSA_X" = "' + "z" * (20 * MIB) + '"\n'),
    "all-missing": without("files", "cmd", "index.tsv", "process.toml", "about.toml"),
    "only-about": without("files", "cmd", "index.tsv", "process.toml"), "cmd-missing": without("cmd"),
    "files-missing": without("files"),
    # KFD and PCI
    "props-bad": with_text(NODE + "/1/properties",
                           "gfx_target_version 99999999999999999999999\nsimd_count -1\nvendor_id x\n"
                           "location_id 18446744073709551616\ndrm_render_minor -5\nlocal_mem_size 1e9\n"),
    "props-huge": with_text(NODE + "/1/properties", lambda: "a 1\n" * 3000000),
    "props-zero": with_text(NODE + "/1/properties",
                            "simd_count 4\nsimd_per_cu 0\nnum_xcc 0\ngfx_target_version 110000\nvendor_id 4098\n"
                            "array_count 0\n"),
    "nodes-many": copies(NODE + "/1", [str(i) for i in range(2, 400)]),
    "node-names": copies(NODE + "/1", ["-1", "99999999999999999999", "1\x1b[31m", "01", "a$(touch CAN)"]),
    "pci-names": copies(DEVICE, ["0000:04:00.0;touch CAN", "x$(touch CAN)", "\x1b[31m0000:05:00.0", "0000:06:00.0\n",
                                 "ffffffffffffffff:ff:ff.f"]),
    "pci-values": card_values,
    "lspci-big": with_text("cmd/lspci-vvnn", lambda: "03:00.0 VGA compatible controller [0300]: AMD [1002:744c]\n"
                           "\tLnkSta: Speed 99999999999GT/s, Width x-1\n" * 50000),
    # the rest of the machine
    "passwd-huge": with_text("files/etc/passwd",
                             lambda: "".join(f"u{i}:x:{i}:{i}::/home/u{i}:/bin/sh\n" for i in range(200000))),
    "passwd-bad": with_text("files/etc/passwd", ":::::\n\0:x:99999999999999999999:-1\n" + ":" * 100000),
    "df-huge": with_text("cmd/df", lambda: "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n"
                         + "/dev/x ext4 -1 99999999999999999999999 1e9 100% /\x1b[31m\n" * 50000),
    "dmesg-20m": with_text("cmd/dmesg",
                           lambda: "[    1.0] amdgpu 0000:03:00.0: amdgpu: ring gfx timeout, signaled seq=1, emitted "
                                   "seq=2\n"
                           * 230000),
    "dmesg-line20m": with_text("cmd/dmesg", lambda: "[1.0] amdgpu ring " + "x" * (20 * MIB)),
    "dmesg-binary": random_kernel_log,
    "dpkg-huge": more("files/var/lib/dpkg/status",
                      lambda: "Package: rocm-x\nStatus: install ok installed\nVersion: 1\n\n" * 200000),
    "dpkg-bad": with_text("files/var/lib/dpkg/status", lambda: "Package\nVersion: " + "v" * (5 * MIB) + "\n : :\n\0"),
    "compose-bomb": with_text(COMPOSE, compose_bomb), "compose-nest": with_text(COMPOSE, "services: " + "[" * 100000),
    "compose-deep": with_text(COMPOSE, lambda: "".join(" " * i + "a:\n" for i in range(3000))),
    "unit-long": with_text(UNIT, lambda: "[Service]\nUser=" + "u" * (3 * MIB) + "\n" + "ExecStart=\\\n" * 10000),
    "modprobe-include": with_text("files/etc/modprobe.d/amdgpu.conf", lambda: "options amdgpu "
                                  + " ".join(f"p{i}=1" for i in range(100000)) + "\n" + "options \\\n" * 100000),
    "config-gz-bomb": with_text("files/proc/config.gz",
                                lambda: repeated_gzip(b"CONFIG_HSA_AMD=y\n" * (MIB // 16), 256)),
    "config-gz-trunc": with_text("files/proc/config.gz", gzip.compress(b"CONFIG_HSA_AMD=y\n" * 10000, mtime=0)[:60]),
    "ldcache-bad": with_text("files/etc/ld.so.cache", b"glibc-ld.so.cache1.1" + b"\xff" * 4000),
    "elf-bad": with_text("files/usr/local/bin/ollama", b"\x7fELF\x02\x01\x01" + b"\xff" * 4000),
    "deepdir": lambda out, place: os.makedirs(f"{out}/files/opt/{'/'.join(['d'] * 900)}"), "manyfiles": many_files,
    "name-utf8": with_text("files/etc/profile.d/\udcff\udcfe\x1b[31m.sh", "export HSA_OVERRIDE_GFX_VERSION=10.3.0\n"),
    "name-nl": with_text("files/etc/modprobe.d/a\ntouch CAN\n.conf", "blacklist amdgpu\n"),
    "apt-policy-many": with_text("cmd/apt-policy", apt_policy), "torches": many_torches, "units-many": many_units,
    "ldcache-overlap": with_text("files/etc/ld.so.cache", loader_cache), "hive-large": large_hive,
    "rc-bad": with_text("cmd/lspci-vvnn.rc", "\x1b[31m\u202e" * 1000),
}
PATHS = {"missing": lambda place: place.path("nope"), "file": lambda place: place.shared.good, "root": lambda _: "/",
         "proc": lambda _: "/proc", "empty": lambda _: "", "devzero": lambda _: "/dev/zero",
         "fifo": lambda place: place.shared.fifo,
         "dot": lambda _: "."}


def calls(place, path):
    return [["check", "--snapshot", path, "--format", "json", *place.outputs("html", "md", "xml", "sarif", "txt")],
            ["fix", "--snapshot", path], ["scan", "--snapshot", path]]


def changed(name, change):
    def make(place):
        out = place.path("machine")
        shutil.copytree(place.shared.plain, out, symlinks=True)
        change(out, place)
        return calls(place, out)
    return Input("snapshot", name, make, needs_root=name.startswith("dev-"))


def inputs():
    for name, change in CHANGES.items():
        yield changed(name, change)
    for name, path in PATHS.items():
        yield Input("snapshot", "path-" + name, lambda place, path=path: calls(place, path(place)))
