#!/usr/bin/env python3
"""soak.py ROCVET: `--for` on the CPU: it lasts as long as was asked, repeats, proves every round, and a signal ends it with a report."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

rocvet = sys.argv[1]
problems = []


def need(holds, what, *more):
    if not holds:
        problems.append(what)
        print("not so:", what, *more)


def soak(*arguments):
    began = time.monotonic()
    done = subprocess.run([rocvet, "test", *arguments, "--device", "host", "--format", "json"], stdout=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)
    return done.returncode, json.loads(done.stdout), time.monotonic() - began


def test_of(report, name):
    return next(test for test in report["soak"]["gpus"][0]["tests"] if test["id"] == name)


# Right or wrong, without a figure: a few rounds are enough.
status, report, seconds = soak("memory.pattern", "--for", "3s")
whole = report["soak"]
need(status == 0 and report["verdict"] == "pass", "three seconds of a healthy test pass", status, report["verdict"])
need(whole["period_s"] == 1 and len(whole["gpus"][0]["periods"]) == 3, "three seconds are three periods", whole["period_s"])
need(3 <= whole["lasted_s"] <= seconds < 20, "it lasts as long as was asked", whole["lasted_s"], seconds)
need(test_of(report, "memory.pattern")["rounds"] > 1, "it repeats", test_of(report, "memory.pattern"))
need(sum(period["tests"] for period in whole["gpus"][0]["periods"]) == test_of(report, "memory.pattern")["rounds"], "every round is counted once")
need(whole["gpus"][0]["error_counters"]["verdict"] == "skip", "the CPU has no error counters", whole["gpus"][0]["error_counters"])
need([test["id"] for test in report["selftests"]] == ["memory.pattern"], "a result a test, not one a round")

# A figure of three seconds tells nothing of drift; the bits of each round are those of the first.
status, report, _ = soak("gemm.fp32", "--for", "3s")
gemm = test_of(report, "gemm.fp32")
need(status == 2 and gemm["verdict"] == "unknown" and "too few" in gemm["summary"], "too short to tell of drift", status, gemm)
need(gemm["rounds"] > 1 and gemm["same_bits"] is True and gemm["errors"] == 0, "the bits are the same in each round", gemm)
need(any(value for value in gemm["median"]) and gemm["unit"], "it has a figure", gemm)

# What had no turn is not known; by default no library takes part.
status, report, _ = soak("--for", "1s")
verdicts = {test["id"]: test["verdict"] for test in report["soak"]["gpus"][0]["tests"]}
need(status == 2 and "unknown" in verdicts.values(), "what had no turn is not known", status)
need({"gemm.fp32", "attention.fp32", "memory.pattern", "peak.fp32", "bandwidth.copy"} <= set(verdicts), "the default loads the device", verdicts)
need(not any(name.startswith("library.") for name in verdicts), "the default has no library", verdicts)

# A signal: a report of what was found, no worker left, and the end that a signal makes.
with tempfile.TemporaryDirectory() as folder:
    saved = os.path.join(folder, "soak.json")
    for number in (signal.SIGINT, signal.SIGTERM):
        began = time.monotonic()
        child = subprocess.Popen([rocvet, "test", "memory.pattern", "--device", "host", "--for", "10m", "--output", f"json={saved}"],
                                 stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, start_new_session=True)
        time.sleep(2.5)
        child.send_signal(number)
        text, _ = child.communicate(timeout=30)
        need(child.returncode == -number, "it ends by the signal", number, child.returncode)
        need(time.monotonic() - began < 15, "it ends at once")
        need("interrupted after 0:0" in text and "memory.pattern" in text, "the text says so", text)
        with open(saved, encoding="utf-8") as file:
            report = json.load(file)
        need(report["soak"]["interrupted"] and report["verdict"] == "unknown", "the report says so", report["verdict"])
        need(test_of(report, "memory.pattern")["rounds"] >= 1, "what was found is in it", report["soak"])
        again = subprocess.run([rocvet, "report", saved], stdout=subprocess.PIPE, text=True, check=False)
        need("interrupted after 0:0" in again.stdout, "a saved soak is read again", again.stdout)
        os.remove(saved)

print(f"{len(problems)} problems")
sys.exit(bool(problems))
