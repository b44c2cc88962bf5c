// What a score of the diagnosis is worth: how often a cause that was named first with such a score
// was the right one.
#pragma once

#include <vector>

#include "diagnosis/diagnosis.h"

namespace rocvet {

/// Hit rate of causes named first with this score; 0..1 for 0..1, monotone. Fitted with
/// bench/reliability.py on confirmed cases of public threads (ten folds: see its output).
double hit_rate(double score);

/// Replaces the scores (in `confidence`, most likely first) by what they are worth. Causes that
/// compete for the same complaint share what the first one leaves.
void calibrate(std::vector<RootCause>& causes);

}  // namespace rocvet
