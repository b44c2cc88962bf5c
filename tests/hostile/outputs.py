"""What no output may hold, whatever the input: bytes that steer a terminal, text that nobody sees, elements of a
stranger's making."""
import html.parser
import json
import re
import xml.etree.ElementTree as etree

INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
                       "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
JOINERS = "\u200c".encode(), "\u200d".encode()  # parts of words and of emoji: no failure
OUTSIDE = b"LEAKMARK"  # stands in a file outside of every snapshot
SCRIPT_LINK = re.compile(r"(javascript|data|vbscript):")


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.in_script = set(), False

    def handle_starttag(self, tag, attrs):
        self.in_script = tag == "script"
        if tag == "xssmark":
            self.found.add("element xssmark")
        for name, value in attrs:
            value = re.sub(r"[\s\x00-\x1f]", "", value or "").lower()
            if name.startswith("onxss"):
                self.found.add("attribute onxss")
            if name in ("href", "src") and SCRIPT_LINK.match(value):
                self.found.add("link " + value[:40])
            if name == "src" and "evil.example" in value:
                self.found.add("image of a stranger")

    def handle_endtag(self, tag):
        self.in_script = self.in_script and tag != "script"

    def handle_data(self, data):
        if self.in_script and ("xss()" in data or "xssmark" in data):
            self.found.add("text of a script")


def in_html(text):
    parser = Elements()
    parser.feed(text)
    parser.close()
    return sorted(parser.found)


def in_markdown(text):
    found, fenced = set(), False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            line = re.sub(r"\\[!-/:-@\[-`{-~]", "", line)      # what is escaped
            line = re.sub(r"(`+)(?:(?!\1).)+\1", "", line)     # spans of code
            found |= {what for what, mark in (("element xssmark", r"<xssmark"),
                                              ("link of a script", r"\]\(\s*javascript:"),
                                              ("image", r"!\[[^\]]*\]\(")) if re.search(mark, line)}
    return sorted(found)


def in_xml(text):
    return ["element xssmark"] if any(element.tag == "xssmark" for element in etree.fromstring(text).iter()) else []


def in_json(text):
    def refuse(word):
        raise ValueError("constant " + word)
    json.loads(text, parse_constant=refuse)
    return []


READERS = {"json": in_json, "sarif": in_json, "junit": in_xml, "xml": in_xml, "html": in_html, "md": in_markdown,
           "markdown": in_markdown}


def quoted(data, at):
    return repr(data[max(0, at - 40):at + 12])


def text_faults(what, data):
    """(kind, what is wrong) of the bytes of one output."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        return [("raw bytes", f"{what}: invalid UTF-8 at {quoted(data, problem.start)}")]
    found = []
    if unseen := INVISIBLE.search(text):
        found.append(("raw bytes", f"{what}: U+{ord(unseen[0]):04X} at {quoted(text, unseen.start())}"))
    if OUTSIDE in data:
        found.append(("escape", f"{what} holds a file from outside of the snapshot"))
    return found


def format_faults(what, data, form):
    """(kind, what is wrong) of an output as a document."""
    if form not in READERS or not data:
        return []
    try:
        return [("injection", f"{what}: {found}") for found in READERS[form](data.decode("utf-8", "replace"))]
    except RecursionError:
        return [("broken", f"{what} is nested too deep for a reader of {form}")]
    except (ValueError, etree.ParseError) as problem:
        return [("broken", f"{what} is no {form}: {str(problem)[:150]}")]
