"""Which ROCm wheels PyTorch builds for download.pytorch.org: test-infra's tools/scripts/generate_binary_build_matrix.py (ROCm releases and Pythons
of a channel), pytorch/builder's images of the wheels and the build.sh of PyTorch's own (the targets of a ROCm release). No question asks of a wheel:
all is compared with the rows. Torch is a series ("2.9"), ROCm is as the index has it ("6.2.4", "7.2"), Pythons are "3.13" and "3.13t"."""
import ast
import re

from cells import Cell, compared

INDEX = "https://download.pytorch.org/whl/"
VERSION_OF = {"release": "CURRENT_STABLE_VERSION", "test": "CURRENT_CANDIDATE_VERSION", "nightly": "CURRENT_NIGHTLY_VERSION"}


def matrix_of(channel):
    """The form of one channel of a build matrix. What only nightlies have may be in no row of a release."""
    def read(table, text, releases, known):
        told = assignments(text)
        version = series(told[VERSION_OF[channel]])
        listed = [(rocm, python) for rocm in of_channel(told["ROCM_ARCHES_DICT"], channel) for python in of_channel(pythons_of(told), channel)]
        rows = wheels(known, version)
        if channel == "nightly":
            yield from (no_release(table, version, rocm, rows) for rocm in dict.fromkeys(rocm for rocm, _ in listed))
            return
        for rocm, python in listed:
            there = any(row["rocm"] == rocm and python in row.get("python", ()) for row in rows)
            yield compared(table, f"{rocm}: torch {version}, Python {python}", there)
        for row in released(rows):
            for python in row.get("python") or [None]:
                there = (row["rocm"], python) in listed if python else row["rocm"] in dict(listed)
                yield no_more(table, f"{row['rocm']}: torch {version}, Python {python or 'of the row'}", there)
    return read


def pythons_of(told):
    return told.get("PYTHON_ARCHES_DICT") or told["FULL_PYTHON_VERSIONS"]


def of_channel(told, channel):
    """The older files have one list for all channels."""
    return told[channel] if isinstance(told, dict) else told


def series(version):
    """ "2.9.1" -> "2.9" """
    return ".".join(version.split(".")[:2])


def wheels(known, version):
    """Rows of PyTorch's own wheels of a series; those of AMD's indexes are other builds."""
    rows = (row for row in known.tables["wheel"] if row["framework"] == "pytorch" and row["version"] == version)
    return [row for row in rows if row.get("index", "").startswith(INDEX)]


def released(rows):
    """ .../whl/test and .../whl/nightly are no releases."""
    return [row for row in rows if row["index"].startswith(INDEX + "rocm")]


def no_more(table, where, is_listed):
    """The inverse: what a row has is in the table."""
    return Cell(table, f"{where}, of a row", (), ("in the table",), "in the table" if is_listed else "not in the table")


def no_release(table, version, rocm, rows):
    answer = "in a row of a release" if any(row["rocm"] == rocm for row in released(rows)) else "in no row of a release"
    return Cell(table, f"{rocm}: torch {version}, a nightly", (), ("in no row of a release",), answer)


def assignments(text):
    """What the file's names stand for, of those whose values are plain: NAME = "…", […], {…}, OTHER, OTHER[NAME]. It is read, never run."""
    told = {}
    for line in ast.parse(text).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            try:
                told[line.targets[0].id] = value_of(line.value, told)
            except LookupError:
                continue
    return told


def value_of(node, told):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value_of(each, told) for each in node.elts]
    if isinstance(node, ast.Dict):
        return {value_of(key, told): value_of(value, told) for key, value in zip(node.keys, node.values)}
    if isinstance(node, ast.Name):
        return told[node.id]
    if isinstance(node, ast.Subscript):
        return value_of(node.value, told)[value_of(node.slice, told)]
    raise LookupError


def builder(table, text, releases, known):
    """A branch of pytorch/builder: the script of the images and, behind it, the workflow that names their ROCm releases. `releases` is the
    branch's torch. The workflow names what is built, not what is published, so a release that only it has is asked of, and no row is denied by it."""
    for version in releases:
        rows = released(wheels(known, version))
        for rocm in ast.literal_eval(re.search(r"^\s+rocm_version: (\[.*\])$", text, re.M)[1]):
            own = [row for row in rows if row["rocm"] == rocm]
            yield compared(table, f"{rocm}: torch {version}", bool(own))
            yield from targets_of_rows(table, version, rocm, targets(text, rocm), own)


def build_script(table, text, releases, known):
    """PyTorch's .ci/docker/manywheel/build.sh: the targets of each ROCm release that the rows of these series of torch have."""
    for version in releases:
        for row in released(wheels(known, version)):
            yield from targets_of_rows(table, version, row["rocm"], targets(text, row["rocm"]), [row])


def archs_nix(table, text, releases, known):
    """huggingface/kernels' archs.nix, a block of each torch with the targets that its release branch's build.sh has."""
    for version in releases:
        block = re.search(r'^  "%s" = \{\n(.*?)^  \};' % re.escape(version), text, re.M | re.S)
        for row in released(wheels(known, version)):
            yield from targets_of_rows(table, version, row["rocm"], re.findall(r'"(gfx\w+)"', block[1]), [row])


def targets_of_rows(table, version, rocm, listed, rows):
    had = [gfx for row in rows for gfx in row.get("gfx", ())]
    for gfx in listed:
        yield compared(table, f"{rocm}: torch {version}, {gfx}", gfx in had)
    for gfx in had if listed else ():
        yield no_more(table, f"{rocm}: torch {version}, {gfx}", gfx in listed)


def targets(text, rocm):
    """What PYTORCH_ROCM_ARCH is for a ROCm release when the script has gone through its case of ROCm. A script that does not set it: nothing."""
    case = re.search(r"^    (?:manylinux2_28-builder:)?rocm\*?\)\n(.*?)^        ;;", text, re.M | re.S)
    found, open_ifs = "", []  # of each if: (its branch is taken, one was taken)
    for line in case[1].splitlines():
        line = line.strip()
        if line.startswith("if "):
            open_ifs.append((holds(line, rocm),) * 2)
        elif line.startswith("elif "):
            done = open_ifs[-1][1]
            open_ifs[-1] = (not done and holds(line, rocm), done or holds(line, rocm))
        elif line == "else":
            open_ifs[-1] = (not open_ifs[-1][1], True)
        elif line == "fi":
            open_ifs.pop()
        elif (put := re.match(r'PYTORCH_ROCM_ARCH(\+?)="(.*)"', line)) and all(taken for taken, _ in open_ifs):
            found = (found if put[1] else "") + put[2].replace("${PYTORCH_ROCM_ARCH}", found)
    return [gfx for gfx in found.split(";") if gfx]


def holds(line, rocm):
    """ "-ge 40300" of the version as a number, == *"7.14"* of its text; a regular expression that takes the version apart fits always."""
    if number := re.search(r"-ge (\d+)", line):
        major, minor, patch = ([int(part) for part in rocm.split(".")] + [0])[:3]
        return major * 10000 + minor * 100 + patch >= int(number[1])
    if part := re.search(r'== \*"([^"]*)"\*', line):
        return part[1] in rocm
    return "=~" in line
