"""Files of a made-up machine. Text may hold bytes that are no UTF-8: as lone surrogates, the way Python shows file
names."""
import os
import shutil


def raw(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def put(root, path, text):
    """Writes a file of the machine; what stands there and is no file stays."""
    target = os.path.join(root, path.lstrip("/"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.lexists(target) and not os.path.isfile(target):
        return
    with open(target, "wb") as file:
        file.write(raw(text))


def replace(root, path, text):
    """The same, in the place of whatever stands there."""
    drop(root, path)
    put(root, path, text)


def append(root, path, text):
    with open(os.path.join(root, path.lstrip("/")), "ab") as file:
        file.write(raw(text))


def link(root, path, target):
    place = os.path.join(root, path.lstrip("/"))
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if not os.path.lexists(place):
        os.symlink(target, place)


def folder(root, path):
    os.makedirs(os.path.join(root, path.lstrip("/")), exist_ok=True)


def drop(root, *paths):
    """Takes files, links and folders away that may be there."""
    for path in paths:
        target = os.path.join(root, path.lstrip("/"))
        if os.path.isdir(target) and not os.path.islink(target):
            shutil.rmtree(target)
        elif os.path.lexists(target):
            os.remove(target)


def read(root, path):
    with open(os.path.join(root, path.lstrip("/")), "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def remove(top):
    """Takes a whole tree away, unreadable folders in it too."""
    shutil.rmtree(top, ignore_errors=True)
    if not os.path.lexists(top):
        return
    for at, _, _ in os.walk(top):
        os.chmod(at, 0o700)
    shutil.rmtree(top, ignore_errors=True)
