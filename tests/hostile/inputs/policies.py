"""Files of a site's demands for `check --policy`."""
from inputs.common import Input

TEXTS = {
    "empty": "", "unk": "[foo]\nx=1\n", "nest": "x = " + "[" * 200000, "sev": '[severity]\nRV107 = "nope"\n',
    "sev2": '[severity]\n"\\u001b[31m" = "fail"\n',
    "waive": '[[waive]]\ncheck = "RV1005"\nreason = "\\u001b[31m\\u202e<xssmark onxss=1>"\nuntil = "9999-99-99"\n',
    "waive2": '[[waive]]\nid = "disk-full"\nreason = "x"\n',
    "waive3": '[[waive]]\ncheck = "*' + "*" * 5000 + 'x"\nreason="x"\n',
    "bad": b"\xff\xfe\0", "keynl": '"a\\nb" = 1\n', "big": lambda: 'x = "' + "y" * 5000000 + '"\n',
    "num": "[severity]\nRV107 = 99999999999999999999999999\n", "dup": "[severity]\n[severity]\n",
    "glob": '[severity]\n"' + "*a" * 3000 + '" = "fail"\n', "json": '{"a":1}',
    "date": '[[waive]]\ncheck="RV1005"\nreason="x"\nuntil=2026-13-45\n',
}


def inputs():
    for name, text in TEXTS.items():
        yield Input("policy", name, lambda place, text=text: [
            ["check", "--snapshot", place.shared.plain, "--policy",
             place.write("policy.toml", text() if callable(text) else text),
             *place.outputs()]])
    for name, path in {"dir": lambda shared: shared.folder, "zero": lambda _: "/dev/zero",
                       "fifo": lambda shared: shared.fifo}.items():
        yield Input("policy", "file-" + name,
                    lambda place, path=path: [["check", "--snapshot", place.shared.plain, "--policy",
                                               path(place.shared)]])
