"""Tables of HTML inside of Markdown: the heading and the tab that each stands under, its titles, and rows of cells, a cell a list of its lines.
A cell that spans rows or columns stands in all of them. AMD's pages leave end tags out and close a table with another "<table>"."""
import dataclasses
import html.parser
import re

HEADING = re.compile(r"#{1,6}\s+(.*)")
TAB = re.compile(r"[:`]{3,}\{tab-item\}\s*(.*)")
BREAKS = ("p", "br", "li", "div")


@dataclasses.dataclass
class Table:
    heading: str
    tab: str
    titles: list = dataclasses.field(default_factory=list)  # in small letters
    rows: list = dataclasses.field(default_factory=list)


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.table, self.cell, self.in_head = [], None, None, False
        self.raw = []  # rows of (is in the head, [(lines, rows, columns that it spans)])

    def start(self, heading, tab):
        self.finish()
        self.table = Table(heading, tab)

    def finish(self):
        """Whatever is open ends; a table without rows was none."""
        if self.table and any(cells for _, cells in self.raw):
            raw = [(is_head, cells) for is_head, cells in self.raw if cells]
            rows, heads = spread(cells for _, cells in raw), [is_head for is_head, _ in raw]
            self.table.titles = [" ".join(lines).lower() for lines in rows[0]] if heads[0] else []
            self.table.rows = [row for row, is_head in zip(rows, heads) if not is_head]
            self.tables.append(self.table)
        self.reset()
        self.table, self.cell, self.in_head, self.raw = None, None, False, []

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            if self.raw:
                heading, tab = self.table.heading, self.table.tab
                self.start(heading, tab)
        elif tag == "thead":
            self.in_head = True
        elif tag == "tr":
            self.raw.append((self.in_head, []))
            self.cell = None
        elif tag in ("td", "th"):
            span = dict(attrs)
            self.cell = [""]
            if not self.raw:
                self.raw.append((self.in_head, []))
            self.raw[-1][1].append((self.cell, int(span.get("rowspan") or 1), int(span.get("colspan") or 1)))
        elif tag in BREAKS and self.cell is not None:
            self.cell.append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th", "tr", "table"):
            self.cell = None
        elif tag == "thead":
            self.in_head = False
        elif tag in BREAKS and self.cell is not None:
            self.cell.append("")

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[-1] += data


def spread(raw):
    """Rows of equal columns: what spans several is in each of them."""
    rows, above = [], {}  # column -> (lines, rows that are left, 1)
    for cells in raw:
        row, below, cells = [], {}, list(cells)
        while cells or len(row) in above:
            lines, left, wide = above[len(row)] if len(row) in above else cells.pop(0)
            for _ in range(wide):
                if left > 1:
                    below[len(row)] = (lines, left - 1, 1)
                row.append(lines)
        rows.append(row)
        above = below
    return [[[line for line in (" ".join(part.split()) for part in lines) if line] for lines in row] for row in rows]


def html_tables(text):
    reader, heading, tab = Reader(), "", ""
    for line in text.splitlines():
        if found := HEADING.match(line):
            reader.finish()
            heading, tab = found[1].strip(), ""
        elif found := TAB.match(line):
            reader.finish()
            tab = found[1].strip()
        elif reader.table or "<table" in line:
            if reader.table is None:
                reader.start(heading, tab)
            reader.feed(line + "\n")
    reader.finish()
    return reader.tables
