// Cells in forked children: one that crashes or does not end takes only itself along.
#pragma once

#include <string>
#include <vector>

#include "tests/fault_matrix/cells.h"
#include "tests/fault_matrix/tally.h"

namespace rocvet {

/// A share of a machine's targets, for one child.
struct Task {
  std::string machine;
  std::size_t part = 0, parts = 1;
  std::size_t most_cells = 0;  ///< a seeded choice of targets; 0 takes all
  std::size_t skip = 0;        ///< cells of it that are done
};

#ifdef NDEBUG
inline constexpr int kCpuBudgetSeconds = 5;
#else
inline constexpr int kCpuBudgetSeconds = 50;
#endif

void run_tasks(std::vector<Task> tasks, const CellFilter& filter, std::uint64_t seed, int jobs,
               Tally& tally);

}  // namespace rocvet
