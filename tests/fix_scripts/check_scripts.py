#!/usr/bin/env python3
"""check_scripts.py WRITE_FIX_SCRIPTS CAUSES [--every] [--table FILE] [--keep FOLDER]

The scripts that `rocvet fix` prints for every cause on every kind of distribution: that bash reads them, that shellcheck finds nothing,
that nothing is left to fill in, that no command of theirs is unknown or of another package manager, and that they change something that
lasts, as a dry run with recording stand-ins for all programs shows. CAUSES is db/causes. Without --every each case of tests/cases is
looked at on one system of seven in turn. --table writes cause x family as TSV.
Exit status: 0 all is well, 1 something is not, 3 a wrong argument.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
FAMILIES = ("apt", "dnf", "zypper", "pacman")
# What a command may do for: nothing is to be done, another has to do it, or hands have to.
NO_COMMAND = ("nothing", "report-upstream", "reseat-or-replace")
OPEN = re.compile(r"X\.Y|gfxN|(?<![$\w{%])([A-Z]+_VERSION|IMAGE|COMMAND|SERVICE|ACCOUNT|APPLICATION|PACKAGE|ROCM_PACKAGE|NAMESPACE|"
                  r"DEPLOYMENT|NODE|BRIDGE|PAGES|DISK|BUILD|VENV|RELEASE|SETTING|PROXY|INTERFACE|GIT_TAG|INDEX|CONTAINER|VERSION|USER)(?![\w=%])|…")
SHELL_ONLY = re.compile(r"^(export|unset|ulimit|set -U?x|cd|source|\.|alias|umask) ")
SAMPLES = {
    "SERVICE": "ollama", "ACCOUNT": "ollama", "IMAGE": "docker.io/rocm/pytorch", "CONTAINER": "trainer", "APPLICATION": "org.blender.Blender",
    "ROCM_PACKAGE": "onnxruntime-rocm", "PACKAGE": "rocblas", "OLD_VERSION": "6.8.5", "GOOD_VERSION": "6.10.5", "RELEASE": "7.0.2",
    "SETTING": "HSA_OVERRIDE_GFX_VERSION=10.3.0", "PROXY": "http://proxy:3128", "NAMESPACE": "training", "DEPLOYMENT": "trainer",
    "DEVICECONFIG": "gpus", "SERVICEACCOUNT": "trainer", "NODE": "node1", "INTERFACE": "eth1", "BUILD": "build", "VENV": "venv",
    "SOURCE_FILE": "kernel.cu", "GIT_TAG": "v1.2", "INDEX": "https://example.org/whl", "ROCM_FOLDER": "/opt/rocm-7.0.2", "ROCM": "6.4",
    "GFX": "gfx1100",
}


def family_of(system):
    return system.split("-")[0]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def read_rows(name, key):
    with open(HERE / name, "rb") as file:
        return tomllib.load(file)[key]


class Knowledge:
    """What stands in the tables beside this file."""

    def __init__(self, causes):
        self.actions = {}
        for path in sorted(pathlib.Path(causes).glob("*.toml")):
            with open(path, "rb") as file:
                for cause in tomllib.load(file).get("cause", []):
                    self.actions[cause["id"]] = cause["action"]
        self.by_hand = {(row["cause"], family) for row in read_rows("by_hand.toml", "by_hand")
                        for family in row.get("families", FAMILIES)}
        self.not_on = {(cause, family) for row in read_rows("not_on.toml", "not_on") for cause in row["causes"]
                       for family in row["families"]}
        for cause, _ in self.by_hand | self.not_on:
            if cause not in self.actions:
                sys.exit(f"check_scripts.py: no cause {cause}")
        with open(HERE / "programs.toml", "rb") as file:
            self.programs = {name: {kind: [re.compile(one) for one in row.get(kind, [])] for kind in ("lasts", "helps")}
                             for name, row in tomllib.load(file).items()}
        with open(HERE / "packages.toml", "rb") as file:
            tables = tomllib.load(file)
        self.packages = {}
        for system, names in tables["system"].items():
            own = [] if system == "dnf-fedora" else tables["amd"][family_of(system)]
            self.packages[system] = sorted({*names, *own, *tables["besides"].get(system, []), *tables["case"]})

    def kind(self, call):
        """'lasts', 'helps' or '' of a recorded call."""
        name, _, words = call.partition(" ")
        row = self.programs.get(name, {"lasts": [], "helps": []})
        for kind in ("lasts", "helps"):
            if any(one.fullmatch(words) for one in row[kind]):
                return kind
        return ""


class Script:
    def __init__(self, path, root):
        self.system, self.cause, self.name = path.relative_to(root).parts
        self.path = path
        self.text = path.read_text()
        lines = self.text.splitlines()
        # Without the words: what two scripts have in common is looked at once.
        self.body = "\n".join(line for line in lines if line and not line.startswith("#"))
        self.commands = [line for line in self.body.splitlines() if line != "set -e" and not line.startswith(": \"${")
                         and not line.startswith("if [ \"$(id -u)\"") and not line.startswith("SERVICE=")]
        if "drop_variables() {" in self.body:
            self.commands = self.commands[max(i for i, line in enumerate(self.commands) if line == "}") + 1:]
        self.faults = []
        self.lasts = []
        self.ran = False

    @property
    def family(self):
        return family_of(self.system)


def taken_for_words(line, knowledge):
    """A comment that a shell could run as it stands."""
    if not line.startswith("#    by hand: "):
        return False
    text = line.removeprefix("#    by hand: ").split("   # ")[0]
    words = text.split()
    if not words or " (" in text or OPEN.search(text) or text.endswith((":", ";")):
        return False
    return words[0] in ("sudo", "echo", "printf", "export", "unset") or (words[0] in knowledge.programs and "| sudo " in text)


def static_faults(script, knowledge):
    for line in script.text.splitlines():
        if taken_for_words(line, knowledge):
            yield f"a command that is taken for words: {line}"
    for line in script.commands:
        bare = re.sub(r"\s# .*", "", line)
        if OPEN.search(bare):
            yield f"left to fill in: {line}"
        if SHELL_ONLY.match(line):
            yield f"lasts no longer than the shell: {line}"
        if "'\"$" in bare and bare.count("'") % 2:
            yield f"quotes: {line}"


def by_name(text):
    """Programs of a Python environment, which is not here, as those of PATH: "/home/ada/venv/bin/pip" is "pip"."""
    return re.sub(r"(?<![\w./~-])~?/[\w./-]*/bin/(pip|python3)\b", r"\1", text)


def run_dry(script, knowledge, stubs):
    """Runs it with stand-ins for all programs and an own home; what it called, and what it wrote at home."""
    with tempfile.TemporaryDirectory(prefix="rocvet-fix-") as folder:
        home, log = pathlib.Path(folder, "home"), pathlib.Path(folder, "log")
        home.mkdir()
        log.touch()
        packages = pathlib.Path(folder, "packages")
        packages.write_text("\n".join(knowledge.packages[script.system]) + "\n")
        dropped = [name for line in script.commands if line.startswith(("drop_variables ", "keep_variables "))
                   for name in re.findall(r"\b([A-Z][A-Z0-9_a-z]+)\b(?==|\s|$)", line.split("   # ")[0])]
        before = "".join(f"export {name}=as-it-was\n" for name in dropped)
        (home / ".profile").write_text(before)
        environment = {"PATH": str(stubs), "HOME": str(home), "USER": "ada", "FIX_LOG": str(log), "FIX_PACKAGES": str(packages),
                       "FIX_SYSTEM": script.system, "LC_ALL": "C", "WSL_DISTRO_NAME": "Ubuntu", **SAMPLES}
        copy = pathlib.Path(folder, script.path.name)
        copy.write_text(by_name(script.text))
        done = subprocess.run(["/bin/bash", str(copy)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=20)
        if done.returncode != 0:
            script.faults.append(f"dry run ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        script.ran = True
        for call in log.read_text().splitlines():
            if call.startswith(("sudo", "xargs", "env ", "unknown-package")):
                continue
            kind = knowledge.kind(call)
            if kind == "lasts":
                script.lasts.append(call)
            elif not kind:
                script.faults.append(f"no such call is known: {call}")
        if (home / ".profile").read_text() != before:
            script.lasts.append("writes ~/.profile")


def asks_in_vain(script, stubs):
    """Without its variables a script ends before its first step, with one line that names one."""
    asked = re.findall(r'^: "\$\{(\w+):\?', script.text, re.M)
    if not asked:
        return
    with tempfile.TemporaryDirectory(prefix="rocvet-fix-") as folder:
        log = pathlib.Path(folder, "log")
        log.touch()
        done = subprocess.run(["/bin/bash", str(script.path)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={"PATH": str(stubs), "HOME": folder, "FIX_LOG": str(log)})
        if done.returncode == 0 or asked[0] not in done.stderr or done.stderr.count("\n") != 1 or log.read_text():
            script.faults.append(f"does not ask for {asked[0]} first: {done.stderr.strip()[-200:]}")


def make_stubs(folder, knowledge):
    folder.mkdir()
    names = {*knowledge.programs, "sudo", "add-apt-repository"}
    for name in names:
        if name not in ("sort", "head", "tail", "cat"):
            shutil.copy(HERE / "stub.sh", folder / name)
    for name in ("sort", "head", "tail", "cat", "xargs", "ln", "mkdir"):
        if not (folder / name).exists():
            os.symlink(shutil.which(name), folder / name)
    return folder


def shellcheck(scripts):
    """Faults by path; nothing where it is not installed."""
    if not shutil.which("shellcheck"):
        return {}
    found = {}
    paths = [str(script.path) for script in scripts]

    def look(at):
        return subprocess.run(["shellcheck", "-S", "warning", "-f", "gcc", *paths[at:at + 50]], capture_output=True, text=True).stdout

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(look, range(0, len(paths), 50)):
            for line in text.splitlines():
                found.setdefault(line.split(":")[0], []).append(line.split(":", 1)[1])
    return found


def wants_command(script, knowledge):
    if knowledge.actions[script.cause] in NO_COMMAND or (script.cause, script.family) in knowledge.by_hand:
        return False
    return (script.cause, script.family) not in knowledge.not_on


def look_at(script, knowledge, stubs):
    if (script.cause, script.family) in knowledge.not_on:
        return
    done = subprocess.run(["/bin/bash", "-n", str(script.path)], capture_output=True, text=True)
    if done.returncode != 0:
        script.faults.append(f"bash -n: {done.stderr.strip()}")
        return
    script.faults.extend(static_faults(script, knowledge))
    run_dry(script, knowledge, stubs)
    asks_in_vain(script, stubs)


def judge(script, knowledge):
    if (script.cause, script.family) in knowledge.not_on:
        return
    if script.commands and not script.lasts:
        script.faults.append("its commands change nothing that lasts")
    if script.name == "any.sh" and wants_command(script, knowledge) and not script.commands:
        script.faults.append("no command, and no row in by_hand.toml or not_on.toml says why")
    if script.name == "any.sh" and script.lasts and (script.cause, script.family) in knowledge.by_hand:
        script.faults.append("by_hand.toml has it, and there is a command now")


def write_table(path, scripts, knowledge, checked):
    rows = {}
    for script in scripts:
        rows.setdefault((script.cause, script.family), []).append(script)
    totals = {}
    with open(path, "w") as out:
        out.write("cause\taction\tfamily\tapplies\tscripts\tbash_n\tshellcheck\tdry_run\tlasts\n")
        for (cause, family), group in sorted(rows.items()):
            applies = "no" if (cause, family) in knowledge.not_on else "yes"
            bad = {fault.split(":")[0] for script in group for fault in script.faults}
            if not any(script.commands for script in group):
                lasts = "no command: " + (knowledge.actions[cause] if knowledge.actions[cause] in NO_COMMAND else "by hand")
            else:
                lasts = "yes" if any(script.lasts for script in group) else "NO"
            row = [applies, str(len(group)), "NO" if "bash -n" in bad else "yes",
                   "-" if not checked else "NO" if "shellcheck" in bad else "yes",
                   "NO" if any(one.startswith(("dry run", "no such", "does not ask")) for one in bad) else "yes", lasts]
            for name, value in zip(("applies", "scripts", "bash_n", "shellcheck", "dry_run", "lasts"), row):
                if name != "scripts" and (applies == "yes" or name == "applies"):
                    totals[name, value] = totals.get((name, value), 0) + 1
            out.write("\t".join([cause, knowledge.actions[cause], family, *row]) + "\n")
    for (name, value), count in sorted(totals.items()):
        print(f"{name} {value}: {count}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("writer")
    options.add_argument("causes")
    options.add_argument("--every", action="store_true")
    options.add_argument("--table")
    options.add_argument("--keep")
    options = options.parse_args()
    knowledge = Knowledge(options.causes)
    with tempfile.TemporaryDirectory(prefix="rocvet-fix-") as folder:
        root = pathlib.Path(options.keep or pathlib.Path(folder, "scripts"))
        subprocess.run([options.writer, str(root), *(["--every"] if options.every else [])], check=True)
        stubs = make_stubs(pathlib.Path(folder, "stubs"), knowledge)
        scripts = [Script(path, root) for path in sorted(root.glob("*/*/*.sh"))]
        # Of those with the same commands on the same system one is looked at.
        first = {}
        for script in scripts:
            first.setdefault((script.system, script.body), script)
        unique = list(first.values())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda script: look_at(script, knowledge, stubs), unique))
        warned = shellcheck({script.body: script for script in unique}.values())
        by_body = {script.body: warned.get(str(script.path)) for script in unique if str(script.path) in warned}
        for script in unique:
            script.faults += [f"shellcheck: {line}" for line in by_body.get(script.body, [])]
        for script in scripts:
            same = first[script.system, script.body]
            if same is not script:
                script.faults, script.lasts, script.ran = list(same.faults), same.lasts, same.ran
        for script in scripts:
            judge(script, knowledge)
        if options.table:
            write_table(options.table, scripts, knowledge, shutil.which("shellcheck"))
        bad = 0
        for script in scripts:
            for fault in script.faults:
                bad += 1
                print(f"{script.system}/{script.cause}/{script.name}: {fault}")
        print(f"{len(scripts)} scripts, {len(unique)} unlike each other, {len(knowledge.actions)} causes: {bad} faults"
              + ("" if shutil.which("shellcheck") else "; shellcheck is not installed"))
        sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
