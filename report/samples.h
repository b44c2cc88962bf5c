// Whether the samples of two runs differ by more than chance and a few stray samples explain.
#pragma once

#include <vector>

namespace rocvet {

/// True when the medians differ by more than three of their standard errors and one run's samples
/// as a whole lie above the other's. Neither minds a stray sample: the error is taken from the
/// median absolute deviation or the quartiles (whichever says more), and the whole is judged by
/// ranks (Mann and Whitney 1947), which also holds where a coarse clock gives few values. Fewer
/// than three samples, or some that are no numbers, tell nothing of the noise: true.
bool samples_differ(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace rocvet
