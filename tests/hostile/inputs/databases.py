"""Folders of TOML files laid over the database, and archives that say that they are one."""
import os

from call import Around
from inputs.common import Input, repeated_gzip

HEAD = "schema = 1\n"
ORIGIN = 'source = "x"\nchecked = "2026-11-21"\n'
GPU = '[[gpu]]\ngfx = "gfx1100"\nname = "{}"\nkind = "radeon"\npci = ["1002:744c rev c8"]\n' + ORIGIN
CHECK = ('[[check]]\ncode = "RV9990"\nid = "evil"\ntopic = "container"\ntitle = "{}"\nneeds = ["amd-gpu"]\n'
         'verdict = "warn"\n'
         'says = "{} {{value}}"\ngood = "g"\nfix = ["echo {}"]\nwhat = "w"\nwhy = "w"\nmend = "m"\n' + ORIGIN)
# name -> the files of the folder, or what makes them
FOLDERS = {
    "empty": {}, "noschema": {"gpus.toml": "x=1\n"}, "syntax": {"a.toml": HEAD + "[[gpu\n"},
    "nest": {"a.toml": HEAD + "x = " + "[" * 100000 + "]" * 100000},
    "dotted": {"a.toml": HEAD + ".".join(["a"] * 100000) + " = 1\n"},
    "tables": {"a.toml": HEAD + "".join(f"[a{i}.b.c.d]\n" for i in range(50000))},
    "dup": {"a.toml": HEAD + "x=1\nx=2\n"},
    "badutf8": {"a.toml": HEAD.encode() + b'x="\xff\xfe"\n'}, "nul": {"a.toml": HEAD.encode() + b'x="\0"\n'},
    "ctrl-key": {"a.toml": HEAD + '"\\u001b[31m\\u202e" = 1\n'},
    "gpu-ansi": {"g.toml": HEAD + GPU.format("\\u001b[31m\\u202eevil <xssmark onxss=1>")},
    "gpu-long": lambda: {"g.toml": HEAD + GPU.format("L" * 3000000)},
    "wrongtypes": {"g.toml": HEAD + "[[gpu]]\ngfx = 1\nname = []\npci = {}\n[[release]]\nrocm = 6.2\n[[issue]]\n"
                                    "signatures = 1\n"},
    "bignum": {"g.toml": HEAD + GPU.format("x") + "vram_gib = 99999999999999999999999999\n"},
    "inf": {"g.toml": HEAD + GPU.format("x") + "vram_gib = inf\ntdp_w = nan\ncompute_units = -9223372036854775808\n"},
    "check-evil": {"c.toml": HEAD + CHECK.format("t\\u001b[31m", "s\\u202e", "$(touch CAN)")},
    "version-range": {
        "r.toml": HEAD + '[[support]]\ngfx = "gfx1100"\nrocm = ">=<>=,,,<"\nverdict = "enabled"\n' + ORIGIN},
    "dates": {"r.toml": HEAD + '[[release]]\nrocm = "6.9"\ndate = 9999-99-99\n'},
    "pattern": {"t.toml": HEAD + '[[text]]\nid = "evil"\ntext = ["{a:word}{b:word}{c:int}{d}{' + "{x:word}" * 500
                + '"]\nfrom = "x"\nmeans = "m"\n' + ORIGIN},
    "pattern-all": {"t.toml": HEAD + '[[text]]\nid = "evil"\ntext = ["", " ", "{x}", "{x:int}"]\nfrom = "x\\u001b[1m"\n'
                    'means = "<xssmark>"\n' + ORIGIN},
    "utf16": {"a.toml": (HEAD + "x=1").encode("utf-16")}, "manyfiles": lambda: {f"{i}.toml": HEAD for i in range(3000)},
    "deepdir": {"/".join(["d"] * 60) + "/a.toml": HEAD + "x=1\n"}, "name-nl": {"a\n\x1b[31m\u202e.toml": "x\n"},
    "name-utf8": {"a\udcff.toml": "x\n"},
    "install-evil": {"i.toml": HEAD + '[[install]]\nos = "ubuntu"\nversion = "*"\nrocm = ">=6.0"\nwhat = "rocm"\n'
                     'steps = ["touch CAN\\n\\u001b[31m"]\n' + ORIGIN},
}
LINKS = {"links": {"p.toml": "/etc/passwd", "z.toml": "/dev/zero", "loop": "."}, "dev": {"z.toml": "/dev/zero"}}
ARCHIVES = {"garbage": lambda rng: rng.randbytes(5000), "empty": lambda rng: b"",
            "gz": lambda rng: repeated_gzip(b"x" * (1 << 20), 200),
            "text": lambda rng: b"schema = 1\n"}


def calls(place, folder):
    plain, log = place.shared.plain, place.shared.log
    return [["db", "check", folder], ["check", "--snapshot", plain, "--db", folder, "--log", log, *place.outputs()],
            ["list", "gpus", "--db", folder], ["db", "export", folder, "--format", "csv", "--table", "gpu"],
            ["fix", "--snapshot", plain, "--db", folder, "--log", log], ["explain", "RV709", "--db", folder]]


def of_files(name, files):
    def make(place):
        os.makedirs(place.path("db"))
        for path, text in (files() if callable(files) else files).items():
            place.write("db/" + path, text)
        return calls(place, place.path("db"))
    return Input("db", name, make)


def of_links(name, links):
    def make(place):
        os.makedirs(place.path("db"))
        for path, target in links.items():
            os.symlink(target, place.path("db/" + path))
        return calls(place, place.path("db"))
    return Input("db", name, make)


def of_fifo(place):
    os.makedirs(place.path("db"))
    os.mkfifo(place.path("db/f.toml"))
    return calls(place, place.path("db"))


def archive(name, data):
    def make(place):
        path = place.write("db.tar.zst", data(place.rng))
        return [["db", "install", path], ["db", "key", path]]
    # Nothing is put into the home of who runs the test.
    return Input("db", "archive-" + name, make, Around(env={
        "HOME": "/nonexistent", "XDG_DATA_HOME": "/nonexistent/x", "XDG_CONFIG_HOME": "/nonexistent/c"}))


def inputs():
    for name, files in FOLDERS.items():
        yield of_files(name, files)
    for name, links in LINKS.items():
        yield of_links(name, links)
    yield Input("db", "fifo", of_fifo)
    for name, path in {"etc": lambda _: "/etc", "proc": lambda _: "/proc/self",
                       "missing": lambda place: place.path("nope"),
                       "file": lambda place: place.shared.good, "emptyarg": lambda _: ""}.items():
        yield Input("db", "path-" + name,
                    lambda place, path=path: [["db", "check", path(place)], ["list", "gpus", "--db", path(place)]])
    for name, data in ARCHIVES.items():
        yield archive(name, data)
