#!/usr/bin/env python3
"""What each self-test is on each AMD target, and where it was verified. Markdown.

    targets_table.py OURS [--verified bench/verified.csv] [--llvm 22] > selftests/targets.md

OURS is a folder of code objects as a build of all targets makes it: build/release/selftests/kernels.
Registers, LDS and spills are the compiler's account in the code objects' notes, of the kernel of a test
that has most; the instruction is the matrix, dot or multiply-add instruction that its code has most of, of
conversions the one that narrows.
verified.csv has target, test (a glob), where and date; what it does not name is not verified.
The exit status is 1 if a kernel spills.
"""
import argparse
import collections
import csv
import fnmatch
import pathlib
import re
import subprocess
import sys

from isa_table import CodeObject

TESTS = {"gemm.fp64": ("gemm", r"gemm_fp64"), "gemm.fp32": ("gemm", r"gemm_fp32"), "gemm.fp16": ("gemm", r"gemm_fp16"),
         "gemm.bf16": ("gemm", r"gemm_bf16"), "gemm.fp8": ("gemm", r"gemm_fp8"), "gemm.int8": ("gemm", r"gemm_int8"),
         "gemm.mxfp8": ("gemm_mx", r"gemm_mx_(e4m3|e5m2)"), "gemm.mxfp6": ("gemm_mx", r"gemm_mx_(e2m3|e3m2)"),
         "gemm.mxfp4": ("gemm_mx", r"gemm_mx_e2m1"),
         "peak.fp64": ("peak", r"peak_fp64"), "peak.fp32": ("peak", r"peak_fp32"), "peak.fp16": ("peak", r"peak_fp16"),
         "peak.bf16": ("peak", r"peak_bf16"), "peak.fp8": ("peak", r"peak_fp8"), "peak.int8": ("peak", r"peak_int8"),
         "peak.fp6": ("peak", r"peak_fp6"), "peak.fp4": ("peak", r"peak_fp4"),
         "convert.fp16": ("convert", r"(narrow|widen)_fp16"), "convert.bf16": ("convert", r"(narrow|widen)_bf16"),
         "convert.fp8": ("convert", r"(narrow|widen)_(e4m3|e5m2)"), "convert.fp6": ("convert", r"(narrow|widen)_(e2m3|e3m2)"),
         "convert.fp4": ("convert", r"(narrow|widen)_e2m1"),
         "sparse.fp16": ("sparse", r"sparse_fp16"), "sparse.bf16": ("sparse", r"sparse_bf16"),
         "sparse.fp8": ("sparse", r"sparse_fp8"), "sparse.int8": ("sparse", r"sparse_int8"),
         "attention.fp32": ("attention_fp32", r"attention"), "attention.fp16": ("attention", r"attention_fp16"),
         "attention.bf16": ("attention", r"attention_bf16"), "bandwidth.copy": ("bandwidth", r"bandwidth_copy"),
         "bandwidth.triad": ("bandwidth", r"bandwidth_triad"), "bandwidth.read": ("bandwidth", r"bandwidth_read"),
         "bandwidth.write": ("bandwidth", r"bandwidth_write"), "memory.pattern": ("units", r"pattern"),
         "atomics.system": ("units", r"atomic"), "coherence.host": ("units", r"coherence"),
         "cu.uniform": ("units", r"uniform"), "stream.order": ("units", r"ordered"),
         "launch.latency": ("units", r"empty")}
# Where a target has no instructions for them, their kernels are empty.
MAY_LACK = ("gemm.fp8", "gemm.mx", "peak.fp6", "peak.fp4", "convert.", "sparse.")
MATRIX = re.compile(r"v_(mfma|wmma|smfmac|swmmac|dot)\w*")
CONVERT = re.compile(r"v_cvt_\w*(f16|fp8|fp6|fp4)_f32\w*")
MULTIPLY = re.compile(r"v_(dual_)?(pk_)?(fma|fmac|mad|mac)\w*")


def instructions(path, llvm):
    """kernel -> how often each instruction stands in its code"""
    text = subprocess.run([f"llvm-objdump-{llvm}", "-d", "--no-show-raw-insn", path], capture_output=True, text=True,
                          check=True).stdout
    counts, kernel = collections.defaultdict(collections.Counter), None
    for line in text.splitlines():
        if start := re.match(r"^[0-9a-f]+ <(\w+)>:", line):
            kernel = start[1]
        elif name := re.match(r"^\t(\w+)", line):
            counts[kernel][name[1]] += 1
    return counts


def used(counts, test):
    for kind in {"convert": [CONVERT], "sparse": [MATRIX]}.get(test.split(".")[0], [MATRIX, MULTIPLY]):
        found = {n: c for n, c in counts.items() if kind.fullmatch(n)}
        if found:
            return re.sub(r"^v_|_e32$|_e64$", "", max(found, key=found.get))
    return "none"


def print_others(verified):
    print("## Targets other than AMD's\n\n| target | test | verified |\n|---|---|---|")
    for v in verified:
        print(f"| {v['target']} | {v['test']} | {v['where']} ({v['date']}) |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("--verified", default=pathlib.Path(__file__).with_name("verified.csv"))
    parser.add_argument("--llvm", default="22")
    options = parser.parse_args()
    with open(options.verified, newline="") as file:
        verified = list(csv.DictReader(file))
    targets = sorted((p.name for p in pathlib.Path(options.ours).iterdir() if p.name.startswith("gfx")),
                     key=lambda name: (len(name), name))
    rows, bad = collections.defaultdict(dict), 0
    for target in targets:
        objects = {}
        for path in pathlib.Path(options.ours, target).glob("*.co"):
            objects[path.stem] = (CodeObject(path, options.llvm).resources, instructions(path, options.llvm))
        for test, (module, pattern) in TESTS.items():
            if module not in objects:
                continue
            resources, counts = objects[module]
            kernels = [k for k in resources if re.match(pattern, k)]
            instruction = used(sum((counts[k] for k in kernels), collections.Counter()), test)
            if test.startswith(MAY_LACK) and instruction == "none":
                rows[test].setdefault(("not applicable", "", "", "", ""), []).append(target)
                continue

            def most(key):
                return max(int(resources[k].get(key, 0)) for k in kernels)
            spills = most("vgpr_spill_count") + most("sgpr_spill_count") + most("private_segment_fixed_size")
            bad += spills
            where = "; ".join(f"{v['where']} ({v['date']})" for v in verified
                              if v["target"] == target and fnmatch.fnmatch(test, v["test"]))
            key = (instruction, most("vgpr_count"), most("group_segment_fixed_size"), spills or "none", where or "not verified")
            rows[test].setdefault(key, []).append(target)
    print("# Self-tests by target\n")
    print("Made by `bench/targets_table.py` from the code objects of a build of all targets and `bench/verified.csv`.")
    print("VGPRs include accumulation registers. On the host every test runs and is verified in each build, and so is")
    print("every kernel there for races (`tests/races`).\n")
    for test, groups in rows.items():
        print(f"## {test}\n\n| targets | instruction | VGPRs | LDS bytes | spills | verified |\n|---|---|---|---|---|---|")
        for (instruction, vgprs, lds, spills, where), names in groups.items():
            print(f"| {' '.join(names)} | {instruction} | {vgprs} | {lds} | {spills} | {where} |")
        print()
    print_others(v for v in verified if not v["target"].startswith("gfx"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
