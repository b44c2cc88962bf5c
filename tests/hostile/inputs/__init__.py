"""All hostile inputs, kind by kind; the same every time: what is random comes from a seed of the input's own name."""
import faulty
from inputs import archives, arguments, databases, logs, names, policies, questions, reports, snapshots, surroundings


def places_of_faulty(scratch):
    """The names of all places at which faulty.py asks for a name, in order."""
    found = []

    def name(place, plain):
        if place not in found:
            found.append(place)
        return plain
    faulty.write_faulty(scratch, name)
    return found


def all_inputs(scratch):
    made = [*names.inputs(places_of_faulty(scratch))]
    for part in (logs, reports, questions, databases, policies, snapshots, archives, arguments, surroundings):
        made += part.inputs()
    return made
