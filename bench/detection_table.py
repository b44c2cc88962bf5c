#!/usr/bin/env python3
"""detection_table.py ROCVET: for every GPU whose figures are known × self-test, the smallest loss that rocvet notices (warns of), in per
cent of what healthy parts do. Markdown. Two numbers: with the engine clock counted under load / without; "-": nothing is known."""
import json
import subprocess
import sys

TESTS = ["bandwidth.copy", "bandwidth.triad", "bandwidth.read", "bandwidth.write", "bandwidth.h2d", "bandwidth.d2h", "bandwidth.bidir",
         "peak.fp64", "peak.fp32", "peak.fp16", "peak.bf16", "peak.fp8", "peak.int8", "peak.fp6", "peak.fp4",
         "gemm.fp64", "gemm.fp32", "gemm.fp16", "gemm.bf16", "gemm.fp8", "gemm.int8",
         "gemm.mxfp8", "gemm.mxfp6", "gemm.mxfp4",
         "attention.fp32", "attention.fp16", "attention.bf16"]


def asked(rocvet, *options):
    done = subprocess.run([rocvet, "expect", "--gpu", "*", "--format", "json", *options], capture_output=True, text=True, check=True)
    found = {}
    for gpu in json.loads(done.stdout)["gpus"]:
        losses = {test["test"]: 100 * test["smallest_loss"]["warn"] for test in gpu["tests"]}
        found[gpu["gpu"], gpu["gfx"]] = losses
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    counted, unread = asked(sys.argv[1]), asked(sys.argv[1], "--no-clock")
    print("| GPU | " + " | ".join(TESTS) + " |")
    print("|---|" + "---|" * len(TESTS))
    noticed = cells = rows = nothing = 0
    for key in sorted(counted, key=lambda k: (k[1], k[0])):
        if not counted[key]:
            nothing += 1
            continue
        row = []
        for test in TESTS:
            with_clock, without = counted[key].get(test), unread[key].get(test)
            if with_clock is None:
                row.append("-")
                continue
            cells += 1
            noticed += with_clock <= 25
            row.append(f"{with_clock:.0f}" if round(with_clock) == round(without) else f"{with_clock:.0f}/{without:.0f}")
        rows += 1
        print(f"| {key[0]} ({key[1]}) | " + " | ".join(row) + " |")
    print(f"\n{rows} GPUs, {cells} cells; a loss of a quarter is noticed in {noticed} ({100 * noticed / cells:.1f} %) when the clock is "
          f"counted. Of {nothing} more the database knows neither units, clock nor memory: a run asks the driver for them.")


if __name__ == "__main__":
    main()
