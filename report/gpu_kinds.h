// GPUs of a machine by what they are, as a line of a report counts them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace rocvet {

struct GpusOfAKind {
  std::string name;
  std::size_t cards = 0;
  std::size_t devices = 0;  ///< more than cards where they are partitioned
};

/// In the order of the GPUs. `name_of` says what is of one kind.
std::vector<GpusOfAKind> gpus_by_kind(const Machine& machine,
                                      const std::function<std::string(const Gpu&)>& name_of);

/// "" or " in 8 partitions".
std::string in_partitions(const GpusOfAKind& kind);

}  // namespace rocvet
