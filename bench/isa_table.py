#!/usr/bin/env python3
"""What the compiler made of our kernels: one line per kernel and AMD target, as Markdown.

    isa_table.py [--targets gfx90a,gfx942,...] [--modules gemm,attention] [--clang clang++-22]

Registers, LDS, scratch and waves are the compiler's own account. The loop is the innermost one with the
most matrix instructions (or multiply-adds, where there are none): how many it has, how many instructions
all together, and the cycles of one iteration by llvm-mca, which knows no caches, no second wave and no
overlap with the next iteration. The exit status is 1 if a kernel uses scratch memory.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent / "selftests" / "kernels"
MATRIX = re.compile(r"^v_(mfma|wmma|smfmac|swmmac)")
MULTIPLY = re.compile(r"^v_(fma|fmac|dual_fmac|pk_fma|dot|mad|pk_fmac)")
RESOURCE = {"NumVgprs": "vgpr", "NumAgprs": "agpr", "ScratchSize": "scratch", "LDSByteSize": "lds",
            "Occupancy": "waves"}


def assemble(clang, target, module, folder):
    out = folder / f"{module}.{target}.s"
    subprocess.run([clang, "-x", "hip", "--offload-device-only", f"--offload-arch={target}", "-nogpuinc",
                    "-nogpulib", "-mcode-object-version=4", "-std=c++20", "-O3", "-S", "-o", out,
                    ROOT / f"{module}.hip"], check=True)
    return out.read_text()


def kernels(text):
    """name -> (lines of the body, resources)"""
    found, name, body = {}, None, []
    for line in text.splitlines():
        start = re.match(r"^(\w+):\s+; @\1", line)
        if start:
            name, body = start[1], []
        elif name and re.match(r"^; (\w+): (\d+)", line):
            key, value = re.match(r"^; (\w+): (\d+)", line).groups()
            if key in RESOURCE:
                found.setdefault(name, (body, {}))[1][RESOURCE[key]] = int(value)
        elif name and not line.startswith(";"):
            body.append(line)
    return {n: k for n, k in found.items() if "vgpr" in k[1] and "geometry" not in n}


def instruction(line):
    match = re.match(r"^\t([a-z]\w+)", line)
    return match[1] if match else None


def hot_loop(body):
    """The lines of the loop (label ... branch back to it) with the most matrix instructions."""
    labels = {m[1]: i for i, line in enumerate(body) if (m := re.match(r"^(\.LBB\w+):", line))}
    best, best_count = [], (0, 0)
    for end, line in enumerate(body):
        branch = re.match(r"^\ts_c?branch\w*\s+(\.LBB\w+)", line)
        if not branch or labels.get(branch[1], len(body)) >= end:
            continue
        loop = [x for x in body[labels[branch[1]]:end + 1] if instruction(x)]
        count = (sum(bool(MATRIX.match(instruction(x))) for x in loop),
                 sum(bool(MULTIPLY.match(instruction(x))) for x in loop))
        if count > best_count or (count == best_count and len(loop) < len(best)):
            best, best_count = loop, count
    return best


def mca_cycles(mca, target, loop):
    code = "\n".join(line.split(";")[0] for line in loop if "branch" not in line)
    done = subprocess.run([mca, "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-iterations=1"],
                          input=code + "\n", capture_output=True, text=True)
    match = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return int(match[1]) if match else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--targets", default="gfx90a,gfx942,gfx950,gfx1100,gfx1201")
    parser.add_argument("--modules", default="gemm,attention")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--mca", default="llvm-mca-22")
    options = parser.parse_args()
    print("| target | kernel | matrix instruction | of loop | loop | cycles (mca) | VGPR | AGPR | LDS | scratch | waves/SIMD |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in options.targets.split(","):
            for module in options.modules.split(","):
                text = assemble(options.clang, target, module, pathlib.Path(folder))
                for name, (body, use) in kernels(text).items():
                    loop = hot_loop(body)
                    if not loop:
                        continue  # the target has no instructions for the type
                    names = [instruction(line) for line in loop]
                    matrix = [n for n in names if MATRIX.match(n)]
                    used = matrix or [n for n in names if MULTIPLY.match(n)]
                    kind = max(set(used), key=used.count) if used else "-"
                    cycles = mca_cycles(options.mca, target, loop)
                    bad += use.get("scratch", 0) != 0
                    print(f"| {target} | {name} | {kind.removesuffix('_e32').removesuffix('_e64')} | {len(used)} | {len(loop)} | "
                          f"{cycles or ''} | {use['vgpr']} | {use.get('agpr', '-')} | {use['lds']} | "
                          f"{use['scratch']} | {use.get('waves', '')} |")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
