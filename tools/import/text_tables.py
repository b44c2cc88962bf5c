"""Tables of Markdown and of reStructuredText: lists of rows, each a list of cells, with the heading above them."""
import csv
import re


def tables(text):
    """(heading, header, rows) of every table, in order. `header` is [] where it has none."""
    lines = text.splitlines()
    heading, at = "", 0
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif at + 1 < len(lines) and line and re.match(r"([=*~\-^])\1{3,}\s*$", lines[at + 1]):
            heading = line
        elif tab := re.match(r"(?::*\{tab-item\}|.. tab-item::)\s*(.*)", line.lstrip(":")) or re.match(r":+\{tab-item\}\s*(.*)", line):
            heading = f"{heading.split(' / ')[0]} / {tab[1]}"
        if line.startswith("|") and at + 1 < len(lines) and re.match(r"\s*\|?[\s:|-]+\|?[\s:|-]*$", lines[at + 1]):
            end = at
            while end < len(lines) and "|" in lines[end]:
                end += 1
            rows = [pipes(row) for row in lines[at:end]]
            yield heading, rows[0], rows[2:]
            at = end
            continue
        if line.startswith(".. csv-table::"):
            header, rows, at = csv_table(lines, at + 1)
            yield heading, header, rows
            continue
        if line.startswith(".. list-table::"):
            rows, at = list_table(lines, at + 1)
            yield heading, rows[0] if rows else [], rows[1:]
            continue
        at += 1


def pipes(line):
    return [part.strip() for part in line.strip().strip("|").split("|")]


def indent(line):
    return len(line) - len(line.lstrip())


def block(lines, at):
    """The indented lines below a directive, and where they end."""
    own = indent(lines[at - 1])
    end = at
    while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > own):
        end += 1
    return lines[at:end], end


def csv_table(lines, at):
    body, end = block(lines, at)
    header, rows = [], []
    for line in body:
        text = line.strip()
        if text.startswith(":header:"):
            header = next(csv.reader([text.removeprefix(":header:").strip()], skipinitialspace=True))
        elif text.startswith('"'):
            rows.append(next(csv.reader([text], skipinitialspace=True)))
    return header, rows, end


def list_table(lines, at):
    body, end = block(lines, at)
    rows = []
    for line in body:
        text = line.strip()
        if text.startswith("* -"):
            rows.append([text[3:].strip()])
        elif text.startswith("- ") or text == "-":
            if rows:
                rows[-1].append(text[1:].strip())
        elif text and not text.startswith(":") and rows and rows[-1]:
            rows[-1][-1] = f"{rows[-1][-1]} {text}".strip()
    return rows, end
