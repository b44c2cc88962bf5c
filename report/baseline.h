// Judged against an earlier report of the same machine: --baseline REPORT.
#pragma once

#include "report/report.h"

namespace rocvet {

/// What failed in the baseline too is known: it warns, with a note, and no longer fails. A
/// self-test that is slower than in the baseline by more than 10 % (and more than chance,
/// report/samples.h) warns, by more than 25 % fails; with `each_loss_fails` every one that would
/// warn fails. Judges anew.
void apply_baseline(Report& report, const Report& baseline, bool each_loss_fails = false);

}  // namespace rocvet
