#!/usr/bin/env python3
"""one_definition.py ROOT: types of one name in one namespace that two files define. The linker takes the functions of either for both,
and a program that has both crashes where the compiler of neither had a word to say. Exit status 1 when there are any."""
import collections
import pathlib
import re
import sys

OPEN = re.compile(r"namespace(?: ([\w:]+))? \{")
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)? *(?:\{|:(?!:))")
FOLDERS = ["base", "checks", "cli", "db", "diagnosis", "formats", "machine", "plan", "report", "selftests", "source", "update"]


def types_of(path):
    """Names of the types that a file defines outside unnamed namespaces."""
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if opened := OPEN.match(line):
            spaces.append(opened[1] or "")
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif (named := TYPE.match(line)) and "" not in spaces:
            yield "::".join(spaces + [named[1]])


def main():
    root = pathlib.Path(sys.argv[1])
    found = collections.defaultdict(set)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for name in types_of(path):
                    found[name].add(path.relative_to(root))
    if not found:
        sys.exit(f"one_definition.py: no type is defined in {root}: wrong folder?")
    twice = {name: files for name, files in found.items() if len(files) > 1}
    for name, files in sorted(twice.items()):
        print(f"{name}: {', '.join(map(str, sorted(files)))}")
    print(f"{len(found)} types, {len(twice)} defined twice")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
