// All GPUs of the machine: KFD nodes and PCI devices joined; tool outputs where there is neither.
#pragma once

#include "machine/machine.h"
#include "source/source.h"

namespace rocvet {

/// No machine has more, with every card in its smallest partitions.
inline constexpr std::size_t kMostGpus = 1024;

/// Fills gpus, other_gpus, gpus_readable and kfd_nodes.
void read_gpus(Source& source, Machine& machine);

}  // namespace rocvet
