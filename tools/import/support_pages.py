"""Pages of one release: which GPUs and systems it supports (gpu_os_support.md, system-requirements.rst), which drivers (…space-compat-matrix),
which frameworks (3rd-party-support-matrix)."""
import re

from cells import BAD, DEPRECATED, GOOD, LEFT_OUT, cell, is_listed, kernels, mark, plain, product, releases, systems
from gpu_systems import Grid
from text_tables import tables


def footnotes(text):
    """name -> words, of reStructuredText's `.. [#name] …` and of `:sup:` numbers below a page's "Footnotes"."""
    found, name = {}, None
    for line in text.splitlines():
        start = re.match(r"\s*\.\. \[#([^\]]*)\]\s*(.*)", line) or re.match(r":sup:`(\d+)`\s+(.*)", line)
        if start:
            name = start[1]
            found[name] = start[2]
        elif name and line.strip() and line[:1] == " ":
            found[name] += " " + line.strip()
        else:
            name = None
    return {key: re.sub(r"\s+", " ", plain_note(words)) for key, words in found.items()}


def plain_note(words):
    return re.sub(r"\*+", "", plain(words))


def lists_of(text):
    """([(GPU, verdict, its last column)], [([system], [kernel], verdict)], marks of footnotes) of a page."""
    gpus, oses, marks = [], [], []
    for heading, header, rows in tables(text):
        titles = [plain(title).lower() for title in header]
        if "virtual" in heading.lower() or any("hypervisor" in title for title in titles):
            continue
        for row in rows:
            # some cells hold a list with commas outside of quotation marks
            verdict = next((found for found in map(mark, reversed(row)) if found), None)
            gfx = next((found[0] for part in row for found in [re.search(r"gfx[0-9a-f]+", part)] if found), None)
            if gfx:
                gpus.append((product(row[0]), verdict or GOOD, row[-1]))
            elif systems(row[0]) and (verdict or titles and re.search("distribution|operating system", titles[0])):
                # another column has the numbers of glibc
                own = [part for title, part in zip(titles, row) if "kernel" in title] or row[1:]
                oses.append((systems(row[0]), [k for part in own for k in kernels(part)], verdict or GOOD))
            else:
                continue
            marks += re.findall(r"\[#([^\]]*)\]_", " ".join(row)) + re.findall(r":sup:`(\d+)`", " ".join(row))
    return gpus, oses, marks


def grid_of(text, more_notes=()):
    """The grid of a page of one release; None where it lacks one of its lists. `more_notes`: footnotes that no mark leads to."""
    gpus, oses, marks = lists_of(text)
    good = {name: k for names, k, verdict in oses if verdict == GOOD for name in names}
    usable = [(name, last) for name, verdict, last in gpus if verdict in (GOOD, DEPRECATED)]
    if not good or not usable:
        return None
    grid, notes = Grid([name for name, _ in usable], good), footnotes(text)
    for name, last in usable:
        if only := re.search(r"\((Ubuntu [\d.]+) only\)", last):
            grid.only_systems([name], [(system, []) for system in good if system.startswith(only[1].lower())])
    for note in [*(notes.get(mark, "") for mark in dict.fromkeys(marks)), *more_notes]:
        grid.apply(note)
    return grid


def support_page(table, text, all_releases, known):
    """Cells of one page. `known`: .gpus, .systems that the database has, for what the page leaves out."""
    gpus, oses, _ = lists_of(text)
    for release in all_releases:
        for name, verdict, _ in gpus:
            yield cell(table, f"GPU {name}", verdict, gpu=name, rocm=release)
        listed = {name.lower() for name, _, _ in gpus}
        for name in known.gpus if gpus else ():
            if not any(name.lower() == each or name.lower().startswith(each + " (") for each in listed):
                yield cell(table, f"GPU {name}, left out", LEFT_OUT, gpu=name, rocm=release)
        for names, kernel_list, verdict in oses:
            for name in names:
                yield cell(table, f"system {name}", verdict, os=name, rocm=release)
                for kernel in kernel_list if verdict == GOOD else ():
                    yield cell(table, f"system {name}, kernel {kernel}", verdict, os=name, kernel=kernel, rocm=release)
        spoken_of = {name for names, _, _ in oses for name in names}
        for name in known.systems if oses else ():
            if not is_listed(name, spoken_of):
                yield cell(table, f"system {name}, left out", BAD, os=name, rocm=release)


def driver_page(table, text, all_releases, known):
    """KFD against user space: what stands in a row goes together, what the table's other rows name does not. A table of point releases is what was
    tested, and later editions list their whole series: what it leaves out says nothing."""
    pairs = {}
    for _, header, rows in tables(text):
        if not header or "kfd" not in header[0].lower():
            continue
        for row in rows:
            for driver in releases(plain(row[0])):
                pairs[driver] = {release for part in ",".join(row[1:]).split(",") for release in releases(plain(part))}
    columns = set().union(*pairs.values()) if pairs else set()
    for driver, good in pairs.items():
        for release in columns:
            if release != driver and (release in good or driver.count(".") == 1):
                yield cell(table, f"KFD {driver}, user space {release}", GOOD if release in good else BAD, driver=driver, rocm=release)


def framework_page(table, text, all_releases, known):
    for _, header, rows in tables(text):
        titles = [plain(title).lower() for title in header]
        if not titles or titles[0] != "rocm":
            continue
        for row in rows:
            for release in releases(plain(row[0])):
                for title, part in zip(titles[1:], row[1:]):
                    name = {"pytorch": "pytorch", "tensorflow": "tensorflow", "jax": "jax"}.get(title)
                    for version in re.findall(r"\d+(?:\.\d+)+", plain(part)) if name else ():
                        yield cell(table, f"ROCm {row[0]}, {title}", GOOD, framework=f"{name}={version}", rocm=release)
