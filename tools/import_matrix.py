#!/usr/bin/env python3
"""Turn AMD's published matrix files into TOML rows of db/, folded into version ranges, with a diff to review.

usage: import_matrix.py --releases db/releases.toml --out DIR [--db db] INPUT…

INPUT is one of
  matrix:FILE:SOURCE              compatibility-matrix-historical-*.csv of the ROCm documentation (one column a release;
                                  "7.2.4/7.2.3" is two)
  requirements:ROCM:FILE:SOURCE   gpu_os_support.md or system-requirements.rst of one release ("6.4.1,6.4.2" is two)
  facts:DIR                       a folder of rocm_gpu.csv, rocm_os.csv, rocm_driver.csv, rocm_framework.csv,
                                  rocm_components.csv: one row a fact, with its source; these win over the others

Writes DIR/support/<gfx>.toml, DIR/os/<os>.toml, DIR/driver.toml, DIR/frameworks/<name>.toml and DIR/components.toml. Nothing in
db/ is touched: read `diff -ru db DIR` (printed with --db) and copy what is right. The rows become the one source; a
correction belongs in the TOML, not in a second import.

How rows are folded: adjacent releases with the same answer are one range, open at the end when it reaches the newest
release. A release that no source speaks of between two with the same answer belongs to the range.
"""
import argparse, collections, csv, datetime, difflib, json, pathlib, re, sys, tomllib

OS_IDS = {"ubuntu": "ubuntu", "rhel": "rhel", "sles": "sles", "centos": "centos", "oracle linux": "oracle",
          "rocky linux": "rocky", "azure linux": "azurelinux", "debian": "debian", "windows": "windows"}
VERDICTS = {"enabled-not-supported": "enabled", "tested": "supported", "required": "supported", "usable": "supported",
            "not-listed": "unlisted"}
MARKS = {"✅": "supported", "⚠": "deprecated", "❌": "unsupported"}
FRAMEWORKS = {"pytorch": "pytorch", "tensorflow": "tensorflow", "jax": "jax", "onnx runtime": "onnxruntime", "ucc": "ucc",
              "ucx": "ucx", "vllm": "vllm", "sglang": "sglang", "migraphx": "migraphx", "triton": "triton", "dgl": "dgl",
              "verl": "verl", "llama.cpp": "llama.cpp", "flashinfer": "flashinfer", "megablocks": "megablocks",
              "taichi": "taichi", "ray": "ray", "stanford megatron-lm": "megatron-lm", "thrust/cub": "thrust"}


def key(version):
    return tuple(int(x) for x in re.findall(r"\d+", version)[:3])


class Facts:
    """table -> subject -> release -> (answer, sources). A later statement replaces an earlier one."""

    def __init__(self):
        self.tables = collections.defaultdict(lambda: collections.defaultdict(dict))
        self.speaks = collections.defaultdict(set)  # table -> releases that some source lists completely

    def add(self, table, subject, release, answer, source):
        self.tables[table][subject][release] = (answer, source)


def clean(text):
    text = re.sub(r"\[#.*?\]_", "", text)
    text = re.sub(r":(?:sup|ref|doc):`(.*?)`", "", text)
    return re.sub(r"\s+", " ", text.replace("™", "").replace("|br|", " ").replace("`", "")).strip()


def product(name):
    name = re.sub(r"^AMD ", "", clean(name)).replace("Radeon Pro ", "Radeon PRO ").replace("Radeon Instinct", "Instinct")
    return name


def os_entries(text):
    """"RHEL 9.5, 9.4" -> [("rhel", "9.5"), ("rhel", "9.4")]"""
    found = []
    text = clean(text)
    for name, ident in OS_IDS.items():
        match = re.match(name + r"\s+(.*)", text, re.I)
        if not match:
            continue
        base = ""
        for part in match[1].split(","):
            part = re.sub(r"\s*LTS$", "", part.strip())
            sp = re.match(r"(?:(\d+)\s+)?SP(\d+)$", part)
            if sp:
                base = sp[1] or base
                part = f"{base}.{sp[2]}"
            span = re.match(r"(\d+)\.(\d+) to \1\.(\d+)$", part)  # "8.6 to 8.7"
            for minor in range(int(span[2]), int(span[3]) + 1) if span else ():
                found.append((ident, f"{span[1]}.{minor}"))
            if re.match(r"\d", part) and not span:
                found.append((ident, part))
    return found


def kernels(text):
    return tuple(x.strip() for x in clean(text).split(",") if re.search(r"\d", x) or "UEK" in x or "inbox" in x)


def releases_of(text):
    """"7.0.1/7.0.0" -> both; "6.2.4" -> itself."""
    return [x.strip() for x in text.split("/")]


def read_matrix(path, source, facts):
    rows = list(csv.reader(path.open(encoding="utf-8")))
    columns = [releases_of(x.strip()) for x in rows[0][1:]]
    section = ""
    for row in rows[1:]:
        label, cells = clean(row[0]), row[1:]
        raw = row[0]
        if label or raw.strip():
            section = raw.lower()
        for releases, cell in zip(columns, cells):
            cell = cell.strip()
            if not cell or cell.startswith(".. _") or cell == "N/A":
                continue
            for release in releases:
                if "operating system" in section:
                    for subject in os_entries(cell):
                        facts.add("os", (*subject, ""), release, ("supported", (), "", ""), source)
                    facts.speaks["os"].add(release)
                elif "llvm target" in section:
                    for gfx in re.findall(r"gfx[0-9a-f]+", cell):
                        facts.add("support", (gfx, ""), release, ("supported", ""), source)
                    facts.speaks["gfx"].add(release)
                elif "amd gpu driver" in section:
                    for driver in clean(cell).split(","):
                        if driver.strip():
                            facts.add("driver", (driver.strip(), "amdgpu"), release, ("supported", ""), source)
                else:
                    # the name is in the markup here, which clean() drops
                    match = re.match(r"\s*(?::doc:)?`?([^`<\[]+?)\s*[<`]", raw)
                    name = match[1].strip().lower() if match else ""
                    if name in FRAMEWORKS:
                        versions = tuple(x.strip() for x in clean(cell).split(",") if x.strip())
                        facts.add("framework", (FRAMEWORKS[name], ""), release, ("supported", versions, (), ""), source)


def read_requirements(path, releases, source, facts):
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("|"):
            cells = [c.strip() for c in line.strip("|").split("|")]
        elif line.startswith('"'):
            cells = next(csv.reader([line], skipinitialspace=True))
        else:
            continue
        verdict = next((v for mark, v in MARKS.items() if mark in cells[-1]), None)
        gfx = next((m[0] for c in cells for m in [re.search(r"gfx[0-9a-f]+", c)] if m), None)
        condition = "; ".join(re.findall(r"\(([^)]*)\)", cells[-1])) if verdict else ""
        for release in releases:
            if gfx and verdict:
                facts.add("support", (gfx, product(cells[0])), release, (verdict, condition), source)
                facts.speaks["gpu"].add(release)
            elif not gfx:
                for subject in os_entries(cells[0]):
                    # two-column tables of kernels without a mark list supported systems
                    kernel = next((c for c in cells[1:] if re.match(r"[3-9]\.\d", c) or "UEK" in c), "")
                    glibc = next((c for c in cells[2:] if re.fullmatch(r"2\.\d\d", c)), "")
                    if not verdict and not kernel:
                        continue
                    facts.add("os", (*subject, ""), release, (verdict or "supported", kernels(kernel), glibc, condition),
                              source)
                    facts.speaks["os"].add(release)


def read_facts(folder, facts, order):
    def rows(name):
        path = folder / name
        return csv.DictReader(path.open(newline="", encoding="utf-8")) if path.exists() else []

    def series(text):
        """"6.1.x" -> the releases of 6.1"""
        if text.endswith(".x"):
            return [r for r in order if r.startswith(text[:-1])]
        return [text] if re.fullmatch(r"[\d.]+", text) else []

    for row in rows("rocm_gpu.csv"):
        verdict = VERDICTS.get(row["status"], row["status"])
        for release in series(row["rocm_release"]):
            if row["scope"] in ("gpu", "gfx"):
                item = product(row["item"]) if row["scope"] == "gpu" else ""
                if not row["gfx_target"].startswith("gfx") or "/" in row["gfx_target"]:
                    continue
                if verdict == "unsupported" and row["condition"].startswith("not "):
                    verdict = "unlisted"
                condition = row["condition"]
                if re.match(r"(not )?(in|listed in) the .*(table|matrix)", condition) or "OS restrictions apply" in condition:
                    condition = "" if verdict == "supported" else condition
                condition = "" if re.match(r"production Core SDK|newly added in|technology preview stream; compute only$", condition) else condition
                facts.add("support", (row["gfx_target"], item), release, (verdict, condition), row["source"])
            else:
                library = {"rocblas-build-target": "rocBLAS", "therock-build-target": "TheRock"}[row["scope"]]
                built = "true" if "built: yes" in row["condition"] else "false"
                facts.add("library", (library, row["gfx_target"]), release, (built,), row["source"])
    for row in rows("rocm_os.csv"):
        variant = "ryzen" if "(Ryzen)" in row["os_version"] else ""
        name = re.sub(r"\s*\(.*\)", "", f"{row['os']} {row['os_version']}")
        name = re.sub(r"(11) (25H2)", r"\1", name) if row["os"] == "Windows" else name
        for subject in os_entries(name):
            for release in series(row["rocm_release"]):
                verdict = "unlisted" if row["status"] == "unsupported" and re.match(r"not |first |dropped|named", row["condition"]) \
                    else row["status"]
                facts.add("os", (*subject, variant), release,
                          (verdict, kernels(row["kernel"].replace(";", ",")), row["glibc"], row["condition"]), row["source"])
    listed = collections.Counter(row["rocm_release"] for row in rows("rocm_os.csv"))
    facts.speaks["os"] |= {release for release, count in listed.items() if count >= 8}
    for row in rows("rocm_driver.csv"):
        numbering = {"kfd-point-release": "rocm", "kfd-series": "rocm", "kmd-series": "rocm", "amdgpu-driver": "amdgpu",
                     "amdgpu-driver-exact": "amdgpu"}.get(row["driver_kind"])
        if not numbering:
            continue
        if re.match(r"[56]\.", row["driver_version"]):
            numbering = "rocm"
        verdict = VERDICTS.get(row["status"], row["status"])
        condition = "" if row["condition"].startswith("KFD column") else row["condition"]
        for release in series(row["rocm_release"]):
            facts.add("driver", (row["driver_version"], numbering), release, (verdict, condition), row["source"])
    for row in rows("rocm_framework.csv"):
        name = re.sub(r"\s*\(.*\)", "", row["framework"]).lower()
        variant = "; ".join(re.findall(r"\(([^)]*)\)", row["framework"]))
        if not row["kind"].startswith("doc-matrix") or name not in FRAMEWORKS:
            continue
        edition = row["kind"].removeprefix("doc-matrix").strip("-")
        versions = tuple(x.strip() for x in row["versions"].split(",") if x.strip())
        gfx = tuple(x for x in row["gfx_targets"].split() if x.startswith("gfx"))
        for release in series(row["rocm_release"]):
            facts.add("framework", (FRAMEWORKS[name], variant or edition), release,
                      ("supported", versions, gfx, row["condition"]), row["source"])
    for row in rows("rocm_components.csv"):
        facts.add("component", (row["component"],), row["rocm_release"],
                  (row["version"], row["soname"], row["soname_source"]), row["source"])


def bound(order, first, last):
    """The range that holds exactly the releases from first to last, patch releases to come included."""
    short = lambda v: v[:-2] if v.endswith(".0") else v
    low = f">={short(first)}"
    after = order.index(last) + 1
    return low if after == len(order) else f"{low}, <{short(order[after])}"


def fold(by_release, order, speaks=None, breaks=("7.9.0",), alike=lambda a, b: a == b, join=lambda a, b: a):
    """[(first, last, answer, sources)]. `speaks`: releases whose silence on a subject ends a run."""
    runs = []  # [first, last, answer, sources, lists that left the subject out since]
    for release in order:
        if release in by_release:
            answer, source = by_release[release]
            # one list that leaves it out between two that have it is a gap in the transcription
            if runs and runs[-1][4] <= 1 and alike(runs[-1][2], answer):
                runs[-1] = [runs[-1][0], release, join(runs[-1][2], answer), runs[-1][3] + [source], 0]
            else:
                runs.append([release, release, answer, [source], 0])
        elif runs:
            if release in breaks:
                runs[-1][4] = 2
            elif speaks is not None and release in speaks:
                runs[-1][4] += 1
    # the same gap between two runs that differ in their conditions alone belongs to the earlier one
    for run, later in zip(runs, runs[1:]):
        if run[4] <= 1 and run[2][0] == later[2][0]:
            run[1] = order[order.index(later[0]) - 1]
    # a run reaches over the releases that nobody speaks of, up to the next statement
    for i, run in enumerate(runs):
        at = order.index(run[1]) + 1
        while at < len(order) and order[at] not in by_release and order[at] not in (speaks or ()) and order[at] not in breaks:
            run[1] = order[at]
            at += 1
    return [run[:4] for run in runs]


def source_text(sources):
    """One line for the sources of a run: the documents of a repository path together, first and last commit named."""
    groups = collections.OrderedDict()
    for source in sources:
        match = re.match(r"([^@ ]+)@(\S+?):([^\s;]+)", source)
        groups.setdefault((match[1], match[3]) if match else (source, ""), []).append(match[2] if match else "")
    parts = []
    for (repo, path), commits in list(groups.items())[:3]:
        commits = list(dict.fromkeys(commits))
        if not path:
            parts.append(repo)
        elif len(commits) == 1:
            parts.append(f"{repo}@{commits[0]}:{path}")
        else:
            parts.append(f"{repo}@{commits[0]}..{commits[-1]}:{path}")
    return "; ".join(parts)


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def toml_row(table, cells, sources, today):
    lines = [f"[[{table}]]"]
    for name, value in cells:
        if isinstance(value, (tuple, list)):
            if value:
                lines.append(f"{name} = [{', '.join(quote(v) for v in value)}]")
        elif value in ("true", "false") and name in ("built", "disagrees"):
            lines.append(f"{name} = {value}")
        elif value:
            lines.append(f"{name} = {quote(value)}")
    lines += [f"source = {quote(source_text(sources))}", f"checked = {today}", ""]
    return "\n".join(lines)


def write(out, relative, about, rows):
    path = out / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {about} How to read and extend this file: db/README.md.\nschema = 1\n\n" + "\n".join(rows),
                    encoding="utf-8")


def natural(text):
    return [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", text)]


def emit(facts, order, out, today):
    files = collections.defaultdict(list)
    # Whole targets, then products with the same story together.
    stories = collections.OrderedDict()
    for (gfx, item), by_release in sorted(facts.tables["support"].items(), key=lambda x: (natural(x[0][0]), x[0][1] != "", natural(x[0][1]))):
        speaks = facts.speaks["gpu"] if item else facts.speaks["gfx"]
        for first, last, (verdict, condition), sources in fold(by_release, order, speaks):
            story = (gfx, bool(item), bound(order, first, last), verdict, condition, source_text(sources))
            stories.setdefault(story, []).append(item)
    for (gfx, is_product, rocm, verdict, condition, source), items in stories.items():
        files[f"support/{gfx}.toml", f"What was published of {gfx} and ROCm releases."].append(toml_row(
            "support", [("gfx", gfx), ("gpus", items if is_product else ()), ("rocm", rocm), ("verdict", verdict),
                        ("condition", condition)], [source], today))
    for (ident, version, variant), by_release in sorted(facts.tables["os"].items(), key=lambda x: (x[0][0], natural(x[0][1]), x[0][2])):
        runs = fold(by_release, order, facts.speaks["os"],
                    alike=lambda a, b: a[0] == b[0] and (a[1] == b[1] or not a[1] or not b[1]) and (a[3] == b[3]),
                    join=lambda a, b: (a[0], a[1] or b[1], a[2] or b[2], a[3]))
        for first, last, (verdict, kernel_list, glibc, condition), sources in runs:
            files[f"os/{ident}.toml", f"What was published of {ident} and ROCm releases."].append(toml_row(
                "os", [("os", ident), ("version", version), ("variant", variant), ("kernels", kernel_list), ("glibc", glibc),
                       ("rocm", bound(order, first, last)), ("verdict", verdict), ("condition", condition)], sources, today))
    for (driver, numbering), by_release in sorted(facts.tables["driver"].items(), key=lambda x: (natural(x[0][0]), x[0][1])):
        text = driver if driver.endswith(".x") else "=" + driver
        for first, last, (verdict, condition), sources in fold(by_release, order, set(order)):
            files["driver.toml", "Which kernel driver goes with which ROCm release."].append(toml_row(
                "driver", [("driver", text), ("numbering", numbering), ("rocm", bound(order, first, last)), ("verdict", verdict),
                           ("condition", condition)], sources, today))
    for (name, variant), by_release in sorted(facts.tables["framework"].items()):
        for first, last, (verdict, versions, gfx, condition), sources in fold(by_release, order, None):
            files[f"frameworks/{name}.toml", f"Versions of {name} listed for ROCm releases."].append(toml_row(
                "framework", [("framework", name), ("versions", versions), ("variant", variant),
                              ("rocm", bound(order, first, last)), ("verdict", verdict), ("gfx", gfx), ("condition", condition),
                              ("disagrees", "true" if "edition" in variant else "")], sources, today))
    built = collections.OrderedDict()
    for (library, gfx), by_release in sorted(facts.tables["library"].items(), key=lambda x: (x[0][0], natural(x[0][1]))):
        for first, last, (is_built,), sources in fold(by_release, order, None, breaks=()):
            built.setdefault((library, bound(order, first, last), is_built, source_text(sources)), []).append(gfx)
    for (library, rocm, is_built, source), gfx in built.items():
        files["libraries.toml", "gfx targets that libraries are built for."].append(toml_row(
            "library", [("library", library), ("gfx", gfx), ("rocm", rocm), ("built", is_built)], [source], today))
    for (name,), by_release in sorted(facts.tables["component"].items(), key=lambda x: x[0][0].lower()):
        for first, last, (version, soname, soname_source), sources in fold(by_release, order, None, breaks=()):
            files["components.toml", "Versions and sonames of ROCm's components."].append(toml_row(
                "component", [("component", name), ("version", version), ("soname", soname), ("soname_source", soname_source),
                              ("rocm", bound(order, first, last))], sources, today))
    for (relative, about), rows in files.items():
        write(out, relative, about, rows)
    return sorted(relative for relative, _ in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("--releases", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--db", type=pathlib.Path, help="print the difference to this database")
    parser.add_argument("--checked", default=datetime.date.today().isoformat())
    args = parser.parse_args()
    order = sorted((row["rocm"] for row in tomllib.loads(args.releases.read_text())["release"]), key=key)
    facts = Facts()
    for text in args.inputs:
        kind, _, rest = text.partition(":")
        if kind == "matrix":
            path, _, source = rest.partition(":")
            read_matrix(pathlib.Path(path), source, facts)
        elif kind == "requirements":
            releases, _, rest = rest.partition(":")
            path, _, source = rest.partition(":")
            read_requirements(pathlib.Path(path), releases.split(","), source, facts)
        elif kind == "facts":
            read_facts(pathlib.Path(rest), facts, order)
        else:
            parser.error(f"'{text}': an input begins with matrix:, requirements: or facts:")
    written = emit(facts, order, args.out, args.checked)
    if args.db:
        for relative in written:
            old = (args.db / relative).read_text(encoding="utf-8") if (args.db / relative).exists() else ""
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), (args.out / relative).read_text(encoding="utf-8").splitlines(True),
                                                       f"db/{relative}", f"new/{relative}"))
    print(f"{len(written)} files in {args.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
