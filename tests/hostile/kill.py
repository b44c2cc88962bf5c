#!/usr/bin/env python3
"""kill.py --rocvet PROGRAM [--signals 300] [--seed 1] [--only VERB]: signals at random moments, over all verbs.

After each: no process of its session lives on; what it was to write is not there, is whole, or is what was there
before; nothing lies beside it or in TMPDIR, HOME or the working directory (a program that was killed outright, by KILL
or SEGV, cannot take its temporary file away: those are counted); the terminal, where it has one, is as it was. That the
test can see a whole answer shows in two runs of each verb that nothing disturbs.
Exit status: 0 all is well, 1 something is not.
"""
import argparse
import collections
import dataclasses
import fcntl
import json
import os
import pathlib
import pty
import random
import resource
import select
import signal
import subprocess
import sys
import tarfile
import tempfile
import termios
import time
import typing
import xml.etree.ElementTree as etree

import faulty
from tree import drop, put, remove

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIGNALS = ["TERM", "TERM", "INT", "INT", "HUP", "QUIT", "KILL", "KILL", "PIPE", "SEGV"]
OUTRIGHT = ("KILL", "SEGV")
OF_A_GROUP = ("INT", "QUIT", "HUP")  # a terminal sends these to all of a job
PATIENCE = 10                        # seconds until it has to have ended, and then its children
BEFORE = b"what was here before\n"
HIDES = {b"\x1b[?25l": b"\x1b[?25h", b"\x1b[?1049h": b"\x1b[?1049l"}
SNAPSHOT = ("about.toml", "index.tsv", "process.toml")
EXTENSIONS = {"json": "json", "html": "html", "junit": "xml", "sarif": "sarif"}


def parses_json(path):
    with open(path, encoding="utf-8") as file:
        json.load(file)
    return True


def ends_as_html(path):
    with open(path, "rb") as file:
        return file.read().rstrip().endswith(b"</html>")


def parses_xml(path):
    return etree.parse(path) is not None


def unpacks(path):
    with tarfile.open(path) as archive:
        names = {os.path.normpath(member.name) for member in archive}
    return set(SNAPSHOT) <= names


WHOLE = {".json": parses_json, ".sarif": parses_json, ".html": ends_as_html, ".xml": parses_xml, ".gz": unpacks,
         ".tar": unpacks}


@dataclasses.dataclass
class Verb:
    name: str
    words: typing.Callable      # (folder of targets) -> arguments
    targets: tuple = ()         # names in that folder
    overwrites: bool = True     # a file that is there is replaced
    statuses: tuple = (0, 1, 2)
    seconds: float = 0          # of a run that nothing disturbs


@dataclasses.dataclass
class Given:
    """What the verbs read."""
    machine: str
    log: str
    report: str
    questions: str


def reporting(name, words, forms=("json", "html", "junit", "sarif")):
    def all_words(out):
        return [*words, *(word for form in forms for word in ("--output", f"{form}={out}/report.{EXTENSIONS[form]}"))]
    return Verb(name, all_words, tuple("report." + EXTENSIONS[form] for form in forms))


def verbs(given):
    machine, report = ["--snapshot", given.machine], given.report
    host = ["--device", "host", "--size", "tiny"]
    yield reporting("check", ["check", *machine, "--log", given.log])
    yield reporting("check-live", ["check"])
    yield reporting("check-baseline", ["check", *machine, "--baseline", report])
    yield reporting("scan", ["scan"])
    yield reporting("run-demo", ["run", "--demo", "--size", "tiny"])
    yield reporting("run-host", ["run", *host])
    yield reporting("test-host", ["test", *host])
    yield reporting("report", ["report", report])
    for name in ("folder", "s.tar", "s.tar.gz", "s.tar.zst"):
        yield Verb("snapshot-" + name, lambda out, name=name: ["snapshot", f"{out}/{name}"], (name,), overwrites=False)
    yield Verb("calibrate", lambda out: ["calibrate", *host], statuses=(3,))  # it says that no GPU was measured
    silent = {
        "plan": ["plan", "--to", "rocm=7.2,kernel=6.14", *machine], "advise": ["advise", *machine],
        "compat": ["compat", *machine, "--here"], "compat-questions": ["compat", "--questions", given.questions],
        "list": ["list", "causes"], "fix": ["fix", *machine, "--log", given.log], "explain": ["explain", "RV102"],
        "explain-log": ["explain", "--log", given.log], "db-check": ["db", "check", str(ROOT / "db")],
        "db-export": ["db", "export", str(ROOT / "db"), "--format", "json"], "fleet": ["fleet", report, report],
        "diff": ["diff", report, report],
    }
    for name, words in silent.items():
        yield Verb(name, lambda out, words=words: words)


class Trial:
    """One run that a signal ends, or does not."""

    def __init__(self, rocvet, verb, folder, rng):
        self.rocvet, self.verb, self.folder, self.rng = rocvet, verb, folder, rng
        self.out, self.faults, self.left = folder + "/out", [], 0
        for name in ("out", "tmp", "home", "cwd"):
            os.makedirs(f"{folder}/{name}")
        self.mark = f"ROCVET_KILL_TEST={os.path.basename(folder)}-{os.getpid()}"
        self.on_terminal, self.was_there = rng.random() < 0.5, verb.overwrites and rng.random() < 0.5
        if self.was_there:
            for name in verb.targets:
                put(self.out, name, BEFORE)

    def start(self):
        name, value = self.mark.split("=")
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": self.folder + "/home",
               "TERM": "xterm-256color", "TMPDIR": self.folder + "/tmp",
               "XDG_RUNTIME_DIR": self.folder + "/tmp", name: value}
        self.master = self.slave = None
        if self.on_terminal:
            self.master, self.slave = pty.openpty()
            self.modes = termios.tcgetattr(self.slave)
        stream = subprocess.DEVNULL if self.slave is None else self.slave
        self.said = bytearray()
        self.process = subprocess.Popen([self.rocvet, *self.verb.words(self.out)], stdin=stream, stdout=stream,
                                        stderr=stream, env=env, cwd=self.folder + "/cwd", preexec_fn=self.in_child)
        self.session, self.began = self.process.pid, time.monotonic()

    def in_child(self):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.slave is not None:
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def drain(self, seconds):
        """Waits so long and reads what it writes to its terminal."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if self.master is None:
                time.sleep(max(0, left))
                return
            if not select.select([self.master], [], [], max(0, left))[0]:
                return
            try:
                self.said += os.read(self.master, 1 << 16)
            except OSError:  # nobody has the other end open any more
                time.sleep(max(0, end - time.monotonic()))
                return

    def send(self, name, to_group):
        number = getattr(signal, "SIG" + name)
        try:
            (os.killpg if to_group else os.kill)(self.process.pid, number)
            return True
        except ProcessLookupError:
            return False

    def run(self, name=None, moment=0.0):
        """Starts it and, unless `name` is nothing, sends the signal; how it ended."""
        self.start()
        ended_before = False
        if name:
            self.drain(moment)
            ended_before = self.process.poll() is not None
            if not ended_before:
                self.send(name, name in OF_A_GROUP and self.rng.random() < 0.5)
        end = time.monotonic() + (PATIENCE if name else 120)
        while self.process.poll() is None and time.monotonic() < end:
            self.drain(0.005)
        if self.process.poll() is None:
            self.faults.append(f"lives {PATIENCE} s after SIG{name}")
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.took = time.monotonic() - self.began
        self.drain(0)
        status = self.process.returncode
        expected = -getattr(signal, "SIG" + name) if name and not ended_before else 0
        if status < 0 and status != expected:
            self.faults.append(f"died of {signal.Signals(-status).name}")
        self.look_for_children()
        self.look_at_terminal(name)
        self.look_at_files(name, finished=status in self.verb.statuses)
        return ended_before

    def family(self):
        """Processes of the session, or with the mark in their environment, that have not ended."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat", "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
                with open(f"/proc/{pid}/environ", "rb") as file:
                    marked = self.mark.encode() in file.read().split(b"\0")
            except OSError:
                continue
            if fields[0] not in (b"Z", b"X") and (int(fields[3]) == self.session or marked):
                found.append(int(pid))
        return found

    def look_for_children(self):
        end = time.monotonic() + 2
        while (alive := self.family()) and time.monotonic() < end:
            time.sleep(0.02)
        for pid in alive:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                self.faults.append(f"a process lives on: {file.read()[:100]!r}")
            os.kill(pid, signal.SIGKILL)

    def look_at_terminal(self, name):
        if self.slave is None:
            return
        if termios.tcgetattr(self.slave) != self.modes:
            self.faults.append("the terminal's modes have changed")
        for hide, show in HIDES.items():
            if self.said.rfind(hide) > self.said.rfind(show) and name not in OUTRIGHT:
                self.faults.append(f"the terminal is left after {hide!r}")
        os.close(self.slave)
        os.close(self.master)

    def whole(self, path):
        if self.verb.name.startswith("snapshot"):
            done = subprocess.run([self.rocvet, "scan", "--snapshot", path, "-q"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False)
            if done.returncode not in (0, 1, 2):
                return False
        if os.path.isdir(path):
            return all(os.path.exists(os.path.join(path, name)) for name in SNAPSHOT + ("files",))
        check = WHOLE.get(os.path.splitext(path)[1], lambda _: True)
        try:
            return check(path)
        except (ValueError, OSError, EOFError, etree.ParseError, tarfile.TarError):
            return False

    def look_at_files(self, name, finished):
        for target in self.verb.targets:
            path = os.path.join(self.out, target)
            if not os.path.lexists(path):
                if self.was_there or finished:
                    self.faults.append(f"{target} is not there")
                continue
            if self.was_there and not finished and os.path.isfile(path):
                with open(path, "rb") as file:
                    if file.read() == BEFORE:
                        continue
            if not self.whole(path):
                self.faults.append(f"{target} is half a file of {os.path.getsize(path)} bytes")
        for folder in ("out", "tmp", "home", "cwd"):
            wanted = self.verb.targets if folder == "out" else ()
            for left in sorted(set(os.listdir(f"{self.folder}/{folder}")) - set(wanted)):
                if name in OUTRIGHT:
                    self.left += 1
                else:
                    self.faults.append(f"left {folder}/{left}")
                drop(f"{self.folder}/{folder}", left)


def prepare(rocvet, scratch):
    machine = scratch + "/machine"
    faulty.write_faulty(machine, lambda place, plain: plain)
    put(scratch, "questions.jsonl", '{"gpu":"gfx1100","rocm":"6.2"}\n' * 3000)
    given = Given(machine, machine + ".log", scratch + "/report.json", scratch + "/questions.jsonl")
    subprocess.run([rocvet, "check", "--snapshot", machine, "--log", given.log, "-q", "--output",
                    "json=" + given.report],
                   stdout=subprocess.DEVNULL, check=False)
    return given


def undisturbed(options, chosen, scratch):
    """How long each verb takes, and that its run without a signal is clean."""
    faults = []
    for verb in chosen:
        took = []
        for number in range(2):  # the first one may find nothing in the cache
            trial = Trial(options.rocvet, verb, f"{scratch}/whole-{verb.name}-{number}", random.Random(verb.name))
            trial.run()
            took.append(trial.took)
            if trial.process.returncode not in verb.statuses:
                trial.faults.append(f"status {trial.process.returncode}: {bytes(trial.said[-200:])!r}")
            faults += [f"{verb.name} without a signal: {fault}" for fault in trial.faults]
            remove(trial.folder)
        verb.seconds = min(took)
    return faults


def tell(faults):
    for fault in faults:
        print("FAILED", fault, flush=True)


def parse():
    parser = argparse.ArgumentParser(description="Signals at random moments, over all verbs.")
    parser.add_argument("--rocvet", required=True, type=os.path.abspath)
    parser.add_argument("--signals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="verbs whose name holds this")
    return parser.parse_args()


def main():
    options, began = parse(), time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the scratch folder goes
    scratch, rng = tempfile.mkdtemp(prefix="rocvet-kill."), random.Random(options.seed)
    per_signal, before, left, on_terminal = collections.Counter(), 0, collections.Counter(), 0
    try:
        chosen = [verb for verb in verbs(prepare(options.rocvet, scratch)) if options.only in verb.name]
        faults = undisturbed(options, chosen, scratch)
        tell(faults)
        for number in range(options.signals):
            verb, name = chosen[number % len(chosen)], rng.choice(SIGNALS)
            trial = Trial(options.rocvet, verb, f"{scratch}/{number}", rng)
            moment = rng.random() * verb.seconds
            before += trial.run(name, moment)
            per_signal[name] += 1
            left[name] += trial.left
            on_terminal += trial.on_terminal
            when = f"{verb.name}, SIG{name} after {moment * 1000:.0f} of {verb.seconds * 1000:.0f} ms"
            new = [f"{when}: {fault}" for fault in trial.faults]
            tell(new)
            faults += new
            remove(trial.folder)
    finally:
        remove(scratch)
    sent = ", ".join(f"{name} {count}" for name, count in sorted(per_signal.items()))
    print(f"{options.signals} signals ({sent}) over {len(chosen)} verbs, {on_terminal} on a terminal, {before} after "
          f"the end; {len(faults)} failures; temporaries left by KILL: {left['KILL']}, by SEGV: {left['SEGV']}; "
          f"{time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
