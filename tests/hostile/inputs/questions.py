"""Files of questions for `compat --questions`."""
from call import Around
from inputs.common import Input

TEXTS = {
    "ctrl": '{"gpu":"\\u001b[31m\\u202egfx1100","rocm":"6.2"}\n', "raw": b'{"gpu":"\x1b[31mgfx1100"}\n',
    "bad": '{"gpu":\n',
    "nest": '{"gpu":' + "[" * 100000 + "\n", "num": '{"gpu":1e999,"rocm":6.2}\n', "empty": "", "blank": "\n" * 100000,
    "long": lambda: '{"gpu":"' + "g" * 5000000 + '"}\n', "many": lambda: '{"gpu":"gfx1100","rocm":"6.2"}\n' * 20000,
    "blank16m": lambda: "\n" * 15000000,
    "unknown": lambda: "".join(f'{{"gpu":"Radeon RX {i * 7919 % 9999} XT {i}"}}\n' for i in range(4000)),
    "toomany": lambda: '{"gpu":"a"}\n' * 1200000,
    "unk": '{"gpu":"gfx1100","foo":"x"}\n', "nul": b'{"gpu":"gfx\0"}\n', "arr": '[{"gpu":"gfx1100"}]\n',
    "utf8": b'{"gpu":"\xff\xfe"}\n',
    "dup": '{"gpu":"gfx1100","gpu":"gfx942"}\n',
    "ver": '{"gpu":"gfx1100","rocm":"99999999999999999999.9999999999999999999999"}\n',
    "ver2": '{"gpu":"gfx1100","rocm":"6..2","kernel":"-1","os":"ubuntu-","driver":"%n","framework":"pytorch="}\n',
    "shell": '{"gpu":"$(touch CAN)","os":"<xssmark>"}\n', "name": '{"gpu":"RX 7900 \\n\\r\\t XTX \\u0085\\u2028"}\n',
}


def from_file(name, text):
    def make(place):
        path = place.write("questions.jsonl", text() if callable(text) else text)
        return [["compat", "--questions", path], ["compat", "--questions", path, "--format", "json"]]
    return Input("questions", name, make)


def inputs():
    for name, text in TEXTS.items():
        yield from_file(name, text)
    yield Input("questions", "stdin-zero", lambda place: [["compat", "--questions", "-"]], Around(stdin="/dev/zero"))
    yield Input("questions", "stdin-closed", lambda place: [["compat", "--questions", "-"]], Around(close=(0,)))
