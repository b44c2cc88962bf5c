#!/usr/bin/env python3
"""secrets.py --rocvet PROGRAM [--jobs 2] [--list]: which planted secrets and identities survive in which output.

375 of 218 kinds stand in logs, kernel logs, saved reports, a snapshot that nobody has redacted and a live machine (a
chroot; as an ordinary user in a namespace, and where there is none that part is left out). A secret may stand nowhere.
An identity (user, host, address, serial number, id) may not stand in what is passed on: snapshots, JSON, HTML, Markdown, JUnit,
SARIF, a text written to a file, what `explain` says. In the text on a terminal and in `fix` scripts it may, since
commands need true paths, but not when a line of a log says it. And a machine with secrets has the findings and causes
that it has with harmless words in their place.
--list names each survivor with its outputs, also those that may be. Exit status: 0 all is well, 1 something is not.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import faulty
from live_machine import LiveMachine
from planted.people import write_planted
from planted.plants import Planter, all_in_one, harmless, logs
from survivors import forms, survives
from tree import put, remove

SEED = 1515
FORMATS = ("text", "json", "html", "markdown", "junit", "sarif")
# What stands on the terminal of who asked; all else is passed on.
TERMINAL = ("check", "fix", "scan", "advise", "plan", "compat")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}


@dataclasses.dataclass(frozen=True)
class Survivor:
    plant: object
    source: str     # where the plants were: log, kernel log, snapshot, live
    output: str
    how: str

    @property
    def fails(self):
        return self.plant.secret or self.output not in TERMINAL or self.plant.of_log


class Score:
    def __init__(self):
        self.survivors, self.looked, self.faults = [], collections.defaultdict(set), []

    def look(self, plants, source, output, data, wrapped=True):
        texts = forms(data, wrapped)
        self.looked[source, output].update(plants)
        self.survivors += [Survivor(plant, source, output, how) for plant in plants if (how := survives(plant, texts))]


class Trial:
    """Runs of rocvet that write below one folder."""

    def __init__(self, rocvet, scratch, score):
        self.rocvet, self.scratch, self.score = rocvet, scratch, score

    def run(self, argv):
        done = subprocess.run([self.rocvet, *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120, env=ENVIRONMENT, check=False)
        if done.returncode not in (0, 1, 2):
            self.score.faults.append(f"status {done.returncode} of rocvet {' '.join(argv[:8])}: {done.stdout[:200]!r}")
        return done.stdout

    def reports(self, name, argv, plants, source, verb="check"):
        """Runs it with every format in a file and looks for the plants there and on the terminal; the files' folder."""
        folder = os.path.join(self.scratch, "reports", name)
        os.makedirs(folder)
        wanted = [word for form in FORMATS for word in ("--output", f"{form}={folder}/{form}")]
        self.score.look(plants, source, verb, self.run([verb, *argv, *wanted]))
        self.look_at_reports(folder, plants, source, verb)
        return folder

    def look_at_reports(self, folder, plants, source, verb="check"):
        for form in FORMATS:
            path = os.path.join(folder, form)
            if not os.path.exists(path):
                self.score.faults.append(f"{source}: {verb} wrote no {form}")
                continue
            with open(path, "rb") as file:
                self.score.look(plants, source, f"{verb}>{form}", file.read(), form in ("text", "html", "markdown"))


def findings(path):
    """What the report at `path` found: (check, verdict) and the causes."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError):
        return None
    return ({(check["id"], check["verdict"]) for check in report["checks"] if check["verdict"] in ("warn", "fail")}
            | {(cause["id"], "cause") for cause in report["diagnosis"]["root_causes"]})


def compare(score, what, with_secrets, without):
    if with_secrets is None or without is None:
        score.faults.append(f"{what}: there is no report")
    elif with_secrets != without:
        lost, new = sorted(without - with_secrets), sorted(with_secrets - without)
        score.faults.append(f"{what}: findings change: lost {lost}, new {new}")


def write_ordinary(machine):
    faulty.write_faulty(machine, lambda place, word: word, full_disks=False)


def try_log(trial, log, plain):
    """One log of an application, beside an ordinary machine."""
    name, plant = log.plant.kind, [log.plant]
    for suffix, text in (("", log.text), (".bare", log.bare)):
        put(trial.scratch, f"logs/{name}{suffix}", text)
    path = os.path.join(trial.scratch, "logs", name)
    trial.score.look(plant, "log", "explain", trial.run(["explain", "--log", path]))
    trial.score.look(plant, "log", "explain>json", trial.run(["explain", "--log", path, "--format", "json"]))
    trial.score.look(plant, "log", "fix", trial.run(["fix", "--snapshot", plain, "--log", path]))
    found = trial.reports("log-" + name, ["-v", "--snapshot", plain, "--log", path], plant, "log")
    bare = os.path.join(trial.scratch, "logs", name + ".json")
    trial.run(["check", "--snapshot", plain, "--log", path + ".bare", "--output", "json=" + bare, "-q"])
    compare(trial.score, f"log of {name}", findings(found + "/json"), findings(bare))


def try_kernel_log(trial, log):
    name, plant = log.plant.kind, [log.plant]
    machine = os.path.join(trial.scratch, "kernel", name)
    write_ordinary(machine)
    bare = machine + ".json"
    put(machine, "cmd/dmesg", log.bare)
    trial.run(["check", "--snapshot", machine, "--output", "json=" + bare, "-q"])
    put(machine, "cmd/dmesg", log.text)
    trial.score.look(plant, "kernel log", "fix", trial.run(["fix", "--snapshot", machine]))
    trial.score.look(plant, "kernel log", "explain", trial.run(["explain", "--log", machine + "/cmd/dmesg"]))
    found = trial.reports("kernel-" + name, ["-v", "--snapshot", machine], plant, "kernel log")
    compare(trial.score, f"kernel log of {name}", findings(found + "/json"), findings(bare))


def try_snapshot(trial, planted, bare, plants):
    """What a stranger gave who had not redacted it."""
    log = ["--log", planted + ".log"]
    for verb, argv in (("fix", []), ("fix", log), ("advise", []), ("compat", ["--here"]),
                       ("plan", ["--to", "rocm=7.2,kernel=6.14"])):
        trial.score.look(plants, "snapshot", verb, trial.run([verb, "--snapshot", planted, *argv]))
    trial.score.look(plants, "snapshot", "advise>json",
                     trial.run(["advise", "--snapshot", planted, "--format", "json"]))
    found = trial.reports("snapshot", ["-v", "--snapshot", planted, *log], plants, "snapshot")
    trial.reports("snapshot-scan", ["--snapshot", planted], plants, "snapshot", "scan")
    other = os.path.join(trial.scratch, "bare.json")
    trial.run(["check", "--snapshot", bare, "--log", bare + ".log", "--output", "json=" + other, "-q"])
    compare(trial.score, "snapshot", findings(found + "/json"), findings(other))


def try_saved(trial, plain, planted_logs):
    """What somebody else's program wrote as a saved report, in every verb that reads one."""
    plain_path, path = (os.path.join(trial.scratch, name) for name in ("plain.json", "saved.json"))
    trial.run(["check", "--snapshot", plain, "--output", "json=" + plain_path, "-q"])
    with open(plain_path, encoding="utf-8") as file:
        report = json.load(file)
    plants, passing = [log.plant for log in planted_logs], {"verdict": "pass", "topic": "planted", "code": "RV999"}
    report["checks"] += [{**passing, "id": "planted-" + log.plant.kind, "summary": "planted", "verdict": "warn",
                          "subject": log.phrase, "evidence": [log.phrase]} for log in planted_logs]
    with_names = {f"API_KEY{number}" if log.plant.secret else f"note{number}":
                  log.plant.text if log.plant.secret else log.phrase for number, log in enumerate(planted_logs)}
    report["machine"]["environment"], report["more"] = dict(with_names), with_names
    report["machine"]["distro"]["name"] = planted_logs[0].phrase
    put(trial.scratch, "saved.json", json.dumps(report))
    for form in ("json", "html", "markdown", "junit", "sarif"):
        trial.score.look(plants, "saved report", "report>" + form, trial.run(["report", path, "--format", form]),
                         form in ("html", "markdown"))
    for verb, argv in (("diff", [plain_path, path]), ("fleet", [plain_path, path]),
                       ("plan", ["--to", "rocm=7.2", "--report", path])):
        trial.score.look(plants, "saved report", verb + ">json", trial.run([verb, *argv, "--format", "json"]))
        secrets = [plant for plant in plants if plant.secret]
        trial.score.look(secrets, "saved report", verb, trial.run([verb, *argv]))


def tree_texts(folder):
    """(path in it, path and content) of every file and link."""
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            inside = os.path.relpath(path, folder)
            if os.path.islink(path):
                yield inside, os.fsencode(inside + "\n" + os.readlink(path))
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    yield inside, os.fsencode(inside + "\n") + file.read()
            else:
                yield inside, os.fsencode(inside)


def live_call(trial, machine, name, argv):
    out = os.path.join(trial.scratch, "live." + name)
    status = machine.run(argv, out)
    if status not in (0, 1, 2):
        trial.score.faults.append(f"status {status} of rocvet {' '.join(argv[:6])} on the live machine")
    with open(out, "rb") as file:
        return file.read()


def try_live(trial, machine, bare, of_files, planted_logs):
    """What a recording keeps, and what reports on the running machine show."""
    of_logs = [log.plant for log in planted_logs]
    for what, path, options, plants in (("snapshot", "/tmp/s1", [], of_files),
                                        ("snapshot --log", "/tmp/s2", ["--log", "/app.log"], of_files + of_logs)):
        live_call(trial, machine, what, ["snapshot", *options, path])
        for _, data in tree_texts(machine.root + path):
            trial.score.look(plants, "live", what, data, wrapped=False)
    for log in planted_logs[::6]:
        machine.add("one.log", log.text)
        path = "/tmp/one-" + log.plant.kind
        live_call(trial, machine, "snapshot", ["snapshot", "--log", "/one.log", path])
        for _, data in tree_texts(machine.root + path):
            trial.score.look([log.plant], "live", "snapshot --log, one", data, wrapped=False)
    wanted = [word for form in FORMATS for word in ("--output", f"{form}=/tmp/{form}")]
    plants = of_files + of_logs
    said = live_call(trial, machine, "check", ["check", "-v", "--log", "/app.log", *wanted])
    trial.score.look(plants, "live", "check", said)
    trial.look_at_reports(machine.root + "/tmp", plants, "live")
    trial.score.look(plants, "live", "fix", live_call(trial, machine, "fix", ["fix", "--log", "/app.log"]))
    live_call(trial, bare, "check-bare", ["check", "-q", "--log", "/app.log", "--output", "json=/tmp/json"])
    compare(trial.score, "live machine", findings(machine.root + "/tmp/json"), findings(bare.root + "/tmp/json"))


def live_machines(trial, planted, bare, environment, bare_environment, planted_logs):
    machine = LiveMachine(trial.scratch + "/live", planted, trial.rocvet, environment)
    if not machine.works(trial.scratch + "/live.version"):
        return None
    machine.add("app.log", all_in_one(planted_logs))
    other = LiveMachine(trial.scratch + "/live-bare", bare, trial.rocvet, bare_environment)
    other.add("app.log", all_in_one([
        dataclasses.replace(log, phrase=log.phrase.replace(log.plant.text, harmless(log.plant.kind)))
        for log in planted_logs]))
    return machine, other


def tell(score, planted, skipped, options, took):
    chosen = [survivor for survivor in score.survivors if options.list or survivor.fails]
    per_plant = collections.OrderedDict()
    for survivor in chosen:
        plant = survivor.plant
        outputs = per_plant.setdefault((plant.secret, plant.kind, plant.where, survivor.source), {})
        remark = (" (part)" if survivor.how == "part" else "") + ("" if survivor.fails else " (may)")
        outputs[survivor.output + remark] = None
    for (secret, kind, where, source), outputs in sorted(per_plant.items()):
        print(f"{'SECRET' if secret else 'identity'} {kind} ({where}) in {source}: {', '.join(outputs)}")
    for fault in score.faults:
        print("FAILED", fault)
    print(f"\n{'output':32} {'looked for':>10} {'secrets':>8} {'identities':>11} {'of them allowed':>16}")
    for source, output in sorted(score.looked):
        found = {(survivor.plant, survivor.fails) for survivor in score.survivors
                 if (survivor.source, survivor.output) == (source, output)}
        secrets, others = sum(plant.secret for plant, _ in found), sum(not plant.secret for plant, _ in found)
        print(f"{source + ' > ' + output:32} {len(score.looked[source, output]):10} {secrets:8} {others:11} "
              f"{sum(not fails for _, fails in found):16}")
    failing = {survivor.plant for survivor in score.survivors if survivor.fails}
    secrets = sum(plant.secret for plant in planted)
    print(f"planted {len(planted)} ({secrets} secrets, {len(planted) - secrets} identities) of "
          f"{len({plant.kind for plant in planted})} kinds; "
          f"{sum(plant.secret for plant in failing)} secrets and {sum(not plant.secret for plant in failing)} "
          f"identities survive where they may not; {len(score.faults)} other failures; {took:.0f} s"
          + (f"; left out: {skipped}" if skipped else ""))
    return 1 if failing or score.faults else 0


def parse():
    parser = argparse.ArgumentParser(description="Which planted secrets survive in which output.")
    parser.add_argument("--rocvet", required=True, type=os.path.abspath)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="name also the survivors that may be")
    return parser.parse_args()


def main():
    options, began, score = parse(), time.monotonic(), Score()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the scratch folder goes
    scratch = tempfile.mkdtemp(prefix="rocvet-secrets.")
    try:
        trial = Trial(options.rocvet, scratch, score)
        planter, no_planter = Planter(SEED), Planter(SEED, bare=True)
        planted, bare, plain = (os.path.join(scratch, name) for name in ("planted", "bare", "plain"))
        _, environment = write_planted(planted, planter)
        _, bare_environment = write_planted(bare, no_planter)
        write_ordinary(plain)
        of_logs, of_kernel = logs(SEED), logs(SEED, in_kernel=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(try_log, trial, log, plain) for log in of_logs]
            waiting += [pool.submit(try_kernel_log, trial, log) for log in of_kernel]
            for one in waiting:
                one.result()
        try_snapshot(trial, planted, bare, planter.plants)
        try_saved(trial, plain, of_logs)
        machines = live_machines(trial, planted, bare, environment, bare_environment, of_logs)
        if machines:
            try_live(trial, *machines, planter.plants, of_logs)
        everything = [log.plant for log in of_logs + of_kernel] + planter.plants
        return tell(score, everything, "" if machines else "the live machine (no namespaces here)", options,
                    time.monotonic() - began)
    finally:
        remove(scratch)


if __name__ == "__main__":
    sys.exit(main())
