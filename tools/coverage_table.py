#!/usr/bin/env python3
"""llvm-cov export -summary-only … | coverage_table.py ROOT BUILD: lines that were run, by folder and of the worst files."""
import collections
import json
import pathlib
import sys

WORST = 25
NOT_COUNTED = ("tests/", "bench/", "selftests/kernels/", "build/")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    build = pathlib.Path(sys.argv[2]).resolve()
    folders = collections.defaultdict(lambda: [0, 0])
    files = []
    for file in json.load(sys.stdin)["data"][0]["files"]:
        path = pathlib.Path(file["filename"]).resolve()
        if not path.is_relative_to(root) or path.is_relative_to(build):
            continue
        name = str(path.relative_to(root))
        if name.startswith(NOT_COUNTED):
            continue
        lines = file["summary"]["lines"]
        for key in (name.split("/")[0], "all"):
            folders[key][0] += lines["covered"]
            folders[key][1] += lines["count"]
        files.append((lines["count"] - lines["covered"], lines["percent"], name))
    if not files:
        sys.exit("coverage_table.py: no file of the project in what llvm-cov says")
    for name, (run, count) in sorted(folders.items(), key=lambda one: one[1][0] / max(1, one[1][1])):
        print(f"{100 * run / max(1, count):6.1f} %  {run:6} of {count:6}  {name}")
    print("lines that nothing runs, by file:")
    for missed, percent, name in sorted(files, reverse=True)[:WORST]:
        print(f"{missed:6}  {percent:5.1f} %  {name}")


if __name__ == "__main__":
    main()
