"""Machines on which one hostile word stands in place of a name: at all places at once, at one, or in a small machine
with one fault."""
import faulty
import scenes
from inputs.common import Input
from payloads import PAYLOADS, SCENE, SHELL, hostile_names, payload

FULL_DISK_PLACES = ("mount", "dev", "log-full")


def check(place, snapshot):
    return ["check", "--snapshot", snapshot, "--log", snapshot + ".log", "--format", "json",
            *place.outputs("html", "md", "xml", "sarif", "txt")]


def fix(snapshot, log=True):
    return ["fix", "--snapshot", snapshot, *(["--log", snapshot + ".log"] if log else [])]


def everywhere(key):
    def make(place):
        machine = place.path("machine")
        faulty.write_faulty(machine, hostile_names(payload(key, place.shared.canary + "/CANARY")))
        return [check(place, machine), fix(machine), fix(machine, log=False), ["advise", "--snapshot", machine],
                ["plan", "--to", "rocm=7.2,kernel=6.14", "--snapshot", machine], ["scan", "--snapshot", machine],
                ["compat", "--snapshot", machine, "--here"]]
    return Input("inject-all", key, make)


def at_one(spot, key):
    """The script is asked for with the log where the word is in it, and else without: it says what the files say."""
    def make(place):
        machine = place.path("machine")
        name = hostile_names(payload(key, place.shared.canary + "/CANARY"))
        faulty.write_faulty(machine, lambda at, plain: name(at, plain) if at == spot else plain,
                            full_disks=spot in FULL_DISK_PLACES)
        return [check(place, machine), fix(machine, log=spot.startswith("log-"))]
    return Input("inject-one", f"{spot}-{key}", make)


def in_scene(title, key):
    def make(place):
        machine = place.path("machine")
        word = "plain" if key == "plain" else payload(key, place.shared.canary + "/CANARY").replace("/", "_")
        scenes.write_scene(machine, title, word)
        return [check(place, machine), fix(machine), *([fix(machine, log=False)] if key in SCENE[:2] else [])]
    return Input("scene", f"{title}-{key}", make)


def inputs(place_names):
    yield Input("inject", "plain", lambda place: [check(place, place.shared.plain), fix(place.shared.plain),
                                                  fix(place.shared.plain, log=False)])
    for key in PAYLOADS:
        yield everywhere(key)
    for number, spot in enumerate(place_names):
        for key in ("dollar", "squote", SHELL[2 + number % (len(SHELL) - 2)]):
            yield at_one(spot, key)
    for title in scenes.SCENES:
        for key in ["plain", *SCENE]:
            yield in_scene(title, key)
