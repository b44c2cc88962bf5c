"""A cell of a published table as a question to the database and the answers that agree with it."""
import dataclasses
import html
import re

GOOD = ("supported",)
BAD = ("unsupported", "unlisted")
DEPRECATED = ("deprecated",)
# A product that a complete table leaves out: its libraries may be built for it all the same.
LEFT_OUT = ("unsupported", "unlisted", "enabled")

SYSTEMS = {"ubuntu": "ubuntu", "rhel": "rhel", "red hat enterprise linux": "rhel", "sles": "sles", "suse linux enterprise server": "sles",
           "centos": "centos", "oracle linux": "oracle", "rocky linux": "rocky", "azure linux": "azurelinux", "debian": "debian"}


@dataclasses.dataclass(frozen=True)
class Cell:
    table: str     # the published table, as tables.toml calls it
    where: str     # its row and column, in words
    question: tuple  # of (option, value): ("gpu", "Instinct MI300X"), ("rocm", "6.2.4")
    want: tuple    # verdicts that agree with the cell
    answer: str | None = None  # where no question asks of it, what the rows of the database say

    def options(self):
        return [word for name, value in self.question for word in (f"--{name}", value)]


def cell(table, where, want, **question):
    return Cell(table, where, tuple((name, value) for name, value in question.items() if value), want)


def compared(table, where, is_there):
    """A cell that no question asks of, firmware for one: whether a row of the database has it."""
    return Cell(table, where, (), ("in a row",), "in a row" if is_there else "in no row")


def plain(text):
    """A cell without markup and footnotes."""
    text = re.sub(r"\[#[^\]]*\]_|<sup>.*?</sup>|:sup:`[^`]*`|\[\^[^\]]*\]", "", html.unescape(text))
    text = re.sub(r":(?:doc|ref|term):`([^`<]*?)\s*(?:<[^`]*)?`", r"\1", text)
    text = re.sub(r"`([^`<]*?)\s*(?:<[^`]*>)?`_*", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[™®]|\|br\||<br ?/?>|\*\*", " ", text)).strip()


def product(text):
    """ "AMD Radeon™ Pro W6800 (…)" -> "Radeon Pro W6800" """
    return re.sub(r"\s+", " ", re.sub(r"^AMD\s+", "", re.sub(r"\s*\(.*", "", plain(text)))).strip()


def systems(text):
    """ "RHEL 9.5, 9.4" -> ["rhel 9.5", "rhel 9.4"]; "SLES 15 SP5 to SP4" too. What is no known system gives nothing."""
    text = re.sub(r"\s*\(.*?\)", "", plain(text))
    for name, known in SYSTEMS.items():
        found = re.match(re.escape(name) + r"\s+(.*)", text, re.I)
        if found:
            return [f"{known} {version}" for version in system_versions(found[1])]
    return []


def system_versions(text):
    major, versions = "", []
    for part in re.split(r"\s*(?:,|\band\b)\s*", text):
        part = re.sub(r"\s*LTS$", "", part.strip())
        pack = re.match(r"(?:(\d+)\s+)?SP(\d+)$", part)
        span = re.match(r"(\d+)\.(\d+) to \1\.(\d+)$", part)
        if pack:
            major = pack[1] or major
            versions.append(f"{major}.{pack[2]}")
        elif span:
            first, last = sorted((int(span[2]), int(span[3])))
            versions += [f"{span[1]}.{minor}" for minor in range(first, last + 1)]
        elif re.match(r"\d+(\.\d+)*$", part):
            versions.append(part)
    return versions


def kernels(text):
    """ "5.15 [GA], 6.8 [HWE]" -> ["5.15", "6.8"]; "4.18.0-477.el8" -> ["4.18.0-477"] """
    return re.findall(r"(?<![\d.])\d+\.\d+(?:\.\d+)?(?:-\d+(?:\.\d+)*)?", plain(text))


def releases(text):
    """ "7.0.1/7.0.0" -> both; "5.6.x" -> "5.6", the series. """
    return [re.sub(r"\.x$", "", part.strip()) for part in text.split("/") if re.match(r"\s*\d+\.\d+", part)]


def mark(text):
    """The verdict of a sign of support; None where there is none."""
    return GOOD if "✅" in text else DEPRECATED if "⚠" in text else BAD if "❌" in text else None


def is_listed(name, listed):
    """Whether a list has a system or its series: "ubuntu 24.04" where "ubuntu 24.04.3" stands, "oracle 8.9" where "oracle 8" does."""
    return any(name == each or each.startswith(name + ".") or name.startswith(each + ".") for each in listed)
