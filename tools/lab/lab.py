#!/usr/bin/env python3
"""lab.py: breaks real ROCm stacks on purpose and writes down what the machine then is and what its programs then say.

    lab.py list                                     faults, programs, releases, parts
    lab.py make FAULT PROGRAM RELEASE PART OUT      one machine again: OUT/ is a snapshot, OUT.toml its label
    lab.py all OUT [--count N] [--faults GLOB]      many: each fault over what it fits, controls first; what is there is kept
    lab.py score OUT --rocvet PROGRAM [--json FILE] what rocvet names on them, against what was done to them

A machine is a chroot of a distribution's real ROCm packages under a throw-away overlay, one fault of faults/*.toml applied to it, one
program of programs.toml run in it, and the recording that `rocvet snapshot` makes of it. The driver side (sysfs, KFD, kernel log) is a
generated healthy machine with the fault's own state. The environment names what is not in this repository:

    ROCVET_LAB_ROOTS      folder with one chroot a release, named as in programs.toml
    ROCVET_LAB_LAUNCHER   folder bound to /.lab in the chroot; its `launch PART PROGRAM…` runs a program on that part
    ROCVET_LAB_BASE       the script that writes a healthy machine from an overlay (materialise.py)
    ROCVET                the rocvet program that records

Needs root (mount, chroot). Exit status: 0 done, 1 a machine could not be made (said why), 3 bad input."""
import argparse
import ctypes
import errno
import fnmatch
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
FAULT_KEYS = {"id", "cause", "also", "title", "script", "env", "limits", "deny", "user", "groups", "state", "programs", "releases", "parts", "mounts"}
STATE_KEYS = {"set", "append", "properties", "link", "remove", "node", "error", "cmd", "process"}
LIMITS = {"nofile": resource.RLIMIT_NOFILE, "memlock": resource.RLIMIT_MEMLOCK, "nproc": resource.RLIMIT_NPROC, "stack": resource.RLIMIT_STACK,
          "as": resource.RLIMIT_AS, "core": resource.RLIMIT_CORE, "fsize": resource.RLIMIT_FSIZE, "data": resource.RLIMIT_DATA}
PLAIN_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": "/home/user", "USER": "user", "LOGNAME": "user", "LANG": "C.UTF-8", "SHELL": "/bin/bash"}
ROOT_ENVIRONMENT = PLAIN_ENVIRONMENT | {"HOME": "/root", "USER": "root", "LOGNAME": "root"}
DEBIAN_VIDEO, DEBIAN_RENDER = 44, 105      # what the generator of healthy machines gives them
CLONE_NEWNS, CLONE_NEWPID, MS_REC, MS_PRIVATE = 0x20000, 0x20000000, 0x4000, 1 << 18


class Refused(Exception):
    """What the user gave, or this machine, does not allow it."""


def refuse(what):
    print(f"lab: {what}", file=sys.stderr)
    sys.exit(3)


def read_toml(path):
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        refuse(f"{path}: {error}")


def load_programs():
    return read_toml(HERE / "programs.toml")


def load_faults():
    faults = {}
    for path in sorted(pathlib.Path(os.environ.get("LAB_FAULTS") or HERE / "faults").glob("*.toml")):
        for fault in read_toml(path).get("fault", []):
            where = f"{path.name}: fault {fault.get('id', '?')}"
            for key in ("id", "cause", "title"):
                if not isinstance(fault.get(key), str) or not fault[key]:
                    refuse(f"{where}: no {key}")
            if unknown := set(fault) - FAULT_KEYS:
                refuse(f"{where}: unknown key {sorted(unknown)[0]}")
            if unknown := set(fault.get("state", {})) - STATE_KEYS:
                refuse(f"{where}: unknown state {sorted(unknown)[0]}")
            if unknown := set(fault.get("limits", {})) - set(LIMITS):
                refuse(f"{where}: unknown limit {sorted(unknown)[0]}")
            if fault["id"] in faults:
                refuse(f"{where}: the id is taken")
            faults[fault["id"]] = fault
    return faults


def setting(name):
    value = os.environ.get(name)
    if not value or not pathlib.Path(value).exists():
        refuse(f"{name} names nothing that exists: {value or 'not set'}")
    return pathlib.Path(value).resolve()


def fits(wanted, name):
    return any(fnmatch.fnmatch(name, pattern) for pattern in wanted or ["*"])


def program_names(programs, fault, release, part):
    return [name for name, row in programs["program"].items()
            if fits(fault.get("programs"), name) and fits(row.get("releases"), release) and fits(row.get("parts"), part)]


# --- the driver side -------------------------------------------------------------------------------------------------------------

def base_overlay(programs, fault, release, part):
    """The overlay that the generator of healthy machines takes: the release's system, the part, and the fault's own state."""
    system, state = programs["release"][release], fault.get("state", {})
    overlay = {"base": {"gpus": [programs["part"][part]["name"]] * programs["part"][part].get("count", 1), "distro": system["distro"], "kernel": system["kernel"],
                        "driver": "in-tree", "rocm": [], "user": {"name": "user", "uid": 1000, "groups": ["user", "video", "render"]}}}
    ids = {"user": 1000, "video": DEBIAN_VIDEO, "render": DEBIAN_RENDER}
    session = {"uid": 0, "gid": 0, "user": "root", "groups": [0]} if fault.get("user") == "root" else {"groups": [ids[name] for name in fault.get("groups", ids) if name in ids]}
    state = state | {"process": session | state.get("process", {})}
    return {"id": "lab"} | overlay | state


def toml_text(value):
    """A dict of plain values as TOML, one line a key; keys are quoted, dicts below it are inline tables."""
    def scalar(item):
        if isinstance(item, bool):
            return "true" if item else "false"
        if isinstance(item, dict):
            return "{ " + ", ".join(f"{json.dumps(k)} = {scalar(v)}" for k, v in item.items()) + " }"
        if isinstance(item, list):
            return "[" + ", ".join(scalar(i) for i in item) + "]"
        return json.dumps(item) if isinstance(item, str) else str(item)
    return "".join(f"{json.dumps(key)} = {scalar(item)}\n" for key, item in value.items())


def make_base(overlay, out):
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
        file.write(toml_text(overlay))
    try:
        done = subprocess.run([sys.executable, setting("ROCVET_LAB_BASE"), file.name, out], capture_output=True, text=True)
    finally:
        os.unlink(file.name)
    if done.returncode != 0:
        raise Refused(f"the driver side: {done.stderr.strip() or done.stdout.strip()}")


def index_rows(base):
    for line in (base / "index.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        kind, path, mode, uid, gid, _owner, _group, extra = line.split("\t")
        yield kind, path, int(mode, 8) if mode != "-" else 0o644, int(uid) if uid != "-" else 0, int(gid) if gid != "-" else 0, extra


def lay(base, root, folders, sized=False):
    """What the generated machine has below these folders. `sized`: a file whose bytes it does not have gets its length in zeros, else it is empty."""
    for kind, path, mode, uid, gid, extra in index_rows(base):
        if not path.startswith(folders) or kind not in ("dir", "link", "char", "file"):
            continue
        target = root / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        if kind == "link":
            if not os.path.lexists(target):
                target.symlink_to(extra)
            continue
        if kind == "dir":
            target.mkdir(exist_ok=True)
        elif kind == "char":
            major, minor = (int(part) for part in extra.split()[-1].split(":"))
            os.mknod(target, 0o020000 | mode, os.makedev(major, minor))
        else:
            source = base / "files" / path[1:]
            target.write_bytes(source.read_bytes() if source.is_file() else b"")
            if sized and not source.is_file() and extra.isdigit():
                os.truncate(target, int(extra))
        os.chown(target, uid, gid)
        os.chmod(target, mode)


def lay_driver_side(base, root):
    """/sys, /dev and the files of /proc that tell the kernel, as the generated machine has them, laid into the root."""
    dev_root, proc_files = root / "dev", base / "files" / "proc"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "lab-sys", root / "sys"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "lab-dev", dev_root], check=True)
    lay(base, root, ("/sys/", "/dev/"))
    for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9), ("tty", 0)):
        if not (dev_root / name).exists():
            os.mknod(dev_root / name, 0o020666, os.makedev(5 if name == "tty" else 1, minor))
            os.chmod(dev_root / name, 0o666)
    (dev_root / "shm").mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777,size=2g", "lab-shm", dev_root / "shm"], check=True)
    (dev_root / "fd").symlink_to("/proc/self/fd")
    subprocess.run(["mount", "-t", "proc", "lab-proc", root / "proc"], check=True)
    for name in ("modules", "meminfo", "cmdline", "version", "cpuinfo"):
        if (proc_files / name).is_file() and (root / "proc" / name).is_file():
            subprocess.run(["mount", "--bind", proc_files / name, root / "proc" / name], check=True)


def lay_users(base, root):
    """The accounts and groups of the generated machine, so that names and numbers agree with its nodes."""
    for kind, path, _mode, _uid, _gid, _extra in index_rows(base):
        if kind == "file" and path in ("/etc/group", "/etc/passwd"):
            wanted = (base / "files" / path[1:]).read_text(encoding="utf-8").splitlines()
            there = (root / path[1:]).read_text(encoding="utf-8").splitlines()
            names = {line.split(":")[0] for line in wanted}
            (root / path[1:]).write_text("\n".join([line for line in there if line.split(":")[0] not in names] + wanted) + "\n", encoding="utf-8")
    home = root / "home" / "user"
    home.mkdir(parents=True, exist_ok=True)
    os.chown(home, 1000, 1000)


# --- inside --------------------------------------------------------------------------------------------------------------------------

def enter(root, uid, gid, groups, limits):
    def inside():
        os.setsid()
        os.chroot(root)
        os.chdir("/home/user" if uid else "/root")
        for name, value in limits.items():
            soft, hard = value if isinstance(value, list) else (value, value)
            resource.setrlimit(LIMITS[name], tuple(resource.RLIM_INFINITY if item == "unlimited" else item for item in (soft, hard)))
        os.setgroups(groups)
        os.setgid(gid)
        os.setuid(uid)
    return inside


def run_inside(root, command, environment, account, limits, seconds):
    """(status, output): stdout and stderr together, as a terminal shows them; a hang is ended and said."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, preexec_fn=enter(root, *account, limits))
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return 124, output.decode(errors="replace")


def account_of(root, fault):
    """(uid, gid, groups) of the one who runs the program."""
    if fault.get("user") == "root":
        return 0, 0, [0]
    numbers = {line.split(":")[0]: int(line.split(":")[2]) for line in (root / "etc/group").read_text(encoding="utf-8").splitlines() if line.count(":") >= 3}
    names = fault.get("groups", ["user", "video", "render"])
    if missing := [name for name in names if name not in numbers]:
        raise Refused(f"group {missing[0]} is not in the machine's /etc/group")
    return 1000, 1000, [numbers[name] for name in names]


def apply_script(root, text, release, part):
    environment = ROOT_ENVIRONMENT | {"LAB_RELEASE": release, "LAB_GFX": part}
    status, output = run_inside(root, ["/bin/bash", "-euc", text], environment, (0, 0, [0]), {}, 300)
    if status != 0:
        raise Refused(f"its script ends with status {status}: {output.strip()[-400:]}")


def in_root(root, path):
    return "/" + str(path.relative_to(root))


def shorten(output, most=400):
    lines = output.splitlines()
    return "\n".join(lines if len(lines) <= most else lines[:most // 2] + lines[-most // 2:]) + "\n"


def build(programs, fault, name, release, part, out, work):
    """Makes one machine; in a mount and PID namespace of its own (see in_namespace)."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6g", "lab", work], check=True)
    base, root = work / "base", work / "root"
    for folder in (work / "up", work / "work", root):
        folder.mkdir()
    make_base(base_overlay(programs, fault, release, part), base)
    chroots = setting("ROCVET_LAB_ROOTS")
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={chroots / release},upperdir={work / 'up'},workdir={work / 'work'}", root], check=True)
    lay_driver_side(base, root)
    lay_users(base, root)
    # They belong to the kernel, not to the chroot's packages.
    lay(base, root, ("/boot/", "/usr/lib/modules/", "/etc/modprobe.d/", "/lib/modules/", "/usr/lib/firmware/", "/lib/firmware/"), sized=True)
    lab = root / ".lab"
    lab.mkdir()
    subprocess.run(["mount", "--bind", setting("ROCVET_LAB_LAUNCHER"), lab], check=True)
    for path, options in fault.get("mounts", {}).items():
        (root / path[1:]).mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", root / path[1:]], check=True)
    if fault.get("script"):
        apply_script(root, fault["script"], release, part)

    row = programs["program"][name]
    account, limits = account_of(root, fault), fault.get("limits", {})
    environment = (PLAIN_ENVIRONMENT if account[0] else ROOT_ENVIRONMENT) | fault.get("env", {})
    launch = environment | {"LAB_PART": part}
    if fault.get("deny"):
        launch["LAB_DENY"] = ":".join(f"{path}={getattr(errno, number)}" for path, number in fault["deny"].items())
    # The shell stays, and says as a terminal's does what became of a program that a signal ended.
    command = ["/.lab/launch", part, "/bin/bash", "-c", "{ " + row["command"].replace("@GFX@", part) + "; }; exit $?"]
    status, output = run_inside(root, command, launch, account, limits, row.get("seconds", 60))

    tool = root / ".rocvet"
    tool.touch()
    subprocess.run(["umount", "-l", lab], check=True)
    lab.rmdir()
    subprocess.run(["mount", "--bind", setting("ROCVET"), tool], check=True)
    record = root / "tmp" / "rocvet-lab-record" if not fault.get("mounts", {}).get("/tmp") else root / "var/tmp/rocvet-lab-record"
    record.mkdir(mode=0o777)
    os.chmod(record, 0o777)
    (record / "app.log").write_text(shorten(output), encoding="utf-8")
    recorder = {key: value for key, value in environment.items() if key != "LD_PRELOAD"}
    keep = {key: value for key, value in limits.items() if key == "memlock"}
    said, text = run_inside(root, ["/.rocvet", "snapshot", "--no-redact", "--log", in_root(root, record / "app.log"), in_root(root, record / "m")], recorder, account, keep, 120)
    if said != 0 or not (record / "m" / "index.tsv").is_file():
        raise Refused(f"recording ends with status {said}: {text.strip()[-300:]}")
    finish(base, record / "m", fault, environment, limits, out, status, output)
    label = {"id": out.name, "fault": fault["id"], "cause": fault["cause"], "also": fault.get("also", []), "title": fault["title"], "program": name, "release": release, "part": part, "status": status}
    label_path(out).write_text(toml_text(label), encoding="utf-8")
    return status, output


def exchange(base, recorded, folders):
    """Below these folders the recording says what the generated machine says: the chroot shows the maker's kernel there."""
    def below(path):
        return any(path == folder or path.startswith(folder + "/") for folder in folders)
    head, *rows = (recorded / "index.tsv").read_text(encoding="utf-8").splitlines()
    rows = [row for row in rows if not below(row.split("\t")[1])]
    rows += [row for row in (base / "index.tsv").read_text(encoding="utf-8").splitlines()[1:] if below(row.split("\t")[1])]
    (recorded / "index.tsv").write_text("\n".join([head, *sorted(rows, key=lambda row: row.split("\t")[1])]) + "\n", encoding="utf-8")
    for folder in folders:
        shutil.rmtree(recorded / "files" / folder[1:], ignore_errors=True)
        if (base / "files" / folder[1:]).is_dir():
            shutil.copytree(base / "files" / folder[1:], recorded / "files" / folder[1:], symlinks=True)


def close_nodes(recorded, deny):
    """What the program could not open, the recorder could not either."""
    rows = []
    for row in (recorded / "index.tsv").read_text(encoding="utf-8").splitlines():
        kind, path, *rest, extra = row.split("\t")
        said = next((number for denied, number in deny.items() if path == denied or path.startswith(denied + "/")), "ENOENT")
        if kind == "char" and said != "ENOENT":
            row = "\t".join(["error", path, *rest, f"open:{said} char {extra}"])
        rows.append(row)
    (recorded / "index.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def finish(base, recorded, fault, environment, limits, out, status, output):
    """What the recorder could not see, for it ran in a chroot: the kernel's log and name come from the generated machine."""
    for name in ("dmesg", "uname", "lspci-vvnn", "mokutil-sb-state"):
        if (base / "cmd" / name).is_file():
            (recorded / "cmd").mkdir(exist_ok=True)
            shutil.copyfile(base / "cmd" / name, recorded / "cmd" / name)
            (recorded / "cmd" / f"{name}.rc").unlink(missing_ok=True)
    for path in (recorded / "cmd").glob("journalctl*"):
        path.unlink()
    exchange(base, recorded, ("/dev", "/proc"))
    close_nodes(recorded, fault.get("deny", {}))
    (recorded / "cmd" / "app.log").write_text(shorten(output), encoding="utf-8")
    was, now = tomllib.loads((base / "process.toml").read_text()), tomllib.loads((recorded / "process.toml").read_text())
    for key in ("uid_map", "gid_map", "seccomp", "cgroup"):
        if key in was:
            now[key] = was[key]
    now["limits"] = was["limits"] | {name: value if isinstance(value, list) else [value, value] for name, value in limits.items()}
    now["environment"] = now.get("environment", {}) | {key: value for key, value in environment.items() if key not in ("HOME",)}
    tables = {key: now.pop(key) for key in list(now) if isinstance(now[key], dict)}
    (recorded / "process.toml").write_text(toml_text(now) + "".join(f"[{key}]\n{toml_text(table)}" for key, table in tables.items()), encoding="utf-8")
    if out.exists():
        shutil.rmtree(out)
    shutil.copytree(recorded, out, symlinks=True)


def in_namespace(work):
    """Runs `work` in a child with its own mounts and processes; what it mounted is gone when it ends. Returns (ok, text)."""
    read, write = os.pipe()
    libc = ctypes.CDLL(None, use_errno=True)
    child = os.fork()
    if child == 0:
        os.close(read)
        verdict = (False, "")
        try:
            if libc.unshare(CLONE_NEWNS | CLONE_NEWPID) != 0:
                raise Refused(f"unshare: {os.strerror(ctypes.get_errno())}; the lab needs root")
            if libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
                raise Refused("the mounts cannot be made private")
            inner = os.fork()                      # the first process of the new PID namespace
            if inner == 0:
                try:
                    status, output = work()
                    verdict = (True, f"status {status}, {len(output.splitlines())} lines")
                except (Refused, subprocess.SubprocessError, OSError) as error:
                    verdict = (False, str(error))
                os.write(write, json.dumps(verdict).encode())
                os._exit(0)
            os.waitpid(inner, 0)
        except Refused as error:
            os.write(write, json.dumps((False, str(error))).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return tuple(json.loads(text)) if text else (False, "the maker died")


def make(programs, faults, fault, name, release, part, out):
    for what, known, value in (("fault", faults, fault), ("program", programs["program"], name), ("release", programs["release"], release), ("part", programs["part"], part)):
        if value not in known:
            refuse(f"no {what} {value}; `lab.py list` names them")
    with tempfile.TemporaryDirectory(prefix="rocvet-lab-") as work:     # mounted over in the namespace; empty outside of it
        return in_namespace(lambda: build(programs, faults[fault], name, release, part, out, pathlib.Path(work)))


# --- verbs -----------------------------------------------------------------------------------------------------------------------------

def plan(programs, faults, only, count):
    """(fault, program, release, part), round robin over the faults, so that a part of the plan holds all of them. The order is fixed."""
    draws = random.Random(1)
    queues = []
    for fault in faults.values():
        if not fnmatch.fnmatch(fault["id"], only):
            continue
        rows = [(fault["id"], name, release, part) for release in programs["release"] if fits(fault.get("releases"), release)
                for part in programs["part"] if fits(fault.get("parts"), part) and fits(programs["release"][release].get("parts"), part)
                for name in program_names(programs, fault, release, part)]
        draws.shuffle(rows)
        queues.append(rows)
    chosen = []
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def all_verb(args, programs, faults):
    args.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for fault, name, release, part in plan(programs, faults, args.faults, args.count):
        out = args.out / "+".join((fault, name, release, part))
        if args.share and hash_of(out.name) % args.share[1] != args.share[0]:
            continue
        if label_path(out).exists():
            continue
        ok, text = make(programs, faults, fault, name, release, part, out)
        failed += not ok
        print(f"{'made' if ok else 'NOT MADE'} {out.name}: {text}", flush=True)
    return 1 if failed else 0


def hash_of(text):
    value = 0
    for byte in text.encode():
        value = (value * 31 + byte) & 0xffffffff
    return value


def label_path(out):
    return out.with_suffix(".toml")


def score_verb(args, faults):
    rows = []
    for path in sorted(args.out.glob("*.toml")):
        label = tomllib.loads(path.read_text(encoding="utf-8"))
        done = subprocess.run([args.rocvet, "check", "--snapshot", path.with_suffix(""), "--format", "json"], capture_output=True, timeout=120)
        if done.returncode not in (0, 1, 2):
            refuse(f"{path.stem}: status {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
        report = json.loads(done.stdout)
        causes = [(cause["id"], cause.get("severity", "fail")) for cause in report["diagnosis"]["root_causes"]]
        right = [label["cause"], *label["also"]]
        if label["cause"] == "none":
            outcome = "alarm" if any(severity == "fail" for _, severity in causes) or report["verdict"] == "fail" else "maybe" if causes else "first"
        else:
            names = [cause for cause, _ in causes]
            outcome = "first" if names[:1] and names[0] in right else "three" if set(right) & set(names[:3]) else "miss"
        rows.append(label | {"outcome": outcome, "verdict": report["verdict"], "got": causes[:3]})
        if outcome not in ("first",):
            print(f"{outcome:6} {path.stem:70} {label['cause']:36} {report['verdict']:5} {', '.join(f'{c}:{s}' for c, s in causes[:3])}")
    broken, healthy = [row for row in rows if row["cause"] != "none"], [row for row in rows if row["cause"] == "none"]
    first = sum(row["outcome"] == "first" for row in broken)
    three = first + sum(row["outcome"] == "three" for row in broken)
    if broken:
        kinds = {row["fault"] for row in broken}
        whole = sum(all(row["outcome"] == "first" for row in broken if row["fault"] == kind) for kind in kinds)
        print(f"{len(broken)} broken machines of {len(kinds)} faults: first {first} = {100 * first / len(broken):.1f} %, in three {three} = {100 * three / len(broken):.1f} %; faults right on every machine: {whole}")
    if healthy:
        print(f"{len(healthy)} healthy controls: {sum(row['outcome'] == 'alarm' for row in healthy)} alarms, {sum(row['outcome'] == 'maybe' for row in healthy)} with a MAYBE")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


def list_verb(programs, faults):
    for fault in faults.values():
        print(f"{fault['id']:40} {fault['cause']:36} {fault['title']}")
    print(f"{len(faults)} faults, of them {sum(fault['cause'] == 'none' for fault in faults.values())} healthy controls; programs: {', '.join(programs['program'])}; "
          f"releases: {', '.join(programs['release'])}; parts: {', '.join(programs['part'])}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list")
    one = verbs.add_parser("make")
    for name in ("fault", "program", "release", "part"):
        one.add_argument(name)
    one.add_argument("out", type=pathlib.Path)
    many = verbs.add_parser("all")
    many.add_argument("out", type=pathlib.Path)
    many.add_argument("--count", type=int, default=1000)
    many.add_argument("--faults", default="*")
    many.add_argument("--share", type=lambda text: tuple(int(part) for part in text.split("/")), help="I/N: the I-th of N processes that share the work")
    score = verbs.add_parser("score")
    score.add_argument("out", type=pathlib.Path)
    score.add_argument("--rocvet", required=True)
    score.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    programs, faults = load_programs(), load_faults()
    if args.verb == "list":
        return list_verb(programs, faults)
    if args.verb == "score":
        return score_verb(args, faults)
    if os.geteuid() != 0:
        refuse("needs root: it mounts and changes the root folder")
    if args.verb == "all":
        return all_verb(args, programs, faults)
    ok, text = make(programs, faults, args.fault, args.program, args.release, args.part, args.out.resolve())
    print(text)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
