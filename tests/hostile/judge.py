"""What is wrong with one call of rocvet, and which of the commands that it printed have to be tried."""
import json
import os
import re

import outputs

MOST_MIB, LONG_MESSAGE = 300, 2000
SIGPIPE = 13
STEP_KEYS = ("steps", "verify", "undo", "look", "first", "remedy")
PROGRAMS = re.compile(r"(sudo|pip|python|/|docker|podman|echo|export|apt|uv|wget|curl|rocvet|source|\.|conda|git|"
                      r"cmake)")
BULLET = re.compile(r"^\s*(\d+\.|[-*$]|fix:|run:|verify:|or:|undo:)?\s*")


def process_faults(argv, around, ran):
    """(kind, what) of how it ended."""
    verb, found = argv[0] if argv else "", []
    silent = around.stdout == "EPIPE"
    if ran.hung:
        found.append(("hang", f"{ran.seconds:.0f} s, {ran.cpu:.1f} s of CPU, {ran.mib:.0f} MiB"))
    elif ran.signal and not (ran.signal == SIGPIPE and silent):
        found.append(("signal", f"signal {ran.signal}, stderr {ran.err[-200:]!r}"))
    elif not ran.signal and ran.status not in (0, 1, 2, 3) and not loader_failed(ran):
        found.append(("status", f"exit status {ran.status}, stderr {ran.err[-200:]!r}"))
    if ran.mib > MOST_MIB:
        found.append(("memory", f"peak {ran.mib:.0f} MiB"))
    if ran.status == 3 and 2 not in around.close and not around.stderr:
        lines = [line for line in ran.err.split(b"\n") if line.strip()]
        if len(lines) != 1:
            found.append(("stderr", f"status 3 with {len(lines)} lines on stderr: {ran.err[:300]!r}"))
    if (around.stdout == "/dev/full" or 1 in around.close) and ran.status == 0 and verb != "snapshot":
        found.append(("lost output", f"standard output could not be written, status 0, stderr {ran.err[:200]!r}"))
    return found


def loader_failed(ran):
    return ran.status == 127 and b"while loading shared libraries" in ran.err


def remarks(ran):
    """What is seen and is no failure."""
    found = []
    if ran.seconds > 5 and not ran.hung:
        found.append("slower than 5 s")
    if ran.status == 3 and len(ran.err) > LONG_MESSAGE:
        found.append(f"a complaint of more than {LONG_MESSAGE} bytes")
    if any(joiner in ran.out for joiner in outputs.JOINERS):
        found.append("zero-width joiners, which are parts of letters and emoji")
    if loader_failed(ran):
        found.append("the dynamic loader itself failed")
    return found


def report_files(folder):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.startswith("r.") and os.path.isfile(path):
            with open(path, "rb") as file:
                yield name, file.read()


def format_of(what, argv):
    if what.startswith("r."):
        return what[2:]
    return argv[argv.index("--format") + 1] if what == "stdout" and "--format" in argv[:-1] else ""


def output_faults(argv, ran, folder):
    """(kind, what) of what it wrote: both streams and the reports r.FORMAT in `folder`."""
    found = []
    for what, data in [("stdout", ran.out), ("stderr", ran.err), *report_files(folder)]:
        found += outputs.text_faults(what, data)
        if ran.status in (0, 1, 2) and not ran.hung:
            found += outputs.format_faults(what, data, format_of(what, argv))
    return found


def remedy_steps(value, steps, inside=False):
    """All texts below the keys of a remedy that hold a payload."""
    if isinstance(value, dict):
        for key, item in value.items():
            remedy_steps(item, steps, inside or key in STEP_KEYS)
    elif isinstance(value, list):
        for item in value:
            remedy_steps(item, steps, inside)
    elif isinstance(value, str) and inside and "CAN" in value:
        steps.append(value)


def printed_commands(argv, ran):
    """(what, script, whether it is a single step) of all that a reader would give to a shell."""
    verb = argv[0] if argv else ""
    if ran.status not in (0, 1, 2) or not ran.out:
        return []
    if verb == "fix":
        unstopped = re.sub(rb"(?m)^set -e.*$", b"", ran.out)
        more = [("the script without set -e", unstopped, True)] if b"CAN" in ran.out else []
        return [("the script", ran.out, False), *more]
    steps = []
    if verb == "check" and format_of("stdout", argv) == "json":
        try:
            remedy_steps(json.loads(ran.out), steps)
        except ValueError:
            pass  # told as a broken output
    elif verb in ("advise", "plan"):
        lines = (BULLET.sub("", line) for line in ran.out.decode("utf-8", "replace").split("\n"))
        steps = [line for line in lines if "CAN" in line and PROGRAMS.match(line)]
    return [("a step", step.encode("utf-8", "surrogateescape"), True) for step in dict.fromkeys(steps)]
