"""docs/deploy/linux/os-native/install.md (5.4 to 5.7.0): tabs of Markdown, a system and in it its versions; `ver` is set before it is used."""
import re

from repository_pages import Named, named_cells, rows_named

SYSTEMS = {"Ubuntu": "ubuntu", "Red Hat": "rhel", "RHEL": "rhel", "SUSE": "sles", "SLES": "sles"}


def tab_page(text, release):
    """A fence of colons opens a tab, one as long closes it. Of a loop over releases the page's own counts."""
    named, tabs, version = Named(), [], release
    for line in re.sub(r"\s*\\\n", " ", text).split("\n"):
        fence = re.match(r" *(:{3,})(?:\{tab-item\} (.+))?", line)
        if fence:
            tabs = [tab for tab in tabs if tab[0] > len(fence[1])] + ([(len(fence[1]), fence[2])] if fence[2] else [])
        several = re.match(r"for ver in (.+); do|ver=(\S+)", line)
        if several:
            versions = (several[1] or several[2]).split()
            version = release if release in versions else versions[-1]
        names = [name for _, name in tabs]
        system = next((SYSTEMS[own] for name in names for own in SYSTEMS if name.startswith(own)), None)
        number = re.search(r" (\d[\d.]*)$", names[-1]) if len(names) > 1 else None
        # Packages with a version at their end are those of several releases beside each other.
        if system and not re.search(r"install .*[a-z]\d+\.\d", line):
            named.add(system, [number[1] if number else ""], line.strip().replace("$ver", version))
    return named


def markdown_page(table, text, releases, known):
    release = releases[0]
    named = tab_page(text, re.sub(r"\.0$", "", release))
    yield from named_cells(table, release, named, known)
    yield from rows_named(table, release, named, known, lambda source: "ROCm/ROCm@" in source and "docs/deploy/linux" in source)
