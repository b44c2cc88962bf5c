// /sys/class/kfd/kfd/proc: who computes on the GPUs now, and how much of their memory each holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "source/source.h"

namespace rocvet {

struct KfdProcess {
  int pid = 0;
  std::string name;  ///< as the kernel has it ("python"); "" in a snapshot, which keeps none
  std::map<int, std::uint64_t> vram;  ///< KFD's id of the GPU -> bytes
};

/// Missing where the driver lists none (Linux before 5.9) or there is no KFD. Sorted by pid.
Result<std::vector<KfdProcess>> read_kfd_processes(Source& source);

}  // namespace rocvet
