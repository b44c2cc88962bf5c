#!/usr/bin/env python3
"""variables_recorded.py ROOT: every variable that a check or a row of db/checks asks for is recorded in a snapshot (source/
environment_names.cpp). Else the check says another thing of the snapshot than of the machine."""
import fnmatch
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
text = (root / "source/environment_names.cpp").read_text(encoding="utf-8")
names = re.findall(r'"([A-Za-z0-9_*]+)"', text)
asked = {}
for path in sorted((root / "checks").rglob("*.cpp")):
    for name in re.findall(r'\b(?:variable\w*|effective_variable|places_that_set)\(\s*(?:machine|context\.machine)\s*,\s*"([A-Za-z0-9_]+)"',
                           path.read_text(encoding="utf-8")):
        asked[name] = path.relative_to(root)
for path in sorted((root / "db/checks").glob("*.toml")):
    for name in re.findall(r'"variable\.([A-Za-z0-9_]+)"', path.read_text(encoding="utf-8")):
        asked[name] = path.relative_to(root)
lost = {name for name in asked if not any(fnmatch.fnmatchcase(name, known) for known in names)}
for name in sorted(lost):
    print(f"{asked[name]} asks for {name}, and no snapshot has it")
if len(asked) < 40:
    print(f"only {len(asked)} variables were found")
sys.exit(bool(lost) or len(asked) < 40)
