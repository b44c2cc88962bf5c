"""What a call finds around it: the environment, descriptors, limits, the working directory, and who it is."""
from call import Around
from inputs.common import LONG, Input

EVIL_PATH = "/x';touch CAN;'$(touch CAN)"
ENVIRONMENTS = {
    "nocolor": {"NO_COLOR": ""}, "nocolor1": {"NO_COLOR": "\x1b[31m"}, "term": {"TERM": "\x1b[31m" * 1000},
    "term-empty": {"TERM": ""},
    "columns0": {"COLUMNS": "0"}, "columns-neg": {"COLUMNS": "-1"}, "columns-big": {"COLUMNS": "9" * 20},
    "columns-1": {"COLUMNS": "1"},
    "columns-x": {"COLUMNS": "\x1b"}, "lang": {"LANG": "../../x\x1b", "LC_ALL": "nope"},
    "lang-tr": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"}, "lang-c": {"LC_ALL": "C"},
    "home-unset": {"HOME": None},
    "home-empty": {"HOME": ""}, "home-file": {"HOME": "/etc/passwd"}, "home-evil": {"HOME": EVIL_PATH},
    "home-long": {"HOME": "/" + LONG},
    "home-rel": {"HOME": "../.."}, "path-unset": {"PATH": None}, "path-empty": {"PATH": ""},
    "path-dot": {"PATH": ".:@PROGRAMS@"},
    "path-long": {"PATH": ":".join(f"/x{i}" for i in range(15000))}, "tmpdir": {"TMPDIR": "/nope\x1b[31m"},
    "hsa": {"HSA_OVERRIDE_GFX_VERSION": "\x1b[31m$(touch CAN)", "HIP_VISIBLE_DEVICES": "0';touch CAN;'\n",
            "ROCM_PATH": "/x\n\u202e<xssmark>"},
    "hsa-long": {"HIP_VISIBLE_DEVICES": ",".join(map(str, range(20000)))},
    "ldpreload-name": {"LD_LIBRARY_PATH": "/x$(touch CAN):" + "/y" * 10000},
    "user": {"USER": "$(touch CAN)", "LOGNAME": "\x1b[31m", "SUDO_USER": "x';touch CAN;'"},
    "sudo": {"SUDO_USER": "root;touch CAN", "SUDO_UID": "-1"}, "utf8": {"HSA_X": "\udcff\udcfe", "ROCM_PATH": "\udcff"},
    "venv": {"VIRTUAL_ENV": "/tmp/v$(touch CAN)", "CONDA_PREFIX": "/tmp/c';touch CAN;'"},
    "xdg": {"XDG_DATA_HOME": "/proc/self", "XDG_CONFIG_HOME": "\n", "XDG_CACHE_HOME": ""},
    "rocvet": {"ROCVET_DB": "/etc", "ROCVET": "\x1b"},
    "glibc": {"GCONV_PATH": "/tmp", "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "85"},
    "many": {f"V{i}": "x" * 50 for i in range(15000)},
}
SITUATIONS = {
    "close0": Around(close=(0,)), "close1": Around(close=(1,)), "close2": Around(close=(2,)),
    "close012": Around(close=(0, 1, 2)),
    "close12": Around(close=(1, 2)), "full": Around(stdout="/dev/full"), "full2": Around(stderr="/dev/full"),
    "as64": Around(limits={"AS": 64 << 20}), "as40": Around(limits={"AS": 40 << 20}),
    "as150": Around(limits={"AS": 150 << 20}),
    "nofile8": Around(limits={"NOFILE": 8}), "nofile4": Around(limits={"NOFILE": 4}),
    "nofile3": Around(limits={"NOFILE": 3}),
    "fsize0": Around(limits={"FSIZE": 0}), "fsize100": Around(limits={"FSIZE": 100}),
    "nproc0": Around(limits={"NPROC": 0}),
    "stack": Around(limits={"STACK": 65536}), "stack1m": Around(limits={"STACK": 1 << 20}),
    "cwd-proc": Around(cwd="/proc/self"),
    "cwd-gone": Around(cwd="GONE"), "cwd-sys": Around(cwd="/sys"), "epipe": Around(stdout="EPIPE"),
    "cpu5": Around(limits={"CPU": 5}),
    "nobody": Around(uid=65534),
}
# Reading the machine that the test runs on takes as long as that machine is large.
LIVE_SNAPSHOT = ("close012", "as64", "as150", "nofile8", "nofile4", "fsize0", "fsize100", "cwd-gone", "stack1m",
                 "nobody")


def recorded(place):
    return ["--snapshot", place.shared.plain, "--log", place.shared.log]


def with_environment(name, environment, bare=False):
    def make(place):
        if around.env.get("PATH"):
            around.env["PATH"] = around.env["PATH"].replace("@PROGRAMS@", place.shared.programs)
        return [["check", *recorded(place)], ["fix", *recorded(place)], ["check", "--format", "json"], ["fix"]]
    around = Around(env=dict(environment), no_env=bare)
    return Input("env", name, make, around)


def in_situation(name, around):
    def make(place):
        calls = [["check", *recorded(place), *place.outputs()], ["explain", "--log", place.shared.log],
                 ["fix", "--snapshot", place.shared.plain], ["list", "checks"],
                 ["report", place.shared.good, "--format", "html"],
                 ["compat", "--gpu", "gfx1100", "--rocm", "6.2"], ["--help"]]
        return calls + ([["snapshot", place.out + "/sn"], ["check"]] if name in LIVE_SNAPSHOT else [])
    return Input("fd", name, make, around, tried=False, needs_root=around.uid >= 0)


def inputs():
    yield with_environment("empty", {}, bare=True)
    for name, environment in ENVIRONMENTS.items():
        yield with_environment(name, environment)
    for name, around in SITUATIONS.items():
        yield in_situation(name, around)
