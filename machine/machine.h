// The machine as found: plain data, each fact a value or the reason there is none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "machine/access.h"
#include "machine/deep.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/kernel_log.h"
#include "machine/kfd_processes.h"
#include "machine/settings.h"
#include "machine/software.h"
#include "machine/system.h"
#include "source/source.h"
#include "source/unread.h"

namespace rocvet {

struct Machine {
  Kernel kernel;
  Result<Distro> distro;
  Driver driver;
  std::vector<Gpu> gpus;        ///< AMD's; a KFD node is an entry, a partition too
  std::vector<Gpu> other_gpus;  ///< display devices of other makers
  /// Whether the places that list GPUs could be read at all: an error means that an empty `gpus`
  /// says nothing.
  Result<Done> gpus_readable;
  Result<int> kfd_nodes;  ///< all nodes, CPU nodes too; missing when there is no KFD
  Result<std::vector<KfdProcess>> kfd_processes;
  DeviceNode kfd;  ///< /dev/kfd
  std::vector<DeviceNode> render_nodes;
  DeviceNode dxg;  ///< /dev/dxg, WSL's way to the GPU
  ProcessFacts process;
  Result<std::vector<Group>> groups;  ///< /etc/group
  Result<std::vector<Account>> accounts;
  Access access;  ///< what else decides who may open the nodes
  Surroundings surroundings;
  Dmi dmi;
  Cpu cpu;
  Iommu iommu;
  SystemMemory memory;
  std::vector<Mount> mounts;
  Result<std::vector<FileSystemUse>> file_systems;  ///< df
  Settings settings;  ///< where variables and container options are written down
  Result<KernelLog> kernel_log;
  Result<std::string> app_log;  ///< what the application said (--log, cmd/app.log)
  Software software;
  /// Outputs of tools that a snapshot brings along: "rocminfo", "clinfo", "hipconfig",
  /// "lspci-vvnn", "apt-policy".
  std::map<std::string, std::string> tool_outputs;
  /// What the libraries said when they were run (--deep); not_captured: nobody asked.
  Result<Deep> deep;
  /// What a probe asked for and could not see, whatever it made of that.
  std::vector<Unread> unread;
};

struct ReadOptions {
  /// What the application printed, a file of this machine (--log); "" takes cmd/app.log of a
  /// snapshot, and nothing on the live machine.
  std::string app_log_file;
  /// Python environments to read besides those in reach: roots or python programs (--python).
  std::vector<std::string> python;
};

/// Runs every probe. Never throws, never fails: what could not be read says so in its place.
Machine read_machine(Source& source, const ReadOptions& options = {});

}  // namespace rocvet
