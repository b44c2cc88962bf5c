"""Hostile words on the command line: options, values, file names and verbs."""
import json
import os

from inputs.common import LONG, Input
from inputs.reports import POISON, poisoned, with_schema

ESC, BIDI = "\x1b[31m", "\u202e"
# name -> arguments; @…@ is a path of the run
WORDS = {
    "none": [], "empty": [""], "verb": ["nope" + ESC + BIDI], "verb-long": [LONG], "verb-nl": ["a\nb\nc"],
    "verb-utf8": ["\udcff\udcfe"],
    "flag": ["check", "--nope" + ESC], "flag-nl": ["check", "--a\nb=c"], "flag-eq": ["check", "--="], "dashes": ["--"],
    "dd": ["check", "---"],
    "python-dir": ["check", "--python", "/proc/self/root"], "python-fifo": ["check", "--python", "@FIFO@"],
    "python-evil": ["check", "--python", "@HERE@/" + ESC], "deadline": ["check", "--deep", "--deep-deadline", "nan"],
    "deadline2": ["check", "--deep", "--deep-deadline", "1e400"],
    "explain": ["explain", ESC + BIDI], "explain-long": ["explain", LONG], "explain-nl": ["explain", "a\nb"],
    "explain-empty": ["explain", ""], "explain-path": ["explain", "../../etc/passwd"], "list": ["list", f"x{ESC}\ny"],
    "compat-gpu": ["compat", "--gpu", "gfx" + ESC + BIDI, "--rocm", "6.2"],
    "compat-long": ["compat", "--gpu", LONG, "--rocm", LONG, "--os", LONG],
    "compat-fmt": ["compat", "--gpu", "%n%s", "--rocm", "%n", "--kernel", "%s"],
    "compat-rocm": ["compat", "--gpu", "gfx1100", "--rocm", "9" * 5000],
    "compat-fw": ["compat", "--gpu", "gfx1100", "--framework", "="],
    "compat-plat": ["compat", "--gpu", "gfx1100", "--platform", "\x1b[1m"],
    "advise-evil": ["advise", "--gpu", "gfx1100", "--os", "ubuntu-24.04;touch CAN", "--framework",
                    "pytorch=$(touch CAN)"],
    "advise-evil2": ["advise", "--gpu", "gfx1100", "--os", "ubuntu-24.04", "--framework", "pytorch=2.6;touch CAN",
                     "--python",
                     "3.12';touch CAN;'"],
    "advise-nl": ["advise", "--gpu", "gfx1100\ntouch CAN", "--os", "a\nb"],
    "test-size": ["test", "--size", "\x1b", "nope"], "test-budget": ["test", "--time-budget", "-1s", "nope.x"],
    "test-seed": ["test", "--seed", "-1", "nope"], "test-seed2": ["test", "--seed", "9" * 23, "nope"],
    "test-transfer": ["test", "--transfer-size", "99999999999999G", "nope"],
    "test-device": ["test", "--device", "hip:99999999999999999999", "gemm.fp16", "--size", "tiny"],
    "test-device2": ["test", "--device", ESC, "gemm.fp16"],
    "snap-exist": ["snapshot", "@HERE@"], "snap-nodir": ["snapshot", "/nope/a/b"],
    "snap-full": ["snapshot", "/dev/full"],
    "snap-long": ["snapshot", LONG], "snap-nl": ["snapshot", f"@OUT@/a\n{ESC}b"], "snap-empty": ["snapshot", ""],
    "snap-link": ["snapshot", "@LOOP@"], "many-args": ["list"] + ["x"] * 20000,
    "diff-same": ["diff", "@GOOD@", "@GOOD@"],
    "fleet-proc": ["fleet", "/proc/self/fd"], "db-action": ["db", f"{ESC}\nx"], "at-file": ["@/etc/passwd"],
    "config": ["check", "--config", "/etc/passwd"], "plan": ["plan", "--to", "=,=,,", "--snapshot", "@PLAIN@"],
    "plan-evil": ["plan", "--to", "rocm=$(touch CAN)" + ESC, "--snapshot", "@PLAIN@"],
    "plan-evil2": ["plan", "--to", "torch=2.9;touch CAN,python=3.13';touch CAN;'", "--snapshot", "@PLAIN@"],
    "plan-long": ["plan", "--to", "rocm=" + LONG, "--snapshot", "@PLAIN@"],
}
# The same for `check --snapshot PLAIN`
CHECKS = {
    "format": ["--format", f"x{ESC}\n{BIDI}"], "format-empty": ["--format", ""], "output-none": ["--output", "json"],
    "output-eq": ["--output", "="], "output-dir": ["--output", "json=@HERE@"],
    "output-full": ["--output", "json=/dev/full"],
    "output-missing": ["--output", "json=/nope/x/y.json"], "output-long": ["--output", "json=" + LONG],
    "output-nl": ["--output", f"json=@OUT@/a\n{ESC}.json"], "output-loop": ["--output", "json=@LOOP@"],
    "output-fifo": ["--output", "json=@FIFO@"],
    "only": ["--only", ESC + "*"], "only-long": ["--only", "*a" * 30000], "only-glob": ["--only", "[[["],
    "skip-all": ["--skip", "*"],
    "why": ["--why", BIDI + "nope\n"], "why-empty": ["--why", ""], "repeat": ["--skip", "RV1"] * 5000,
}


def filled(words, place):
    shared = place.shared
    known = {"@HERE@": place.folder, "@OUT@": place.out, "@FIFO@": shared.fifo, "@LOOP@": shared.loop,
             "@GOOD@": shared.good,
             "@PLAIN@": shared.plain}
    for key, path in known.items():
        words = [word.replace(key, path) for word in words]
    return words


def fleet_of_bad(place):
    """A folder of reports none of which is in order."""
    with open(place.shared.good, encoding="utf-8") as file:
        text = file.read()
    for name, word in POISON.items():
        place.write(f"reports/{name}.json", json.dumps(with_schema(poisoned(json.loads(text), word))))
    for name, bad in {"cut": text[:500], "empty": "", "nested": "[" * 100000, "esc\x1b[31m": text}.items():
        place.write(f"reports/{name}.json", bad)
    os.symlink("/dev/zero", place.path("reports/zero.json"))
    return [["fleet", place.path("reports")]]


def inputs():
    for name, words in WORDS.items():
        yield Input("flag", name, lambda place, words=words: [filled(words, place)])
    for name, words in CHECKS.items():
        yield Input("flag", name,
                    lambda place, words=words: [filled(["check", "--snapshot", place.shared.plain, *words], place)])
    yield Input("flag", "fleet-dir", fleet_of_bad)
