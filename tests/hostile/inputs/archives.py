"""Snapshots in archives: cut off, of wrong sizes, with members that would land elsewhere, and small ones that unpack to
gigabytes."""
import io
import tarfile

from inputs import snapshots
from inputs.common import Input, repeated_gzip, squeeze

ABOUT = b'format = 1\ntool = "x"\ncreated = "x"\nsource = "live"\ncomplete = []\n'
FILE, LINK, HARD, FIFO, DEVICE = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE
HEAD = ("about.toml", FILE, ABOUT, "")
MIB = 1 << 20


def tar(*members):
    """Of (name, type, content, target of a link)."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, kind, content, target in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, target, len(content) if kind == FILE else 0
            archive.addfile(member, io.BytesIO(content) if member.size else None)
    return packed.getvalue()


def many_members(count):
    """Empty files, each a header with a name and the sum of its bytes: tarfile takes half a minute for so many."""
    head = bytearray(tarfile.TarInfo("files/x/000000").tobuf(tarfile.GNU_FORMAT))
    total = int(head[148:154], 8) - 6 * ord("0")
    parts = [tar(HEAD)[:1024]]
    for number in range(count):
        name = b"%06d" % number
        head[8:14], head[148:156] = name, b"%06o\0 " % (total + sum(name))
        parts.append(bytes(head))
    return b"".join(parts) + bytes(1024)


def packed_folder(folder):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(folder, ".")
    return packed.getvalue()


def zstd(blocks):
    """A frame of blocks: bytes as they are, or (byte, times)."""
    frame = b"\x28\xb5\x2f\xfd\x00\x58"  # without checksum and size; a window of 2 MiB
    blocks = list(blocks)
    for number, block in enumerate(blocks):
        runs = isinstance(block, tuple)
        size, content = (block[1], block[0]) if runs else (len(block), block)
        frame += (size << 3 | runs << 1 | (number == len(blocks) - 1)).to_bytes(3, "little") + content
    return frame


def zstd_of(data):
    return zstd([data[at:at + 100000] for at in range(0, len(data), 100000)])


def with_size(field):
    """An archive whose first header has these bytes for the size."""
    archive = bytearray(tar(HEAD))
    archive[124:136] = field
    return bytes(archive)


def bomb_head():
    member = tarfile.TarInfo("files/proc/cmdline")
    member.size = 3 << 30
    return tar(HEAD)[:1024] + member.tobuf()


def gzip_bomb():
    """One member that says it is 3 GiB long, of which 600 MiB are there; the beginning is a gzip member of its own."""
    return squeeze(bomb_head()) + repeated_gzip(bytes(MIB), 600)


def zstd_bomb():
    return zstd([bomb_head(), *[(b"\0", 128 << 10)] * (600 * 8)])


def links(count, target):
    """Links with targets made of their numbers."""
    return tar(HEAD, *((f"files/x/l{number:05}", LINK, b"", target(number)) for number in range(count)))


def headers_alone():
    """One folder, two million times: a gigabyte of headers and no content."""
    head = tarfile.TarInfo("files/x")
    head.type = tarfile.DIRTYPE
    return squeeze(tar(HEAD)[:1024]) + repeated_gzip(head.tobuf(tarfile.GNU_FORMAT) * 2048, 1024)


def of_good(change):
    return lambda place: change(packed_folder(place.shared.plain))


def broken(data):
    return data[:500] + b"\xff" * 20 + data[520:]


def outward(*members):
    """Members made of the path of the file outside, or of the folder of canaries."""
    def make(place):
        def filled(part):
            if not isinstance(part, str):
                return part
            return part.replace("@OUTSIDE@", place.shared.outside).replace("@CANARY@", place.shared.canary)
        return tar(HEAD, *(tuple(map(filled, member)) for member in members))
    return make


ARCHIVES = {
    "good.tar": of_good(bytes), "good.tar.gz": of_good(squeeze), "good.tar.zst": of_good(zstd_of),
    "trunc.tar": of_good(lambda data: data[:len(data) // 3]),
    "trunc.tar.gz": of_good(lambda data: squeeze(data)[:5000]),
    "trunc.tar.zst": of_good(lambda data: zstd_of(data)[:len(data) // 2]), "empty.tar": b"", "empty.tar.gz": b"",
    "empty.tar.zst": b"",
    "garbage.tar": lambda place: place.rng.randbytes(50000),
    "garbage.tar.gz": lambda place: b"\x1f\x8b\x08" + place.rng.randbytes(50000),
    "garbage.tar.zst": lambda place: b"\x28\xb5\x2f\xfd" + place.rng.randbytes(50000),
    "flip.tar.gz": of_good(lambda data: broken(squeeze(data))),
    "flip.tar.zst": of_good(lambda data: broken(zstd_of(data))),
    "bomb.tar.gz": lambda place: gzip_bomb(), "bomb.tar.zst": lambda place: zstd_bomb(),
    "zeros.tar.gz": lambda place: repeated_gzip(bytes(MIB), 400),
    "dotdot.tar": outward(("../" * 20 + "@CANARY@/CANARY", FILE, b"x", "")),
    "abs.tar": outward(("@CANARY@/CANARY", FILE, b"x", "")),
    "symdir.tar": outward(("files", LINK, b"", "@CANARY@"), ("files/CANARY", FILE, b"x", "")),
    "symfile.tar": outward(("files/etc/os-release", LINK, b"", "@OUTSIDE@")),
    "hard.tar": outward(("files/etc/os-release", HARD, b"", "@OUTSIDE@")),
    "hard2.tar": outward(("files/etc/os-release", HARD, b"", "../../../../../../../..@OUTSIDE@")),
    "fifo.tar": tar(("about.toml", FIFO, b"", ""), ("cmd/dmesg", FIFO, b"", "")),
    "chr.tar": tar(HEAD, ("cmd/dmesg", DEVICE, b"", "")),
    "hugesize.tar": with_size(b"\x80" + b"\xff" * 11), "negsize.tar": with_size(b"-0000000001\0"),
    "dup.tar": tar(*[HEAD] * 1000),
    "manymembers.tar.gz": lambda place: squeeze(many_members(200000), 1),
    "long-targets.tar.gz": lambda place: squeeze(links(500, lambda number: "x" * MIB), 1),
    "deep-targets.tar.gz": lambda place: squeeze(links(2000, lambda number: f"{number}/" + "a/" * 2000 + "z"), 1),
    "headers.tar.gz": lambda place: headers_alone(),
    "longname.tar": tar(HEAD, ("files/" + "a/" * 20000 + "x", FILE, b"x", "")),
    "ansi.tar": tar(HEAD, ("files/etc/\x1b[31m\u202e", FILE, b"x", "")), "notar.tar": b"hello",
    "zipname.tar": b"PK\3\4" + bytes(1000),
    "gzinname.tar": of_good(squeeze), "gz2.tar.gz": of_good(lambda data: squeeze(squeeze(data))),
    "linkloop.tar": tar(("about.toml", LINK, b"", "about.toml")),
    "prefix.tar": tar(("snap/about.toml", FILE, ABOUT, ""), ("snap/cmd/dmesg", FILE, b"x", "")),
}


def inputs():
    for name, data in ARCHIVES.items():
        yield Input("archive", name, lambda place, name=name, data=data: snapshots.calls(
            place, place.write(name, data(place) if callable(data) else data)))
