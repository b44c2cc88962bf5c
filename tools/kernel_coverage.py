#!/usr/bin/env python3
"""kernel_coverage.py LINUX_TREE [--show] [--write FILE]: how many of the amdgpu driver's error strings db/kernel_log has a template for.

Counted are distinct format strings at error level (dev_err, drm_err, DRM_ERROR, pr_err, dev_crit, WARN with text …) below
drivers/gpu/drm/amd/{amdgpu,ras,amdkfd,pm,amdxcp}. A string counts as classified when a message printed by it fits a template.
--write: a message of each that is classified, for the test that each stays so (tests/kernel_messages.txt).
"""
import ast
import collections
import itertools
import pathlib
import re
import sys
import tomllib

FOLDERS = ("amdgpu", "ras", "amdkfd", "pm", "amdxcp")
MACRO = re.compile(r"\b((?:dev|pr|drm|DRM|DRM_DEV|RAS_DEV|RAS)_(?:err|error|crit|emerg|alert|ERR|ERROR|CRIT)(?:_once|_ratelimited|_RATELIMITED|_ONCE)?"
                   r"|WARN|WARN_ONCE|drm_WARN(?:_ONCE)?|dev_WARN(?:_ONCE)?)\s*\(")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
COMMENT = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')|/\*.*?\*/|//[^\n]*', re.S)
CONVERSION = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|t)?([diuxXpscl%])[A-Za-z0-9]*")
FIELD = re.compile(r"\{[a-z_][a-z0-9_]*:([a-z]+)\}")
TYPES = {"int": r"[-+]?\d+", "hex": r"(?:0x)?[0-9a-fA-F]+", "word": r"\S+", "path": r"\S+", "bdf": r"[0-9a-fA-F:.]+", "any": r".*?", "rest": r".*"}
# What a %s may be: templates that share a string name the word that they are about.
WORDS = ("word", "two words", "7", "0000:03:00.0", "deferred hardware errors", "XGMI", "enable")


def templates(folder):
    for path in sorted(folder.glob("*.toml")):
        for event in tomllib.loads(path.read_text(encoding="utf-8"))["event"]:
            for text in event["text"]:
                parts = FIELD.split(text)
                yield re.compile("".join(re.escape(p) if i % 2 == 0 else TYPES[p] for i, p in enumerate(parts)), re.S)


def call(source, start):
    """The arguments of a call, from after its bracket to the one that closes it."""
    depth, at = 1, start
    while at < len(source) and depth:
        if source[at] == '"' and (found := STRING.match(source, at)):
            at = found.end()
            continue
        depth += source[at] in "([{"
        depth -= source[at] in ")]}"
        at += 1
    return source[start:at - 1]


def formats(path):
    source = COMMENT.sub(lambda m: m[1] or " ", path.read_text(encoding="utf-8", errors="replace"))
    for macro in MACRO.finditer(source):
        arguments = call(source, macro.end())
        literals = re.search(r'"(?:\\.|[^"\\])*"(?:\s*(?:PRI\w+\s*)?"(?:\\.|[^"\\])*")*', arguments)
        if literals:
            try:
                yield "".join(ast.literal_eval(one) for one in STRING.findall(literals[0])).rstrip("\n")
            except (SyntaxError, ValueError):
                continue


def messages(text):
    """What the string may print, its first line, without what a header takes away."""
    for word in WORDS:
        values = {"d": "3", "i": "3", "u": "3", "x": "1f", "X": "1f", "p": "1f", "c": "a", "s": word, "l": "3", "%": "%"}
        line = CONVERSION.sub(lambda m: values[m[1]], text).strip().split("\n")[0]
        yield re.sub(r"^(?:amdgpu: |kfd kfd: |\*ERROR\* |\[drm\] |\{\d+\}\s*)*", "", line).strip()


def main():
    tree = pathlib.Path(sys.argv[1]) / "drivers/gpu/drm/amd"
    known = list(templates(pathlib.Path(__file__).resolve().parent.parent / "db" / "kernel_log"))
    left, total, seen, printed = collections.defaultdict(list), 0, set(), set()
    for path in itertools.chain.from_iterable(sorted((tree / folder).rglob("*.c")) for folder in FOLDERS):
        for text in formats(path):
            if text in seen or not text:
                continue
            seen.add(text)
            total += 1
            message = next((m for m in messages(text) if any(one.fullmatch(m) for one in known)), None)
            if message is None:
                left[path.relative_to(tree)].append(text)
            else:
                printed.add(message)
    missing = sum(map(len, left.values()))
    print(f"{total} distinct error strings, {total - missing} classified = {100 * (total - missing) / max(1, total):.1f} %")
    for path, texts in sorted(left.items(), key=lambda item: -len(item[1])):
        print(f"  {len(texts):3d} left in {path}")
        if "--show" in sys.argv:
            for text in texts:
                print("       ", repr(text))
    if "--write" in sys.argv:
        file = pathlib.Path(sys.argv[sys.argv.index("--write") + 1])
        # What stands behind its first blank line is of other releases, and stays.
        others = file.read_text(encoding="utf-8").partition("\n\n")[2] if file.exists() else ""
        head = f"# Messages of {sys.argv[1].rstrip('/').rsplit('/', 1)[-1]}, made from its format strings by tools/kernel_coverage.py.\n"
        file.write_text(head + "\n".join(sorted(printed)) + "\n" + (others and "\n" + others), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
