"""Hostile words, and what of them may stand at which place of a machine."""

PAYLOADS = {
    "dollar": "x$(touch CAN)", "squote": "x';touch CAN;'", "dquote": 'x";touch CAN;"', "tick": "x`touch CAN`",
    "semi": "x;touch CAN;#",
    "nl": "x\ntouch CAN\n", "amp": "x && touch CAN", "opt": "--opt=$(touch CAN)", "pipe": "x|touch CAN",
    "bs": "x\\';touch CAN;#",
    "cr": "x\rtouch CAN", "ansic": "$'\\x24(touch CAN)'", "html": "<xssmark onxss=1>",
    "ansi": "x\x1b]0;T\x07\x1b[31m\u202eevil\u2066\x9b31m", "utf8": "x\udcff\udcfe\udcc0\udcaf",
    "fmt": "%s%n%n%99999d{0}{}${x}",
    "md": "a|b|[l](javascript:onxss)![i](http://evil.example/x.png)`c`<xssmark>",
    "cdata": "]]></failure><xssmark/><![CDATA[",
    "json": '"},{"xss":true,"x":"', "long": "A" * 5000 + "$(touch CAN)", "brace": "{a,b}>CAN", "redir": "x>CAN",
    "home": "~/../$(touch CAN)",
    "tab": "x\t$(touch CAN)", "evar": "${x:=$(touch CAN)}", "absol": "x$(touch @CANARY@)",
}
SHELL = ["dollar", "squote", "tick", "semi", "dquote", "nl", "bs", "evar", "pipe", "brace", "redir", "opt", "absol",
         "tab", "ansi", "html"]
SCENE = ["dollar", "squote", "semi", "tick", "nl", "bs", "ansi", "utf8"]

# Part of a file name: no slash, and not too long.
IN_FILE_NAMES = set("unit unit2 modfile proffile ldfile rocmdir composedir venv2 dist torchver aptfile aptpref "
                    "dkmsver dkmsmod kernel fw "
                    "alt icd".split())
# Where a line's end may stand in a name.
WITH_LINES = IN_FILE_NAMES | set("env-visible env-override ldpath rocmpath hippath miopendb alloc topofile ifname "
                                 "venv preload tmpdir queues "
                                 "cvd home".split())
# The plain beginning stays, since a rule looks for it.
AFTER_PLAIN = set("venv home ldpath rocmpath hippath miopendb profld envrocm rcpath ldso mount altto preload tmpdir "
                  "topofile vol aptkey "
                  "log-mod log-perm log-prog log-full log-miodb log-tensile log-node kernel rocmdir torchver dkmsver "
                  "log-lib kfw alt "
                  "log-hdr log-cmakepkg image apturl kparam log-aptpkg log-url log-req".split())


def payload(key, canary="/tmp/CANARY"):
    return PAYLOADS[key].replace("@CANARY@", canary)


def file_name(word, most=180):
    return word.replace("/", "_").encode("utf-8", "surrogateescape")[:most].decode("utf-8", "surrogateescape")


def one_line(word):
    return word.replace("\n", " ")


def hostile_names(word):
    """name(place, plain) of faulty.py, for one payload."""
    def name(place, plain):
        here = file_name(word) if place in IN_FILE_NAMES else word
        if place not in WITH_LINES:
            here = one_line(here)
        if place in ("user", "svcuser", "group"):
            here = here.replace(":", "_")
        if place in ("venv", "home", "alt"):
            here = here[:180]
        if place in AFTER_PLAIN or place.startswith("log-") and len(here) < 4000:
            return plain + here
        return "cpu" + here if place == "venv2" else here
    return name
