"""Pages of a site as a crawler took them down: a table's cells one a line ("RHEL 9.6 |"), and footnotes as sentences without the marks that
lead to them. They become Markdown, and what reads that reads them."""
import re

from support_pages import grid_of, plain_note, support_page


def as_markdown(text):
    lines, out, at = text.splitlines(), [], 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].rstrip().endswith("|"):
            end += 1
        cells = [line.strip().removesuffix("|").strip() for line in lines[at:end]]
        bar = next((i for i, line in enumerate(lines[at:end]) if re.fullmatch(r"\s*\|(?:-+\|)+\s*", line)), None)
        if bar is None:
            out.append(lines[at])
            at += 1
            continue
        wide = lines[at + bar].count("|") - 1
        rows = [cells[start:start + wide] for start in [bar - wide, *range(bar + 1, len(cells), wide)]]
        out += [f"| {' | '.join(row)} |" for row in rows]
        out[-len(rows) + 1:-len(rows) + 1] = ["|" + "---|" * wide]
        at = end
    return "\n".join(out) + "\n"


def sentences(text):
    """What stands under "Footnotes", a sentence a line."""
    found, inside = [], False
    for line in text.splitlines():
        inside = line.strip() == "Footnotes" or inside and not line.startswith("#")
        if inside and line.rstrip().endswith("."):
            found.append(plain_note(line))
    return found


def rendered_page(table, text, all_releases, known):
    yield from support_page(table, as_markdown(text), all_releases, known)


def rendered_grid(text):
    return grid_of(as_markdown(text), sentences(text))
