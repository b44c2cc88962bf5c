"""The script that turns an overlay into a snapshot; it is not part of this repository."""
import importlib.util
import pathlib
import sys


def refuse(program, what):
    print(f"{program}: {what}", file=sys.stderr)
    sys.exit(3)


def materialiser(program, path):
    spec = importlib.util.spec_from_file_location("materialise", path)
    if spec is None or not pathlib.Path(path).exists():
        refuse(program, f"{path}: no such file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_case(materialise, case, machine, folder):
    """The snapshot of a machine; where it has no log, what its case quotes of the user is one."""
    materialise.write(machine, folder)
    log, symptoms = folder / "cmd" / "app.log", case.get("report", {}).get("symptoms", [])
    if symptoms and not log.exists():
        log.parent.mkdir(exist_ok=True)
        log.write_text("\n".join(symptoms) + "\n", encoding="utf-8")
