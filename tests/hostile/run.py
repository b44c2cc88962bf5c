#!/usr/bin/env python3
"""run.py --rocvet PROGRAM [--kind KIND] [--only NAME] [--jobs 2]: hostile inputs, and what rocvet makes of them.

Over a thousand inputs (`inputs/`) are made in a temporary folder, always the same; each is given to the verbs that read
such a thing. It is a failure when a call dies of a signal, takes more than 10 s or 300 MiB, ends with a status other
than 0 to 3, complains of bad input in other than one line, writes what a terminal would obey or nobody would see,
writes JSON or XML that is none, shows a file from outside of the snapshot, or prints a command that does what a name in
it says when a shell runs it (`sandbox.py`).
--only takes part of a name; --keep FOLDER leaves the files of what ran there. Exit status: 0 all is well, 1 something
is not.
"""
import argparse
import collections
import dataclasses
import hashlib
import multiprocessing
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import inputs
import judge
import sandbox
from call import call
from inputs.common import Place, Shared
from tree import drop, put, remove

SEED = 15
PROGRAMS = "dmesg lspci apt-policy apt-cache df uname mokutil ldconfig python3 bash sh dkms rocminfo modinfo".split()


@dataclasses.dataclass
class Outcome:
    kind: str
    id: str
    calls: int = 0
    mib: float = 0
    mib_of: str = ""
    seconds: float = 0
    seconds_of: str = ""
    scripts: int = 0
    faults: list = dataclasses.field(default_factory=list)   # (kind, what, call)
    remarks: list = dataclasses.field(default_factory=list)


class Set:
    """What every worker knows; made before they start."""
    options = shared = listed = None
    box = None       # the worker's own sandbox
    parsed = set()   # scripts without a payload of which bash has already said that it can read them

    @classmethod
    def prepare(cls, options, scratch):
        shared = Shared(folder=scratch + "/shared", plain=scratch + "/shared/plain", log=scratch + "/shared/plain.log",
                        good=scratch + "/shared/good.json", fifo=scratch + "/shared/fifo",
                        loop=scratch + "/shared/loop",
                        programs=scratch + "/shared/programs", outside=scratch + "/outside/secret",
                        canary=scratch + "/canary")
        for folder in (shared.folder, shared.programs, shared.canary):
            os.makedirs(folder)
        os.chmod(shared.canary, 0o777)
        os.mkfifo(shared.fifo)
        os.symlink("loop", shared.loop)
        put("/", shared.outside, 'NAME="LEAKMARK"\nID=LEAKMARK\nPRETTY_NAME="LEAKMARK"\nLEAKMARK\n')
        for name in PROGRAMS:
            put(shared.programs, name, f"#!/bin/bash\necho ran >> {shlex.quote(scratch)}/ran-{name}\n")
            os.chmod(os.path.join(shared.programs, name), 0o755)
        cls.listed = inputs.all_inputs(shared.plain)
        subprocess.run([options.rocvet, "check", "--snapshot", shared.plain, "--log", shared.log, "--output",
                        "json=" + shared.good, "-q"],
                       stdout=subprocess.DEVNULL, check=False)
        if not os.path.exists(shared.good):
            sys.exit(f"run.py: {options.rocvet} wrote no report of an ordinary machine")
        cls.options, cls.shared = options, shared

    @classmethod
    def start_worker(cls, scratch):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        cls.box = sandbox.Sandbox(tempfile.mkdtemp(prefix="box-", dir=scratch), cls.shared.canary)


def shown(argv):
    words = [word if len(word) < 200 else f"{word[:20]}…({len(word)} bytes)" for word in argv[:14]]
    return "rocvet " + " ".join(map(shlex.quote, words)).encode("unicode_escape").decode()


def try_commands(commands, outcome):
    """commands: (call, what, script, whether it is a single step)."""
    new = []
    for line, what, script, step in commands:
        digest = hashlib.sha256(script).digest()
        if b"CAN" in script or digest not in Set.parsed:
            new.append((line, what, script, step))
        Set.parsed.add(digest)
    if not new:
        return
    outcome.scripts += len(new)
    results = Set.box.run([script for _, _, script, _ in new], {number for number, one in enumerate(new) if one[3]})
    for (line, what, script, _), (complaint, made) in zip(new, results):
        if complaint:
            outcome.faults.append(("script", f"bash cannot read {what}: {complaint[:300]!r}", line))
        if made:
            shown_script = f": {script[:200]!r}" if len(script) < 1000 else ""
            outcome.faults.append(("canary", f"{what} made {made}{shown_script}", line))


def look_around(place, outcome, line):
    """Files that came into being where nothing should have been written."""
    for folder, kind in ((place.shared.canary, "canary"), (place.out + "/cwd", "stray file")):
        for name in os.listdir(folder):
            outcome.faults.append((kind, f"in {folder}: {name!r}", line))
            drop(folder, name)


def one_input(number):
    entry = Set.listed[number]
    folder = os.path.join(os.path.dirname(Set.shared.folder), "inputs", f"{number:04d}-{entry.kind}-{entry.name}")
    place = Place(folder + "/in", folder + "/out", Set.shared, random.Random(f"{SEED} {entry.id}"))
    outcome = Outcome(entry.kind, entry.id)
    for path in (place.folder, place.out, place.out + "/cwd"):
        os.makedirs(path)
    for path in (folder, place.out, place.out + "/cwd"):
        os.chmod(path, 0o777)
    try:
        commands = []
        for argv in entry.make(place):
            for name, _ in judge.report_files(place.out):
                os.remove(os.path.join(place.out, name))
            ran, line = call([Set.options.rocvet, *argv], entry.around, place.out + "/cwd",
                             Set.options.seconds), shown(argv)
            outcome.calls += 1
            if ran.refused:
                outcome.faults.append(("set", "could not be started: " + ran.refused, line))
                continue
            outcome.mib, outcome.mib_of = max((outcome.mib, outcome.mib_of), (ran.mib, line))
            outcome.seconds, outcome.seconds_of = max((outcome.seconds, outcome.seconds_of), (ran.seconds, line))
            outcome.remarks += judge.remarks(ran)
            found = judge.process_faults(argv, entry.around, ran) + judge.output_faults(argv, ran, place.out)
            outcome.faults += [(kind, what, line) for kind, what in found]
            look_around(place, outcome, line)
            if entry.tried:
                commands += [(line, *command) for command in judge.printed_commands(argv, ran)]
        try_commands(commands, outcome)
    except Exception:  # a fault of the set is a failure as well, and the other inputs go on
        outcome.faults.append(("set", traceback.format_exc()[-600:], ""))
    if Set.options.keep:
        shutil.copytree(folder, os.path.join(Set.options.keep, os.path.basename(folder)), symlinks=True,
                        dirs_exist_ok=True,
                        ignore=lambda at, names: [name for name in names if special(os.path.join(at, name))])
    remove(folder)
    return outcome


def special(path):
    return not (os.path.islink(path) or os.path.isfile(path) or os.path.isdir(path))


def parse():
    parser = argparse.ArgumentParser(description="Hostile inputs for rocvet.")
    parser.add_argument("--rocvet", required=True, type=os.path.abspath)
    parser.add_argument("--kind", help="inputs of this kind alone")
    parser.add_argument("--only", default="", help="inputs whose name holds this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10, help="a call that takes longer hangs")
    parser.add_argument("--keep", type=os.path.abspath, help="leave the files of what ran in this folder")
    return parser.parse_args()


def tell_faults(outcome, options):
    for kind, what, line in dict.fromkeys(outcome.faults):
        replay = f"{sys.argv[0]} --rocvet {shlex.quote(options.rocvet)} --only {shlex.quote(outcome.id)} --keep FOLDER"
        print(f"FAILED {outcome.id}: {kind}: {what}\n    {line}\n    {replay}", flush=True)


def tell(outcomes, listed, skipped, strangers, took):
    per_kind = collections.OrderedDict((entry.kind, [0, 0, 0]) for entry in listed)
    remarks = collections.Counter(remark for outcome in outcomes for remark in set(outcome.remarks))
    for outcome in outcomes:
        row = per_kind[outcome.kind]
        row[0] += 1
        row[1] += outcome.calls
        row[2] += bool(outcome.faults)
    print(f"{'kind':12} {'inputs':>7} {'calls':>7} {'failed':>7}")
    total = [sum(row[column] for row in per_kind.values()) for column in range(3)]
    for kind, row in [*per_kind.items(), ("all", total)]:
        print(f"{kind:12} {row[0]:7} {row[1]:7} {row[2]:7}")
    if skipped:
        print(f"skipped: {len(skipped)} inputs that only root can make ({', '.join(entry.id for entry in skipped)})")
    most, longest = max(outcomes, key=lambda one: one.mib), max(outcomes, key=lambda one: one.seconds)
    print(f"peak memory {most.mib:.0f} MiB: {most.id}: {most.mib_of[:160]}")
    print(f"longest run {longest.seconds:.1f} s: {longest.id}: {longest.seconds_of[:160]}")
    for remark, count in sorted(remarks.items()):
        print(f"no failure: {count} inputs: {remark}")
    if strangers:
        print(f"no failure: programs of a folder that stood in PATH were run: {', '.join(strangers)}")
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{sum(outcome.scripts for outcome in outcomes)} printed scripts and steps were run; {took:.0f} s, "
          f"{use.ru_utime + use.ru_stime:.0f} s of CPU")
    return 1 if total[2] else 0


def main():
    options, began = parse(), time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the scratch folder goes
    scratch = tempfile.mkdtemp(prefix="rocvet-hostile.")
    os.chmod(scratch, 0o755)
    try:
        Set.prepare(options, scratch)
        chosen = [number for number, entry in enumerate(Set.listed)
                  if options.only in entry.id and options.kind in (None, entry.kind)]
        if not chosen:
            sys.exit("run.py: no such input")
        skipped = [Set.listed[number] for number in chosen if Set.listed[number].needs_root and os.getuid() != 0]
        chosen = [number for number in chosen if Set.listed[number] not in skipped]
        with multiprocessing.get_context("fork").Pool(options.jobs, Set.start_worker, [scratch],
                                                      maxtasksperchild=1) as pool:
            outcomes = []
            for outcome in pool.imap(one_input, chosen):
                tell_faults(outcome, options)
                outcomes.append(outcome)
        strangers = sorted(name[4:] for name in os.listdir(scratch) if name.startswith("ran-"))
        listed = [Set.listed[number] for number in chosen]
        return tell(outcomes, listed, skipped, strangers, time.monotonic() - began)
    finally:
        remove(scratch)


if __name__ == "__main__":
    sys.exit(main())
