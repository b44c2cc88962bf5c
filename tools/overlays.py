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
