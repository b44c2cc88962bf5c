// Judged against an earlier report of the same machine: --baseline REPORT.
#pragma once

#include "report/report.h"

namespace rocvet {

/// What failed in the baseline too is known: it warns, with a note, and no longer fails. A
/// self-test that is slower than in the baseline by more than 10 % (and more than chance,
/// report/samples.h) warns, by more than 25 % fails. Judges anew.
void apply_baseline(Report& report, const Report& baseline);

}  // namespace rocvet
