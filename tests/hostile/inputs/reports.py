"""Saved reports: nested without end, of wrong types, with numbers that no machine has and with words of a stranger."""
import json
import os

from inputs.common import Input
from payloads import PAYLOADS

WRONG = {"int": 7, "null": None, "str": "x", "neg": -1e308, "list": [], "obj": {}, "bool": True}
POISON = {
    "ansi": PAYLOADS["ansi"], "html": PAYLOADS["html"], "md": PAYLOADS["md"], "cdata": PAYLOADS["cdata"],
    "bidi": "\u202e\u2066",
    "shell": PAYLOADS["dollar"], "ctrl": "".join(map(chr, range(1, 32))) + "\x7f\x85\u2028", "fmt": PAYLOADS["fmt"],
    "long": "B" * 20000,
    "nonchar": "\ufffe\uffff\ud800", "newline": "\n\n# H\ntouch CAN\n",
}
FIXED_WORDS = ("verdict", "verb", "kind")  # they stay, so that the rest is read
SELFTEST = {
    "id": "gemm.fp16", "device": "hip:0", "verdict": "fail",
    "performance": {"metric": "x", "unit": PAYLOADS["ansi"], "median": 1e308, "min": -1, "max": 1e-320,
                    "samples": 10 ** 18, "expected": 0,
                    "floor": None, "fraction": 1e300},
    "verification": {"max_rel_error": "x", "tolerance": []},
    "worker": {"exit": "x", "signal": 1e9, "stderr_tail": PAYLOADS["ansi"]},
}


def retyped(value, other):
    if isinstance(value, dict):
        return {key: retyped(item, other) for key, item in value.items()}
    return [retyped(item, other) for item in value] if isinstance(value, list) else other


def poisoned(value, word, key=""):
    if isinstance(value, dict):
        return {name: poisoned(item, word, name) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, word, key) for item in value]
    return value + word if isinstance(value, str) and key not in FIXED_WORDS else value


def with_schema(report):
    return {**report, "schema": "rocvet.report/1"}


def edited(key, change):
    """The report with one part changed."""
    return lambda report: {**report, key: change(report[key])}


def bad_docs(checks):
    return [{**check, "docs": ["javascript:onxss", "data:text/html,<xssmark>",
                               '"><xssmark onxss=1>']} for check in checks]


def full_list(report, path, item, count):
    """The report with one item so many times in the list that `path` leads to: each takes many times its size in memory."""
    *above, last = path
    place = report
    for key in above:
        place = place[key]
    place[last] = [item] * count
    return report


def big_numbers(machine):
    return {**machine, "gpus": [{**gpu, "vram_bytes": 10 ** 400, "index": -10 ** 30,
                                 "compute_units": 1 << 70} for gpu in machine["gpus"]]}


def wide(objects, members):
    """Objects with many members each: whoever looks for a key among all before it needs long."""
    one = "{" + ",".join(f'"k{number}":1' for number in range(members)) + "}"
    return '{"schema":"rocvet.report/1","x":[' + ",".join([one] * objects) + "]}"


def all_numbers(value, number):
    if isinstance(value, dict):
        return {key: all_numbers(item, number) for key, item in value.items()}
    if isinstance(value, list):
        return [all_numbers(item, number) for item in value]
    return number if isinstance(value, (int, float)) and not isinstance(value, bool) else value


# name -> the text made of the text of a good report
TEXTS = {
    "wide-95x9900": lambda text: wide(95, 9900), "wide-2000x500": lambda text: wide(2000, 500),
    "good": lambda text: text,
    "nest100k": lambda text: "[" * 100000 + "]" * 100000,
    "nest2m": lambda text: '{"a":' * 2000000,
    "nest-in": lambda text: text.rstrip()[:-1] + ',"x":' + "[" * 50000 + "]" * 50000 + "}",
    "hugenum": lambda text: text.replace('"duration_ms":', '"duration_ms": 1e999999, "d2":', 1),
    "dupkeys": lambda text: '{"schema":"rocvet.report/1","schema":"x",' + text.lstrip()[1:],
    "null": lambda text: "null", "string": lambda text: '"x"', "number": lambda text: "1",
    "emptyobj": lambda text: "{}",
    "emptyarr": lambda text: "[]", "empty": lambda text: "",
    "nulbytes": lambda text: text.replace("rocvet", "roc\0vet", 1),
    "nulesc": lambda text: text.replace("rocvet", "roc\\u0000vet"),
    "lonesurr": lambda text: text.replace("disk", "\\ud800disk"),
    "trunc": lambda text: text[:len(text) // 2], "trail": lambda text: text + "x", "twice": lambda text: text + text,
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(), "utf16": lambda text: text.encode("utf-16"),
    "badutf8": lambda text: text.encode().replace(b"disk", b"\xff\xfe\xc0"),
    "nan": lambda text: text.replace('"duration_ms"', '"n":NaN,"duration_ms"', 1),
    "comment": lambda text: "//x\n" + text,
}
# name -> (where a list stands, the smallest item that it may hold); met with as many as are read, and with far more
COUNTS = {"full": 19000, "over": 400000}
LISTS = {
    "checks": (["checks"], {"verdict": "pass"}), "selftests": (["selftests"], {"verdict": "pass"}),
    "causes": (["diagnosis", "root_causes"], {}), "rocm": (["machine", "rocm"], {}),
    "frameworks": (["machine", "frameworks"], {}), "compatibility": (["compatibility"], {}),
    "features": (["features"], {}), "evidence": (["checks", 0, "evidence"], ""), "unknown": (["x"], [{"": 0}]),
}
# name -> the report made of a good one
CHANGES = {
    "bigint": edited("machine", big_numbers),
    "many": edited("checks", lambda checks: checks * 60),
    "manygpus": edited("machine", lambda machine: {**machine, "gpus": machine["gpus"] * 20000}),
    "selftests": lambda report: {**report, "selftests": [SELFTEST]},
    "docs-js": edited("checks", bad_docs),
    "started": edited("run", lambda run: {**run, "started": "9999999999-99-99T99:99:99Z\n"}),
    "source": edited("run", lambda run: {**run, "source": {"kind": "snapshot",
                                                           "path": "../../" * 1000 + PAYLOADS["html"]}}),
    "numbers-1e300": lambda report: all_numbers(report, 1e300),
    "numbers-minus": lambda report: all_numbers(report, -1e300),
    "numbers-half": lambda report: all_numbers(report, 0.5),
    "future": lambda report: {**report, "schema": "rocvet.report/999"},
}
FILES = {"dir": lambda shared: shared.folder, "zero": lambda _: "/dev/zero", "fifo": lambda shared: shared.fifo,
         "missing": lambda shared: os.path.join(shared.folder, "no.json")}


def calls(place, path, written=True):
    good, plain = place.shared.good, place.shared.plain
    return [["report", path, *(place.outputs() if written else [])], ["diff", good, path], ["fleet", path, good],
            ["plan", "--to", "rocm=7.2", "--report", path],
            ["check", "--snapshot", plain, "--baseline", path]]


def from_text(name, change):
    def make(place):
        with open(place.shared.good, encoding="utf-8") as file:
            data = change(file.read())
        return calls(place, place.write("report.json", data))
    return Input("report", name, make)


def from_report(name, change):
    return from_text(name, lambda text: json.dumps(change(json.loads(text))))


def inputs():
    for name, change in TEXTS.items():
        yield from_text(name, change)
    for name, change in CHANGES.items():
        yield from_report(name, change)
    for name, (path, item) in LISTS.items():
        for much, count in COUNTS.items():
            yield from_report(f"{much}-{name}", lambda report, path=path, item=item, count=count:
                              full_list(report, path, item, count))
    yield from_report("long-texts", lambda report: full_list(report, ["checks", 0, "evidence"], "a word and " * 12, 25000))
    for name, value in WRONG.items():
        yield from_report("retype-" + name, lambda report, value=value: with_schema(retyped(report, value)))
        for key in ("machine", "checks", "diagnosis", "run"):
            yield from_report(f"key-{key}-{name}", edited(key, lambda _, value=value: value))
    for name, word in POISON.items():
        yield from_report("poison-" + name, lambda report, word=word: with_schema(poisoned(report, word)))
    for name, path in FILES.items():
        yield Input("report", "file-" + name, lambda place, path=path: calls(place, path(place.shared), written=False))
