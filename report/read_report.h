// A saved rocvet.report/1 as a Report again, to be converted, compared or merged.
#pragma once

#include <string>

#include "report/report.h"

namespace rocvet {

/// What the JSON carries: a check that this rocvet does not know keeps its id and its words, facts
/// that the JSON leaves out stay "not captured". `where` names the text in errors.
/// Error::malformed: no JSON, another schema, or a value of the wrong kind, with its place.
Result<Report> read_report(const std::string& text, const std::string& where);
/// The same of a file of at most 64 MiB; errors also say that it cannot be read.
Result<Report> load_report(const std::string& path);

}  // namespace rocvet
