#!/usr/bin/env python3
"""layers.py ROOT: no folder includes one that stands above it. What each may include is CONTRIBUTING.md's picture."""
import pathlib
import re
import sys

MAY = {
    "base": [],
    "formats": ["base"],
    "source": ["formats", "base"],
    "machine": ["source", "formats", "base"],
    "db": ["machine", "formats", "base"],
    "update": ["db", "machine", "source", "formats", "base"],
    "checks": ["db", "machine", "formats", "base"],
    "diagnosis": ["checks", "db", "machine", "base"],
    "plan": ["checks", "db", "machine", "base"],
    "selftests": ["db", "machine", "source", "formats", "base"],
    "report": ["selftests", "diagnosis", "checks", "db", "machine", "source", "formats", "base"],
}
# Known trespasses: this list only shrinks.
KNOWN = set()

root = pathlib.Path(sys.argv[1])
found, looked_at = set(), 0
for folder, allowed in MAY.items():
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".h", ".cpp", ".inc", ".hip"):
            continue
        looked_at += 1
        for other in re.findall(r'#include "([a-z]+)/', path.read_text(encoding="utf-8")):
            if other in MAY and other != folder and other not in allowed:
                found.add(f"{path.relative_to(root)} includes {other}/")
for line in sorted(found - KNOWN):
    print(line)
for line in sorted(KNOWN - found):
    print(f"no longer so, take it off the list: {line}")
if looked_at < 300:
    print(f"only {looked_at} files were looked at")
sys.exit(bool(found ^ KNOWN) or looked_at < 300)
