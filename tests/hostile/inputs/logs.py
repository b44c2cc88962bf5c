"""Logs of applications: controls, invalid text, endless lines, words that a report's format would take for its own."""
import glob
import gzip
import os
import re

from call import Around
from inputs.common import SIGNS, Input, repeated_gzip

NO_DEVICE = "hipErrorNoDevice"
DB = os.path.join(os.path.dirname(__file__), "..", "..", "..", "db")
# A line of each message that is known.
KNOWN = [line for path in sorted(glob.glob(DB + "/error_texts/*.toml") + glob.glob(DB + "/kernel_log/*.toml"))
         for line in re.findall(r'hit = \[\s*"((?:[^"\\\n])+)"', open(path, encoding="utf-8").read())]
MIB = 1 << 20
# name -> text, or what makes it of a source of random numbers
TEXTS = {
    "controls": bytes(range(256)) * 20 + SIGNS.encode(),
    "bidi": SIGNS + "RuntimeError: No HIP GPUs \u202e\u2066\u2069\u200f are available\n",
    "badutf8": b"HIP error: \xff\xfe\xc0\x80\xed\xa0\x80\xf8\x88\x80\x80\x80 hipErrorNoDevice\n",
    "newlines1m": lambda rng: b"\n" * MIB,
    "line20m": lambda rng: b"A" * (20 * MIB),
    "line20m-sig": lambda rng: b"hipErrorNoDevice " * (20 * MIB // 17),
    "ansibomb": lambda rng: b"\x1b[31m\x1b[1m" * 200000 + SIGNS.encode(),
    "osc": b"\x1b]52;c;cm0gLXJm\x07\x1b]0;x\x07\x1bP1$r\x1b\\hipErrorNoDevice\n",
    "printf": "%s%s%s%n%n%99999999d hipErrorNoDevice: %n %p\n",
    "md": "hipErrorNoDevice | a | b | <xssmark onxss=1> [x](javascript:onxss) ![i](http://evil.example/i.png)\n# H\n"
          "```\n",
    "html": 'hipErrorNoDevice </pre></td><xssmark onxss="1"><script>xss()</script>&lt;&#x3c;xssmark&gt;\n',
    "junit": "hipErrorNoDevice ]]></failure></testcase><xssmark/>&bogus; <![CDATA[\n",
    "sarif": 'hipErrorNoDevice "},{"ruleId":"x"}],"x":["\\u0000\\ud800\n',
    "empty": "", "onebyte": "x", "nul": b"\0" * 100000,
    "nulmid": b"hipErrorNoDevice\0: no ROCm-capable device is detected\0\n",
    "utf16": SIGNS.encode("utf-16"), "utf32": SIGNS.encode("utf-32"), "bom": b"\xef\xbb\xbf" + SIGNS.encode(),
    "crlf": SIGNS.replace("\n", "\r\n"), "cronly": SIGNS.replace("\n", "\r"),
    "vtff": SIGNS.replace("\n", "\x0b\x0c\x85"),
    "gz": gzip.compress(SIGNS.encode() * 1000, mtime=0), "gzbomb": lambda rng: repeated_gzip(b"A" * MIB, 300),
    "nested": lambda rng: "(" * 200000 + SIGNS, "brackets": lambda rng: "[{" * 300000,
    "quotes": lambda rng: '"' * 500000 + SIGNS,
    "backslash": lambda rng: "\\" * 500000 + SIGNS, "manysig": lambda rng: SIGNS * 60000,
    "spaces5m": lambda rng: " " * (5 * MIB) + SIGNS, "tabs5m": lambda rng: "\t" * (5 * MIB),
    "combining": NO_DEVICE + "\u0301" * 200000 + "\n",
    "emoji": NO_DEVICE + " " + "\U0001F468\u200d\U0001F469\u200d\U0001F467" * 3000 + "\n",
    "zerowidth": "hip\u200bError\u200cNo\u200dDevice hipErrorNoDevice\u2028x\u2029y\ufeff\n",
    "c1": "hipErrorNoDevice \x9b31m\x85\x90\x9d0;x\x9c\n", "tags": "hipErrorNoDevice \U000E0041\U000E0042\n",
    "noncharacters": "hipErrorNoDevice \ufffe\uffff\U0010ffff\n",
    "surrogates": b"hipErrorNoDevice \xed\xa0\xbd\xed\xb8\x80\n",
    "paths": "OSError: /home/u/$(touch CAN)/lib`touch CAN`.so: cannot open shared object file: No such file or "
             "directory\n"
             "Permission denied: '/x;touch CAN;'\nlibrocblas.so.4;touch CAN: cannot open shared object file\n",
    "dmesgmix": f"[{'9' * 400}] amdgpu 0000:03:00.0: amdgpu: ring {'g' * 4000} timeout, signaled seq={'9' * 500}, "
                "emitted seq=-1\n" * 50,
    "bignum": f"HIP out of memory. Tried to allocate {'9' * 1000} GiB. GPU 0 has a total capacity of 1e9999 GiB of "
              "which -0\n",
    "regexbomb": lambda rng: ("a" * 50000 + "!") * 20 + "\nundefined symbol: _Z" + "N" * 100000 + "\n",
    "words1m": lambda rng: " ".join(f"w{rng.randrange(10 ** 6)}" for _ in range(300000)),
    "lines-long": lambda rng: "".join(f"error: {i} {'hip' * 30}\n" for i in range(60000)),
    "random": lambda rng: rng.randbytes(3 * MIB),
    "libraries": lambda rng: "".join(f"app{i}: error while loading shared libraries: libhip{i}.so: cannot open shared object "
                                     "file: No such file or directory\n" for i in range(60000)),
    "known-varied": lambda rng: "\n".join(f"{line.replace('.so', f'{i}.so')} {i}" for i in range(12) for line in KNOWN),
}
# What is no ordinary file.
FILES = {"dir": lambda shared: shared.folder, "fifo": lambda shared: shared.fifo, "loop": lambda shared: shared.loop,
         "missing": lambda shared: os.path.join(shared.folder, "nope"), "devzero": lambda _: "/dev/zero",
         "devnull": lambda _: "/dev/null",
         "devrandom": lambda _: "/dev/urandom", "procself": lambda _: "/proc/self/environ",
         "kmsg": lambda _: "/proc/kmsg",
         "mem": lambda _: "/proc/self/mem", "tty": lambda _: "/dev/tty", "empty-name": lambda _: ""}


def text(name, content):
    def make(place):
        log = place.write("app.log", content(place.rng) if callable(content) else content)
        plain = place.shared.plain
        return [["explain", "--log", log], ["explain", "--log", log, "--format", "json"],
                ["check", "--snapshot", plain, "--log", log, "--format", "text", *place.outputs()],
                ["fix", "--snapshot", plain, "--log", log]]
    return Input("log", name, make)


def file(name, path):
    return Input("log", "file-" + name, lambda place: [["explain", "--log", path(place.shared)],
                                                       ["check", "--snapshot", place.shared.plain, "--log",
                                                        path(place.shared)]])


def inputs():
    for name, content in TEXTS.items():
        yield text(name, content)
    for name, path in FILES.items():
        yield file(name, path)
    yield Input("log", "stdin-closed", lambda place: [["explain", "--log", "-"]], Around(close=(0,)))
    yield Input("log", "stdin-zero", lambda place: [["explain", "--log", "-"]], Around(stdin="/dev/zero"))
