// Writers of what a pasted text says (diagnosis/explanation.h).
#pragma once

#include <string>

#include "diagnosis/explanation.h"

namespace rocvet {

/// For a person: what the text says, what may be behind it, the next step. Lines are as printed,
/// so what cannot be printed is still to be written as an escape.
std::string explanation_text(const Explanation& explanation);
/// rocvet.explanation/1: {"schema", "messages": [{"line", "from", "means", "asks", "source",
/// "fault"}], "causes": [{"id", "title", "probability", "benign", "decided_by", "steps",
/// "experiment"}], "unexplained": [lines], "next"}.
std::string explanation_json(const Explanation& explanation);

}  // namespace rocvet
