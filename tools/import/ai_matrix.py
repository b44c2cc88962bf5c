"""docs/compatibility/include/ai-ecosystem.rst (from 7.14 on): versions of frameworks, on which targets, for which Pythons."""
import re

from release_notes import framework_cells

NAMES = {"onnx runtime": "onnxruntime"}


class Matrix:
    """.frameworks as release_notes.Notes has them; `families`: targets of "radeon" and "ryzen" together."""

    def __init__(self, text, families):
        self.frameworks = []
        name, left = "", {}  # left: column -> (rows that a cell still spans, the cell)
        for row in re.split(r"^ +\.\. matrix-row::\n", text, flags=re.M)[2:]:
            shown, *cells = re.split(r"^ +\.\. matrix-cell:: ", row, flags=re.M)
            cells = [(cell.split("\n")[0].strip(), self.condition(cell, families), int((re.search(r":rowspan: (\d+)", cell) or [0, 1])[1])) for cell in cells]
            versions = [cell for cell in cells if re.fullmatch(r"[\d., x]+", cell[0])]
            named = [cell for cell in cells if re.match(r"[A-Za-z]", cell[0])]
            name = named[0][0] if named else name
            python = cells[-1] if len(cells) > 1 and re.match(r"\d\.\d", cells[-1][0]) and cells[-1] not in versions[:1] else left.get("python")
            versions = [cell for cell in versions if cell != python] or versions[:1]
            left["python"] = python if python and python[2] > 1 else None
            system = "Linux" if "os=ubuntu" in shown else "Windows"
            for text_of, targets, _ in versions:
                pythons = re.findall(r"\b3\.\d+\b", python[0].split("(")[0]) if python else []
                for version in text_of.split(","):
                    self.add(NAMES.get(name.lower(), name.lower()), version.strip(), targets, system, pythons)

    def add(self, name, version, targets, system, pythons):
        """A version of two cells, for two families, is one for the targets of both."""
        for own in self.frameworks:
            if own[0] == name and own[1] == [version] and own[3] == system:
                own[2].extend(gfx for gfx in targets if gfx not in own[2])
                return
        self.frameworks.append((name, [version], list(targets), system, pythons))

    @staticmethod
    def condition(cell, families):
        shown = (re.search(r":show-cond: (.*)", cell) or [0, ""])[1]
        return re.findall(r"gfx=(gfx\w+)", shown) + (families if "fam=" in shown else [])


def radeon_and_ryzen(known, release):
    kinds = {row["gfx"] for row in known.tables["gpu"] if row["kind"] != "instinct"}
    return sorted(gfx for gfx in known.supported(release) if gfx in kinds)


def ai_matrix(table, text, releases, known):
    for release in releases:
        yield from framework_cells(table, release, Matrix(text, radeon_and_ryzen(known, release)), known)


def rows(text, releases, known, name, day):
    """Rows of db/frameworks/*.toml for review: {framework: text}"""
    out = {}
    rocm = f"={releases[0]}" if len(releases) == 1 else f">={releases[0]}, <={releases[-1]}"
    merged = {}
    for framework, versions, targets, system, python in Matrix(text, radeon_and_ryzen(known, releases[0])).frameworks:
        if system == "Linux":
            merged.setdefault((framework, tuple(targets), tuple(python)), []).extend(versions)
    for (framework, targets, python), versions in merged.items():
        words = ", ".join(f'"{each}"' for each in targets)
        out[framework] = out.get(framework, "") + "\n".join(
            ["", "[[framework]]", f'framework = "{framework}"', "versions = [" + ", ".join(f'"{v}"' for v in versions) + "]", f'rocm = "{rocm}"',
             'verdict = "supported"', *([f"gfx = [{words}]"] if targets else []), f'condition = "Linux; Python {", ".join(reversed(python))}"',
             f'source = "{name}"', f"checked = {day}", ""])
    return out
