// The machine as found: plain data, each fact a value or the reason there is none.
#pragma once

#include <string>
#include <vector>

#include "machine/gpu.h"
#include "machine/kernel_log.h"
#include "machine/software.h"
#include "machine/source.h"
#include "machine/system.h"

namespace rocvet {

struct Machine {
  Kernel kernel;
  Result<Distro> distro;
  Driver driver;
  std::vector<Gpu> gpus;
  /// Whether the places that list GPUs could be read at all: an error means that an empty `gpus`
  /// says nothing.
  Result<Done> gpus_readable;
  Result<int> kfd_nodes;              ///< all nodes, CPU nodes too; missing when there is no KFD
  DeviceNode kfd;                     ///< /dev/kfd
  std::vector<DeviceNode> render_nodes;
  ProcessFacts process;
  Result<std::vector<Group>> groups;  ///< /etc/group
  Result<std::vector<Account>> accounts;
  Surroundings surroundings;
  Dmi dmi;
  SystemMemory memory;
  std::vector<Mount> mounts;
  Result<KernelLog> kernel_log;
  Result<std::string> app_log;        ///< what the application said (--log, cmd/app.log)
  Software software;
};

/// Runs every probe. Never throws, never fails: what could not be read says so in its place.
Machine read_machine(Source& source);

}  // namespace rocvet
