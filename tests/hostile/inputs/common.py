"""One hostile input: the files that it makes and the calls of rocvet that read them."""
import dataclasses
import gzip
import os
import random
import typing
import zlib

from call import Around
from tree import put

SIGNS = "HSA_STATUS_ERROR_OUT_OF_RESOURCES\nRuntimeError: No HIP GPUs are available\n"
LONG = "x" * 100000
FORMATS = {"json": "json", "html": "html", "md": "markdown", "xml": "junit", "sarif": "sarif", "txt": "text"}


@dataclasses.dataclass
class Shared:
    """What all inputs may read; made once."""
    folder: str
    plain: str = ""     # a machine with many faults and ordinary names
    log: str = ""       # of an application on it
    good: str = ""      # its report
    fifo: str = ""
    loop: str = ""      # a link to itself
    programs: str = ""  # a folder of programs that say that they were run
    outside: str = ""   # a file that no snapshot may show
    canary: str = ""    # a folder; payloads make a file in it


@dataclasses.dataclass
class Place:
    """Where one input writes."""
    folder: str
    out: str
    shared: Shared
    rng: random.Random

    def write(self, name, data):
        put(self.folder, name, data)
        return os.path.join(self.folder, name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def outputs(self, *formats):
        """Options that ask for reports which judge.py reads."""
        return [word for form in formats or FORMATS for word in ("--output", f"{FORMATS[form]}={self.out}/r.{form}")]



@dataclasses.dataclass
class Input:
    kind: str
    name: str
    make: typing.Callable   # (place) -> the calls, each a list of arguments
    around: Around = dataclasses.field(default_factory=Around)
    tried: bool = True      # printed commands are run in the sandbox
    needs_root: bool = False

    @property
    def id(self):
        return f"{self.kind}/{self.name}"


def repeated_gzip(piece, times):
    """gzip of `piece` times over, packed once: after a full flush the same piece packs to the same bytes."""
    packer, check = zlib.compressobj(9, wbits=-15), 0
    packed = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(times):
        check = zlib.crc32(piece, check)
    size = len(piece) * times & 0xffffffff
    return (b"\x1f\x8b\x08" + bytes(6) + b"\xff" + packed * times + packer.flush()
            + check.to_bytes(4, "little") + size.to_bytes(4, "little"))


def squeeze(data, level=9):
    return gzip.compress(data, level, mtime=0)
