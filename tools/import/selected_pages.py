"""Pages of commands from 7.14 on: `.. selected:: KEY=VALUE …` says for whom the text under it is, and tabs and code stand in it. A replacement
(`.. |NAME| replace:: text`) may stand for a version, an index or an image."""
import dataclasses
import re

INSTALLS = re.compile(r"(?:python\S* -m |uv )?pip3? install ")


@dataclasses.dataclass(frozen=True)
class Code:
    """One block of commands. `where`: key -> values of the conditions around it, the innermost of each key; "tabs" are all tabs around it."""
    where: dict
    lines: list   # a command that goes on over several lines is one

    def only(self, key, default=""):
        return self.where.get(key, [default])[0]


def blocks(text):
    """Every code block of a page, in order, with replacements put in."""
    replaced = dict(re.findall(r"^\.\. \|(\w+)\| replace:: (.*?)\s*$", text, flags=re.M))
    lines, around, at = text.split("\n"), [], 0
    while at < len(lines):
        line, depth = lines[at], indent(lines[at])
        at += 1
        if not line.strip():
            continue
        around = [each for each in around if each[0] < depth]
        selected = re.match(r" *\.\. selected:: (.+)", line)
        tab = re.match(r" *\.\. tab-item:: (.+)", line)
        if selected:
            around.append((depth, conditions(selected[1])))
        elif tab:
            around.append((depth, {"tab": [tab[1].strip()]}))
        elif re.match(r" *\.\. code-block::", line):
            code, at = block(lines, at, depth)
            where = {key: values for _, own in around for key, values in own.items()}
            where["tabs"] = [own["tab"][0] for _, own in around if "tab" in own]
            yield Code(where, [replace(each, replaced) for each in code])


def indent(line):
    return len(line) - len(line.lstrip())


def conditions(text):
    """ "os=ubuntu os=wsl i=pkgman" -> {"os": ["ubuntu", "wsl"], "i": ["pkgman"]} """
    found = {}
    for key, value in re.findall(r"([\w-]+)=(\S+)", text):
        found.setdefault(key, []).append(value)
    return found


def block(lines, at, depth):
    """Its commands without comments and options, and where the text goes on."""
    first = at
    while at < len(lines) and (not lines[at].strip() or indent(lines[at]) > depth):
        at += 1
    text = "\n".join(line.strip() for line in lines[first:at] if not re.match(r" *:[\w-]+:", line))
    return [line for line in re.sub(r"\s*\\\n", " ", text).split("\n") if line and not line.startswith("#")], at


def replace(line, replaced):
    return re.sub(r"\|(\w+)\|", lambda name: replaced.get(name[1], name[0]), line)
