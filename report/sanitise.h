// What a report quotes from the machine, made fit for every format at once.
#pragma once

#include "report/report.h"

namespace rocvet {

/// Each text that a writer puts into a line becomes one printable line (base/printable.h): a
/// name can neither steer the terminal nor begin a line, a cell or an element of its own. What
/// several lines are meant to be (the last words of a process) keeps its line ends. Saved reports
/// come sanitised from read_report(). JSON, which also tells of what no other format shows, is
/// made printable text by text as it is written (base/json_text.h).
void sanitise(Report& report);

}  // namespace rocvet
