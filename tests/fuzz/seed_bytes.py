"""Small binary files as the parsers of formats/ and source/ read them, for seeds.py. By the published layouts, not by our code."""
import gzip
import io
import struct
import tarfile
import zlib

PLAIN = b"__CLANG_OFFLOAD_BUNDLE__"


def bundle(targets):
    """A plain offload bundle with an empty host entry and a byte of code for each target."""
    ids = [b"host-x86_64-unknown-linux--"] + [b"hipv4-amdgcn-amd-amdhsa--" + target for target in targets]
    head = PLAIN + struct.pack("<Q", len(ids))
    size = len(head) + sum(24 + len(one) for one in ids)
    for number, one in enumerate(ids):
        head += struct.pack("<QQQ", size + number, 1 if number else 0, len(one)) + one
    return head + b"\0" * len(ids)


def compressed_bundle(version, targets):
    """CCOB with zlib, which Python has."""
    inside = bundle(targets)
    packed = zlib.compress(inside)
    if version == 1:
        return b"CCOB" + struct.pack("<HHIQ", 1, 0, len(inside), 0) + packed
    if version == 2:
        return b"CCOB" + struct.pack("<HHIIQ", 2, 0, 24 + len(packed), len(inside), 0) + packed
    return b"CCOB" + struct.pack("<HHQQQ", 3, 0, 32 + len(packed), len(inside), 0) + packed


def offload_binary(target):
    """LLVM's: magic, version, size, one entry with the strings "arch" and "triple"."""
    strings = b"arch\0" + target + b"\0triple\0amdgcn-amd-amdhsa\0"
    head, entry = 48, 40
    table = head + entry
    texts = table + 32
    arch = (texts, texts + 5)
    triple = (texts + 5 + len(target) + 1, texts + 5 + len(target) + 8)
    image = texts + len(strings)
    return (b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 1, image + 8, head, entry) + b"\0" * 16 +
            struct.pack("<HHIQQQQ", 1, 4, 0, table, 2, image, 8) + struct.pack("<QQQQ", *arch, *triple) + strings +
            b"\0" * 8)


def msgpack(value):
    if isinstance(value, dict):
        return bytes([0x80 | len(value)]) + b"".join(msgpack(k) + msgpack(v) for k, v in value.items())
    if isinstance(value, list):
        return bytes([0x90 | len(value)]) + b"".join(msgpack(one) for one in value)
    if isinstance(value, int):
        return b"\xce" + struct.pack(">I", value)
    text = value.encode()
    return (bytes([0xa0 | len(text)]) if len(text) < 32 else b"\xd9" + bytes([len(text)])) + text


def kpack():
    table = msgpack({"format_version": 1, "gfx_arches": ["gfx942", "gfx1100"],
                     "toc": {"lib/x.so.1": {"gfx942": {"ordinal": 0, "size": 1}}}})
    return b"KPAK" + struct.pack("<IQ", 1, 24) + b"\0" * 8 + table


def kpack_reference():
    return msgpack({"kernel_name": "lib/x.so.1", "kpack_search_paths": ["../.kpack/blas_lib_@GFXARCH@.kpack"]})


def elf(machine=62, flags=0, fat=b""):
    """A shared library: program headers, a dynamic section, a string table; sections where it has device code."""
    names = b"\0libamdhip64.so.6\0libc.so.6\0$ORIGIN/../lib\0GLIBC_2.34\0"
    dynamic = b"".join(struct.pack("<QQ", tag, value) for tag, value in
                       [(14, 1), (1, 18), (29, 28), (5, 0x1000), (10, len(names)), (0, 0)])
    at_dynamic = 64 + 2 * 56
    at_names = at_dynamic + len(dynamic)
    at_fat = at_names + len(names)
    section_names = b"\0.hip_fatbin\0.shstrtab\0"
    at_section_names = at_fat + len(fat)
    at_sections = at_section_names + len(section_names)
    loads = (struct.pack("<IIQQQQQQ", 1, 4, at_names, 0x1000, 0x1000, len(names), len(names), 4096) +
             struct.pack("<IIQQQQQQ", 2, 4, at_dynamic, 0x2000, 0x2000, len(dynamic), len(dynamic), 8))
    sections = (b"\0" * 64 + struct.pack("<IIQQQQIIQQ", 1, 1, 2, 0x3000, at_fat, len(fat), 0, 0, 1, 0) +
                struct.pack("<IIQQQQIIQQ", 13, 3, 0, 0, at_section_names, len(section_names), 0, 0, 1, 0))
    osabi = 64 if machine == 224 else 0
    head = b"\x7fELF\x02\x01\x01" + bytes([osabi, 2]) + b"\0" * 7 + struct.pack(
        "<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, at_sections, flags, 64, 56, 2, 64, 3, 2)
    return head + loads + dynamic + names + fat + section_names + sections


def loader_cache():
    strings = b"libamdhip64.so.6\0/opt/rocm/lib/libamdhip64.so.6\0"
    entry = struct.pack("<IIIIQ", 0x303, 48 + 24, 48 + 24 + 17, 0, 0)
    new = b"glibc-ld.so.cache1.1" + struct.pack("<II", 1, len(strings)) + b"\0" * 20 + entry + strings
    old = b"ld.so-1.7.0\0" + struct.pack("<I", 1) + struct.pack("<III", 0x303, 0, 17) + strings
    return [new, old, old + b"\0" * (-len(old) % 8) + new]


def tar(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    # Without most of the zeros at its end.
    return out.getvalue()[:-(-len(out.getvalue()) // 512) * 512].rstrip(b"\0") + b"\0" * 1024


def gz(content):
    return gzip.compress(content, mtime=0)


def kernel_code():
    """A code object for gfx942 with one kernel of two arguments, which lies in memory as it lies in the file."""
    metadata = msgpack({"amdhsa.kernels": [
        {".symbol": "k.kd", ".kernarg_segment_size": 24, ".group_segment_fixed_size": 64, ".private_segment_fixed_size": 0,
         ".args": [{".offset": 0, ".size": 8, ".value_kind": "global_buffer"},
                   {".offset": 8, ".size": 4, ".value_kind": "by_value"},
                   {".offset": 16, ".size": 4, ".value_kind": "hidden_block_count_x"}]}]})
    note = struct.pack("<III", 7, len(metadata), 32) + b"AMDGPU\0\0" + metadata + b"\0" * (-len(metadata) % 4)
    head, segment = 64, 56
    at = head + 3 * segment
    parts = {}
    body = b""
    for name, content in (("note", note), ("strings", b"\0k.kd\0"), ("hash", struct.pack("<IIII", 1, 2, 1, 0) + b"\0" * 8),
                          ("descriptor", b"\0" * 128)):
        body += b"\0" * (-(at + len(body)) % 64)
        parts[name] = at + len(body)
        body += content
    for name in ("symbols", "relocations", "dynamic"):
        body += b"\0" * (-(at + len(body)) % 64)
        parts[name] = at + len(body)
        if name == "symbols":
            body += b"\0" * 24 + struct.pack("<IBBHQQ", 1, 0x11, 0, 1, parts["descriptor"], 64)
        elif name == "relocations":
            body += struct.pack("<QQq", parts["descriptor"] + 64, 13, parts["descriptor"])
        else:
            entries = {6: parts["symbols"], 5: parts["strings"], 4: parts["hash"], 7: parts["relocations"], 8: 24, 0: 0}
            body += b"".join(struct.pack("<qQ", tag, value) for tag, value in entries.items())
    size = at + len(body)
    ident = b"\x7fELF\x02\x01\x01" + bytes([64, 2]) + b"\0" * 7
    elf_head = ident + struct.pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, head, 0, 0x54c, 64, segment, 3, 64, 0, 0)
    segments = b"".join(
        struct.pack("<IIQQQQQQ", kind, 4, start, start, start, length, length, 4)
        for kind, start, length in ((1, 0, size), (4, parts["note"], len(note)), (2, parts["dynamic"], 96)))
    return elf_head + segments + body
