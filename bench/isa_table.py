#!/usr/bin/env python3
"""How busy our kernels keep the matrix units, by their machine code, beside tuned libraries. Markdown.

    isa_table.py OURS [--library NAME=FOLDER]... [--targets gfx90a,...] [--llvm 22]

OURS is a folder of code objects as a build makes it: build/dev/selftests/kernels, with
TARGET/gemm.co, gemm_mx.co, attention.co and attention_fp32.co. FOLDER is a library's, of rocBLAS or hipBLASLt: of each of its
Tensile code objects with A and B in our layout (K contiguous in both: Alik_Bljk) the kernels with the
largest macro tiles are disassembled, and the one with the greatest share is shown.

What is counted is the innermost loop with the most matrix instructions.
  matrix   instructions of the loop, and the cycles that they keep the matrix unit of a SIMD busy (AMD's
           matrix instruction calculator; kernels.md 1.1 and 2.1)
  other    instructions of the loop that take an issue slot: 4 cycles of a wave of 64, 1 of a wave of 32.
           MFMA of 4x4 are among them, with the 8 cycles that they take: attention sums weights with them,
           which is no part of its products
  share    matrix cycles / (matrix cycles + issue cycles of the others), one wave, nothing overlapped
  mca      by llvm-mca: cycles of the matrix instructions alone / cycles of the loop, both overlapped. Not
           for gfx11 and gfx12: its models (LLVM 22) take one cycle for a WMMA
  LDS      how long the LDS is busy with the reads and writes of the loop, of the time that the matrix
           units are: above 1 the LDS is what limits. All lanes in different banks is assumed; for ours
           a unit test proves it by the phase tables
  waves    of a SIMD, by registers and LDS
The exit status is 1 if one of our kernels spills.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

MATRIX = re.compile(r"^v_(mfma|wmma|smfmac|swmmac)")
SUMS = re.compile(r"^v_mfma_f32_4x4x\w*bf16")
OUR_KERNELS = ["gemm_fp16", "gemm_bf16", "gemm_fp8", "gemm_int8", "gemm_fp32", "gemm_fp64",
               "gemm_mx_e4m3", "gemm_mx_e5m2", "gemm_mx_e2m3", "gemm_mx_e3m2", "gemm_mx_e2m1",
               "attention_fp16_d64", "attention_fp16_d128", "attention_bf16_d64", "attention_bf16_d128",
               "attention_fp32_d64", "attention_fp32_d128"]
# What the files of Tensile's code objects are called for our types.
FILES = {"fp16": r"(Type_H[HS]_HPA_(?!Fp16Alt)|_H[HS]_HPA)", "bf16": r"Type_B[BS]_HPA", "fp8": r"Type_F8",
         "int8": r"Type_I8", "fp32": r"Type_SS", "fp64": r"Type_DD"}


def matrix_cycles(target, line):
    """Cycles that a matrix unit is busy with an instruction."""
    name = line.split()[0]
    shape = re.search(r"(\d+)x(\d+)x(\d+)", name)
    m, n, k = map(int, shape.groups())
    operations = 2 * m * n * k
    if "4x4x4" in name and "f64" not in name:
        operations *= 16
    if "x1f32" in name or "x2bf16" in name or "x4f16" in name and m == 32:
        operations *= 2  # two blocks
    kind = name.split("_", 2)[2]
    if target.startswith("gfx11"):
        return 32 if "iu4" not in name else 16
    if target.startswith("gfx12"):
        return 8 if re.search("iu8|iu4|fp8|bf8", name) else 16
    per_simd = {"gfx908": {"f16": 256, "bf16": 128, "f32": 64, "i8": 256},
                "gfx90a": {"f16": 256, "bf16": 256, "f32": 64, "i8": 256, "f64": 64},
                "gfx942": {"f16": 512, "bf16": 512, "f32": 64, "i8": 1024, "f64": 64, "fp8": 1024, "xf32": 256},
                "gfx950": {"f16": 1024, "bf16": 1024, "f32": 64, "i8": 2048, "f64": 32, "fp8": 1024,
                           "f8f6f4": 2048}}[target]
    if target == "gfx90a" and "bf16" in name and "_1k" not in name:
        return operations // 128
    if target == "gfx950" and re.search(r"x16_?f16|x16_?bf16|x8_?b?f16|32_i8|x16_i8", name) and \
            not re.search("32x32x16_b?f16", name):
        return operations // (per_simd["f16"] // 2 if "i8" not in name else 1024)  # of gfx942, at its rate
    for key in ("f8f6f4", "fp8", "bf8", "xf32", "bf16", "f16", "i8", "f64", "f32"):
        tail = kind[kind.index(shape.group(0)):]
        if key == "f8f6f4" and key in tail and re.search("cbsz:[234]", line) and re.search("blgp:[234]", line):
            return operations // (2 * per_simd[key])  # neither operand has 8 bits
        if key in tail:
            return operations // per_simd["fp8" if key == "bf8" else key]
    return None


def is_product(instruction):
    return bool(MATRIX.match(instruction)) and not SUMS.match(instruction)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class CodeObject:
    """A code object, or the one for `target` in a compressed bundle, which is unpacked beside `folder`."""

    def __init__(self, path, llvm, target=None, folder=None):
        self.path, self.llvm = path, llvm
        self.resources = {}
        with open(path, "rb") as file:
            bundled = file.read(4) == b"CCOB"
        if bundled:
            listed = run(f"clang-offload-bundler-{llvm}", "-list", "-type=o", f"-input={path}").split()
            triple = next(t for t in listed if target in t)
            self.path = pathlib.Path(folder) / "unpacked.co"
            run(f"clang-offload-bundler-{llvm}", "-unbundle", "-type=o", f"-targets={triple}", f"-input={path}",
                f"-output={self.path}")
            path = self.path
        notes = run(f"llvm-readelf-{llvm}", "--notes", path)
        for entry in re.split(r"\n  - (?=\.agpr_count|\.args|\.device_enqueue)", notes)[1:]:
            fields = dict(re.findall(r"(?:^|\n)\s*\.(\w+):\s+(\S+)", entry))
            self.resources[fields["name"].strip("'")] = fields

        # Tensile's labels are symbols too, so that a kernel ends where the next begins.
        symbols = [line.split() for line in run(f"llvm-nm-{llvm}", path).splitlines()]
        self.starts = {s[2]: int(s[0], 16) for s in symbols if len(s) == 3 and s[2] in self.resources}

    def loop(self, kernel):
        """Instructions ("name operands") of the innermost loop with the most matrix instructions."""
        start = self.starts[kernel]
        stop = min((a for a in self.starts.values() if a > start), default=1 << 40)
        text = run(f"llvm-objdump-{self.llvm}", "-d", f"--start-address={start}", f"--stop-address={stop}", self.path)
        code, at = [], {}
        for line in text.splitlines():
            match = re.match(r"^\t(\S.*?)\s*// ([0-9A-F]+): ([0-9A-F]{8})", line)
            if match:
                at[int(match[2], 16)] = len(code)
                code.append((match[1], int(match[2], 16), int(match[3], 16)))
        loops = []
        for i, (text, address, word) in enumerate(code):
            if re.match(r"s_c?branch_?\w* ", text):
                offset = (word & 0xffff) - (word & 0x8000) * 2  # in words, from the next instruction
                start = at.get(address + 4 + 4 * offset)
                if start is not None and start <= i:
                    loops.append((start, i + 1))
        best = (0, 0, [])
        for start, end in loops:
            if any(start <= s and e <= end and (s, e) != (start, end) and
                   any(MATRIX.match(c[0]) for c in code[s:e]) for s, e in loops):
                continue
            body = [c[0] for c in code[start:end]]
            count = sum(bool(MATRIX.match(c)) for c in body)
            if (count, -len(body)) > best[:2] and count:
                best = (count, -len(body), body)
        return best[2]


def bytes_of_lds(name, wave):
    """Of the LDS, moved by an instruction of a wave."""
    width = re.search(r"_(b|u|i|f)(8|16|32|64|96|128)", name)
    if not name.startswith(("ds_read", "ds_load", "ds_write", "ds_store")) or not width:
        return 0
    return int(width[2]) // 8 * wave * (2 if "2_b" in name or "2addr" in name or "2st64" in name else 1)


def as_buffer_load(line):
    """llvm-mca takes a global load for a flat one, for which a wait for the LDS waits too."""
    return re.sub(r"^global_load_(\w+) ([^,]+), v\[?(\d+).*", r"buffer_load_\1 \2, v\3, s[8:11], 0 offen", line)


def mca(llvm, target, loop):
    left_out = r"s_c?branch|s_setprio|s_barrier|s_delay|s_sethalt"
    code = "\n".join(as_buffer_load(line) for line in loop if not re.match(left_out, line))
    iterations = 8
    try:  # that of LLVM 22 never ends with some loops
        done = subprocess.run([f"llvm-mca-{llvm}", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={target}",
                               f"-iterations={iterations}"], input=code + "\n", capture_output=True, text=True,
                              timeout=120)
    except subprocess.TimeoutExpired:
        return None
    match = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return int(match[1]) / iterations if match else None


def mca_share(llvm, target, loop):
    alone, all_of_it = mca(llvm, target, [line for line in loop if is_product(line)]), mca(llvm, target, loop)
    return alone / all_of_it if alone and all_of_it else None


def figures(target, code_object, kernel, llvm, with_mca=True):
    loop = code_object.loop(kernel)
    if not loop:
        return None
    names = [line.split()[0] for line in loop]
    wave = 64 if target.startswith("gfx9") else 32
    matrix = [n for n in names if is_product(n)]
    cycles = sum(matrix_cycles(target, line) for line in loop if is_product(line.split()[0]))
    others = len(names) - len(matrix)
    slots = others + sum(bool(SUMS.match(n)) for n in names)  # those take two
    moved = 0
    for line, name in zip(loop, names):
        moved += bytes_of_lds(name, wave)
        if "lds" in name or re.search(r"\blds\b", line):
            moved += (16 if "x4" in name else 4) * wave
    use = code_object.resources[kernel]
    vgprs, agprs = int(use["vgpr_count"]), int(use.get("agpr_count", 0))
    if target == "gfx908":
        vgprs += agprs  # two files, each counted by itself
    named = [int(n) for line in loop for n in re.findall(r"\ba\[?(?:\d+:)?(\d+)", line)]
    if named and not agprs:  # Tensile's notes do not count them
        agprs = max(named) + 1
        vgprs += agprs
    threads, lds = int(use["max_flat_workgroup_size"]), int(use["group_segment_fixed_size"])
    if target in ("gfx90a", "gfx942", "gfx950"):
        by_registers = min(8, 512 // max(8, (vgprs + 7) // 8 * 8))
    elif target == "gfx908":
        by_registers = min(8, 256 // max(4, (max(vgprs - agprs, agprs) + 3) // 4 * 4))
    else:
        file = 1536 if target in ("gfx1100", "gfx1101", "gfx1151", "gfx1200", "gfx1201") else 1024
        grain = 24 if file == 1536 else 16
        by_registers = min(16, file // ((vgprs + grain - 1) // grain * grain))
    simds, lds_of = (4, 160 if target == "gfx950" else 64) if wave == 64 else (4, 128)  # of a CU, or of a WGP
    waves_of_block = threads / wave
    blocks = int(by_registers * simds // waves_of_block)
    if lds:
        blocks = min(blocks, lds_of * 1024 // lds)
    lds_width = 256 if target == "gfx950" else 128
    if wave == 32:
        lds_width = 256  # a WGP has two LDS pipes of 128 bytes
    return {"kernel": kernel, "matrix": len(matrix), "kind": max(set(matrix), key=matrix.count), "cycles": cycles,
            "others": others, "share": cycles / (cycles + slots * (4 if wave == 64 else 1)),
            "mca": mca_share(llvm, target, loop) if with_mca and wave == 64 else None,
            "lds_time": simds * moved / lds_width / cycles, "lds": lds, "vgprs": vgprs - (agprs if wave == 64 else 0),
            "agprs": agprs, "waves": blocks * waves_of_block / simds,
            "spills": int(use.get("vgpr_spill_count", 0)) + int(use.get("sgpr_spill_count", 0)) +
            int(use["private_segment_fixed_size"])}


def macro_tile(kernel):
    match = re.search(r"_MT(\d+)x(\d+)x(\d+)", kernel)
    return tuple(map(int, match.groups())) if match else (0, 0, 0)


def best_of_library(folder, target, kind, llvm, most):
    best = None
    for path in sorted(pathlib.Path(folder).glob(f"*Alik_Bljk*_{target}*.*o")):
        if path.suffix not in (".co", ".hsaco") or not re.search(FILES[kind], path.name) or "xnack+" in path.name:
            continue
        if re.search(r"Fp16Alt|fallback|B8F8|F8B8", path.name):
            continue
        with tempfile.TemporaryDirectory() as unpacked:
            found = best_of_file(CodeObject(path, llvm, target, unpacked), target, llvm, most)
        if found and (best is None or found["share"] > best["share"]):
            best = found
    return best


def best_of_file(code_object, target, llvm, most):
    kernels = [k for k in code_object.resources if macro_tile(k)[0] * macro_tile(k)[1] >= 128 * 128]
    kernels.sort(key=lambda k: (-macro_tile(k)[0] * macro_tile(k)[1], -macro_tile(k)[2], k))
    all_of_them = [f for k in kernels[:most] if (f := figures(target, code_object, k, llvm, with_mca=False))]
    if not all_of_them:
        return None
    return figures(target, code_object, max(all_of_them, key=lambda f: f["share"])["kernel"], llvm)


def shown(target, kind, whose, f):
    name = f["kind"].removeprefix("v_").removesuffix("_e32").removesuffix("_e64")
    tile = macro_tile(f["kernel"])
    mca_share = f"{f['mca']:.2f}" if f["mca"] else ""
    return (f"| {target} | {kind} | {whose}{' MT%dx%dx%d' % tile if tile[0] else ''} | {name} | {f['matrix']} / "
            f"{f['cycles']} | {f['others']} | {f['share']:.3f} | {mca_share} | {f['lds_time']:.2f} | {f['lds']} | "
            f"{f['vgprs']} + {f['agprs']} | {f['waves']:g} | {f['spills'] or 'none'} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("--library", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--targets", default="gfx90a,gfx942,gfx950,gfx1100,gfx1201")
    parser.add_argument("--kernels", default="", help="regular expression; all if empty")
    parser.add_argument("--most", type=int, default=12, help="kernels of a file that are looked at")
    parser.add_argument("--llvm", default="22")
    options = parser.parse_args()
    print("| target | type | kernel | matrix instruction | matrix: n / cycles | other | share | mca | LDS time | LDS bytes "
          "| VGPR + AGPR | waves | spills |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    bad = 0
    for target in options.targets.split(","):
        objects = {m: CodeObject(p, options.llvm) for m in ("gemm", "gemm_mx", "attention", "attention_fp32")
                   if (p := pathlib.Path(options.ours) / target / f"{m}.co").exists()}
        for kernel in OUR_KERNELS:
            if not re.search(options.kernels, kernel):
                continue
            module, kind = kernel.split("_", 1)
            if holder := next((o for o in objects.values() if kernel in o.resources), None):
                found = figures(target, holder, kernel, options.llvm)
                if found:
                    bad += found["spills"] != 0
                    print(shown(target, kernel.replace("_", " "), "rocvet", found), flush=True)
            if module == "gemm" and kind in FILES:
                for library in options.library:
                    name, folder = library.split("=", 1)
                    found = best_of_library(folder, target, kind, options.llvm, options.most)
                    if found:
                        print(shown(target, "gemm " + kind, name, found), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
