#!/usr/bin/env python3
"""seeds.py FOLDER: what the fuzzers start from, FOLDER/TARGET/NAME, made of what the repository has.

Files of the example machines and of tests/cases go where their path says (source/file_kind.cpp), logs and outputs of tools by
their name, rows of db/ as they are. The same repository gives the same seeds.
"""
import fnmatch
import hashlib
import json
import pathlib
import re
import sys
import tomllib

sys.dont_write_bytecode = True
import seed_bytes  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 3000  # of a seed: a short one is mutated often
MOST_SEEDS = 120   # of a target: they are run before anything else is

seeds = {}


def add(target, content, prefix=b"", most=MOST_BYTES):
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    # At the end of a line: half a line is no seed.
    if len(content) > most:
        content = content[:most]
        content = content[:content.rfind(b"\n") + 1] or content
    if content:
        # A name by the content: the order in which they are taken says nothing of the file that they came from.
        seeds.setdefault(target, {})[hashlib.sha256(prefix + content).hexdigest()[:12]] = prefix + content


def kinds():
    """[(glob, number of its FileKind)]"""
    names = re.findall(r"^  (\w+),", (ROOT / "source/file_kind.h").read_text(encoding="utf-8"), re.M)
    rows = re.findall(r'\{"([^"]+)", FileKind::(\w+)\}', (ROOT / "source/file_kind.cpp").read_text(encoding="utf-8"))
    return [(pattern, names.index(kind)) for pattern, kind in rows], len(names)


KIND_OF, HOW_MANY_KINDS = kinds()


def add_file(path, text):
    """A file of a machine, whose path says what it is."""
    kind = next((number for pattern, number in KIND_OF if fnmatch.fnmatchcase(path, pattern)), None)
    if kind is not None:
        add("recordable", text, bytes([kind]))
    if path.startswith(("/proc/", "/sys/")):
        add("kernel_files", text)
    elif path.startswith(("/var/lib/", "/etc/apt", "/etc/yum", "/etc/zypp", "/lib/apk")) or "os-release" in path or \
            "python" in path or path.startswith("/var/log/dpkg"):
        add("packages", text)
    elif path.startswith("/var/log/"):
        add("kernel_log", text)
    else:
        add("settings", text)
    if path.endswith((".dist-info/METADATA", ".egg-info")):
        add("packages", path.split("/")[-2])


def add_output(name, text):
    """The output of a command, or the log that a case brings along."""
    if name in ("app.log", "log"):
        for target in ("app_log", "secrets", "redaction", "log_lines", "printable"):
            add(target, text, most=1200)
    elif name in ("dmesg", "journalctl-kernel", "journalctl"):
        for target in ("kernel_log", "log_lines", "redaction"):
            add(target, text)
    elif name == "deep":
        add("worker", text)
    else:
        add("snapshot", text, b"\x02")
        add("kernel_files" if name.startswith(("dkms", "df")) else "packages", text)


def machines():
    for folder in sorted((ROOT / "tests/machines").iterdir()):
        files = {name: (folder / name).read_bytes() for name in ("about.toml", "process.toml")}
        for name in ("about.toml", "process.toml"):
            add("toml", files[name])
        index = (folder / "index.tsv").read_bytes()
        add("snapshot", index, b"\x01")
        for path in sorted((folder / "files").rglob("*")):
            if path.is_file() and not path.is_symlink():
                add_file("/" + str(path.relative_to(folder / "files")), path.read_bytes())
        for path in sorted((folder / "cmd").iterdir()):
            add_output(path.name, path.read_bytes())
        files["index.tsv"] = b"\n".join(index.split(b"\n")[:12]) + b"\n"
        node = "files/sys/class/kfd/kfd/topology/nodes/1/properties"
        files[node] = b"simd_count 256\ngfx_target_version 90402\nvendor_id 4098\n"
        for archive in (seed_bytes.tar(files), seed_bytes.gz(seed_bytes.tar(files))):
            add("snapshot", archive, b"\x00", most=16384)
            add("compressed", archive, most=16384)


def cases():
    for path in sorted((ROOT / "tests/cases").rglob("*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        for name, text in case.get("files", {}).items():
            if isinstance(text, str):
                add_file(name, text)
        for name, text in case.get("commands", {}).items():
            if isinstance(text, str):
                add_output(name, text)
        for name, value in case.get("env", {}).items():
            add("redaction", f"{name}={value}")
            add("shell_word", str(value))
        add("toml", path.read_bytes())


def knowledge():
    for path in sorted((ROOT / "db").rglob("*.toml")):
        text = path.read_bytes()
        if path.parent.name == "performance" or len(seeds.get("db", {})) < MOST_SEEDS:
            add("db", text, most=1500)
    for path in sorted((ROOT / "db/kernel_log").glob("*.toml")) + [ROOT / "db/error_texts/programs.toml"]:
        for row in next(rows for rows in tomllib.loads(path.read_text(encoding="utf-8")).values() if isinstance(rows, list)):
            hits = "\n".join(row.get("hit", []) + row.get("near", [])) + "\n"
            add("log_lines", row["text"][0] + "\0" + hits)
            add("kernel_log" if path.parent.name == "kernel_log" else "app_log", hits)
    for line in (ROOT / "tests/kernel_messages.txt").read_text(encoding="utf-8").splitlines()[::20]:
        add("kernel_log", line + "\n")
    prose = tomllib.loads((ROOT / "db/error_texts/people.toml").read_text(encoding="utf-8"))
    for row in next(rows for rows in prose.values() if isinstance(rows, list))[:40]:
        add("app_log", "\n".join(row["text"]).replace("*", " so ") + "\n")


def shortened(value):
    """The same JSON with no more than two of anything in a list."""
    if isinstance(value, list):
        return [shortened(one) for one in value[:2]]
    if isinstance(value, dict):
        return {key: shortened(one) for key, one in value.items()}
    return value[:80] if isinstance(value, str) else value


def reports():
    for path in sorted((ROOT / "tests/golden").glob("*.json")):
        whole = json.loads(path.read_text(encoding="utf-8"))
        short = shortened(whole)
        add("report", json.dumps(short), most=1 << 20)
        # A part at a time beside what every report has: small, so that a mutation meets something.
        bare = {key: value for key, value in short.items() if not isinstance(value, (list, dict))}
        for key, value in short.items():
            add("report", json.dumps(bare | {key: value}), most=1 << 16)
            add("json", json.dumps(value))
            add("toml", "x = " + json.dumps(str(value)[:200]) + "\n")
    add("json", '{"a": [1, 2.5e3, -0, "\\u00e9\\n", null, true, {}], "a": {"b": []}}')
    add("json", "[" * 70 + "]" * 70)


def others():
    policy = (ROOT / "packaging/policy.example.toml").read_text(encoding="utf-8")
    for text in (policy, re.sub(r"^#\s?", "", policy, flags=re.M),
                 'policy = 1\n[expect]\nkernel = "6.8*"\n[severity]\nRV102 = "warn"\n'
                 '[[waive]]\ncheck = "RV102"\nsubject = "gpu 0*"\nuntil = 2026-12-31\nreason = "x"\n',
                 "rocm=10.1,kernel=6.14,torch=2.9+rocm6.4", "os=ubuntu 24.04,driver=6.12,python=3.12"):
        add("policy", text, most=1 << 14)
        add("toml", text, most=1 << 14)
    for text in ('{"gpu": "RX 7900 XTX", "rocm": "6.2"}\n\n{"framework": "pytorch 2.5", "python": "3.12"}\n',
                 '{"gpu": "gfx942", "os": "ubuntu 22.04", "kernel": "6.8", "driver": "6.12"}\n',
                 '{"platform": "wsl", "gpu": "1002:744c"}\n', '{"gpo": "x"}\n', '{"gpu": 1}\n'):
        add("questions", text)
    for version in ("6.2", ">=6.2, <6.4", "6.2.x", "=6.2.0", "*", "6.2.0-39-generic", "10.1.0rc1", "2.5.1+rocm6.2"):
        add("packages", version)
    for word in ("plain", "it's", "\\'", "a\\\\'b'", "$(id)", "-rf", "", " ", "\u202e", "{value} in 'quotes {group}'",
                 "sudo rm {value}", "/home/a b/ü", "tail\\", "''"):
        add("shell_word", word)
        add("printable", word + "\x1b[1;31m\u200b\ufffe\xff\U000e0041\t\n")
    add("printable", b"\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80")
    # Texts with secrets in them, as the tests of secrets have them.
    for path in sorted((ROOT / "tests/unit/secrets").glob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for at in range(0, len(text), 700):
            for target in ("secrets", "redaction"):
                add(target, text[at:at + 700])


def worker():
    error = {"kind": 3, "where": "hipMalloc", "what": "out of memory"}
    device = {"index": 0, "name": "X", "arch": "gfx942", "bdf": "0000:c1:00.0", "compute_units": 304, "wave_size": 64,
              "clock_mhz": 2100, "memory_clock_mhz": 1300, "memory_width_bits": 8192, "memory_bytes": 1 << 37,
              "free_bytes": 1, "l2_bytes": 1, "lds_per_block": 65536, "integrated": False}
    sample = {"bdf": "0000:c1:00.0", "corrected": 0, "uncorrected": 0, "replays": 0, "exclusive": False, "throttle": [],
              "clock": 1.5, "processes": [{"pid": 1, "name": "x", "memory": None, "busy": 3}]}
    sample_numbers = dict(sample, throttle=0)
    measurement = {"metric": "gemm", "unit": "TFLOP/s", "samples": [1.0, 2.0], "higher_is_better": True,
                   "max_rel_error": None, "tolerance": 0.1, "detail": "", "notes": ["n"], "work": 1.0, "bytes": 2.0,
                   "data": 3.0, "seconds": 4.0}
    for event in ({"event": "counted", "devices": 2}, {"event": "opened", "device": device, "library": "l", "version": "6"},
                  {"event": "refused", "error": error, "bdf": ""}, {"event": "began", "test": "gemm"},
                  {"event": "noted", "text": "x"}, {"event": "timing", "begins": True},
                  {"event": "watched", "gpus": [sample]}, {"event": "watched", "gpus": [sample_numbers]},
                  {"event": "measured", "test": "gemm", "measurement": measurement},
                  {"event": "skipped", "test": "t", "reason": "r"}, {"event": "failed", "test": "t", "error": error},
                  {"event": "finished"},
                  {"runtime": "hip", "index": 0, "tests": ["gemm"], "size": 1, "regime": 0, "seed": 7, "transfer_bytes": 4096,
                   "threads": 2, "time_limit_s": 5.0, "library_folders": ["/opt/rocm/lib"]},
                  {"schema": "rocvet.deep/1", "probes": [
                      {"id": "hip", "outcome": "works", "library": "l", "version": "6", "call": "hipInit", "status": 0,
                       "devices": [{"index": 0, "bdf": "0000:c1:00.0", "gfx": "gfx942", "memory_bytes": 1}],
                       "facts": {"hip": "6.2"}, "exit": 1, "words": "w"}]},
                  {"index": 0, "bdf": "0000:c1:00.0", "name": "n", "gfx": "gfx942", "uuid": "GPU-1", "kfd_node": 1,
                   "memory_bytes": 1, "product_right": True}):
        add("worker", json.dumps(event))


def binaries():
    targets = [b"gfx90a:sramecc+:xnack-", b"gfx1100"]
    objects = [seed_bytes.bundle(targets), seed_bytes.offload_binary(b"gfx942"), seed_bytes.kpack(),
               seed_bytes.kpack_reference(), seed_bytes.elf(machine=224, flags=0x54c)]
    objects += [seed_bytes.compressed_bundle(version, targets) for version in (1, 2, 3)]
    objects += [b"\0" * 8 + objects[0], objects[0] + b"\0" * (-len(objects[0]) % 4096) + objects[5]]
    for one in objects:
        add("code_objects", one, most=16384)
    for one in [seed_bytes.elf(), seed_bytes.elf(machine=224, flags=0x54c), *seed_bytes.loader_cache(),
                *(seed_bytes.elf(fat=code) for code in objects[:3])]:
        add("elf", one, most=16384)
        add("code_objects", one, most=16384)
    add("kernel_code", seed_bytes.kernel_code(), most=16384)
    add("kernel_code", seed_bytes.elf(machine=224, flags=0x54c), most=16384)
    add("elf", "\tlibamdhip64.so.6 (libc6,x86-64) => /opt/rocm/lib/libamdhip64.so.6\n")
    add("compressed", seed_bytes.gz(b"CONFIG_HSA_AMD=y\n"))
    table = {"x.toml": b'schema = 1\n[[release]]\nversion = "6.2"\n', "y/z.toml": b"schema = 1\n"}
    for payload in (seed_bytes.tar(table), seed_bytes.gz(seed_bytes.tar(table))):
        add("update", payload, most=16384)
        add("update", b"rocvet database 1\nversion: 2026.12.01\nkey: " + b"0a" * 32 + b"\nsignature: " + b"0b" * 64 + b"\n\n" +
            payload, most=16384)
    add("update", "0a" * 32 + "\n")
    add("update", "0a" * 64 + "\n")


def main():
    out = pathlib.Path(sys.argv[1])
    for part in (machines, cases, knowledge, reports, others, worker, binaries):
        part()
    # A byte of each kind of file that no machine here has.
    for kind in range(HOW_MANY_KINDS):
        add("recordable", "A=1\nB = 'x y'\n[s]\nk: v\n", bytes([kind]))
    for target, files in seeds.items():
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        wanted = dict(sorted(files.items())[:MOST_SEEDS * (3 if target == "recordable" else 1)])
        for old in folder.iterdir():
            if old.name not in wanted:
                old.unlink()
        for name, content in wanted.items():
            (folder / name).write_bytes(content)


main()
