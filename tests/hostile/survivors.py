"""Whether a planted text stands in an output, however the output's format has escaped or wrapped it."""
import html
import re

LONG, PIECE = 24, 14  # of a long secret a piece from its second half counts too


def forms(data, wrapped=True):
    """The text, and the same without the escapes and line ends of a format."""
    text = data.decode("utf-8", "replace")
    found = [text]
    if "&" in text:
        found.append(html.unescape(text))
    if "\\" in text:
        found += [re.sub(r"\\([^\w])", r"\1", text), text.replace("\\/", "/").replace('\\"', '"')]
    if wrapped:
        found.append(re.sub(r"\n#?\s*", "", text))
    return found


def survives(plant, texts):
    """"whole", "part" or nothing."""
    for text in texts:
        if plant.text in text or plant.kind.startswith("host") and plant.text.lower() in text.lower():
            return "whole"
    if plant.secret and len(plant.text) >= LONG:
        half = plant.text[int(len(plant.text) * 0.4):]
        pieces = [half[at:at + PIECE] for at in range(len(half) - PIECE + 1)]
        if any(piece in text for piece in pieces for text in texts):
            return "part"
    return ""
