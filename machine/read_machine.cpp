#include "machine/machine.h"
#include "machine/read_access.h"
#include "machine/read_app_log.h"
#include "machine/read_distro.h"
#include "machine/read_driver.h"
#include "machine/read_gpus.h"
#include "machine/read_kernel.h"
#include "machine/read_kernel_log.h"
#include "machine/read_platform.h"
#include "machine/read_security.h"
#include "machine/read_settings.h"
#include "machine/read_software.h"
#include "machine/read_surroundings.h"
#include "machine/read_tool_outputs.h"
#include "source/disk_use.h"
#include "source/watched.h"

namespace rocvet {
namespace {

/// SELinux and AppArmor report to the kernel log where no audit daemon runs.
void add_logged_denials(Machine& machine) {
  if (!machine.kernel_log) return;
  for (const KernelLine& line : machine.kernel_log->lines) {
    for (std::string& denial : find_denials(line.text)) {
      machine.access.security.denials.push_back(std::move(denial));
    }
  }
}

/// Everything but the GPUs and the software.
void read_system(Source& source, Machine& machine) {
  machine.kernel = read_kernel(source);
  machine.distro = read_distro(source);
  machine.driver = read_driver(source, machine.kernel);
  machine.kfd = read_node(source, "/dev/kfd");
  machine.render_nodes = read_render_nodes(source);
  machine.dxg = read_node(source, "/dev/dxg");
  machine.groups = read_groups(source);
  machine.accounts = read_accounts(source);
  machine.access = read_access(source);
  machine.dmi = read_dmi(source);
  machine.cpu = read_cpu(source);
  machine.iommu = read_iommu(source, machine.kernel);
  machine.mounts = read_mounts(source);
  machine.file_systems = read_file_systems(source);
  machine.memory = read_memory(source, machine.mounts, machine.file_systems);
  machine.surroundings =
      read_surroundings(source, machine.process, machine.kernel, machine.cpu, machine.dmi);
  machine.settings =
      read_settings(source, machine.process, machine.mounts, machine.access.services);
  machine.kernel_log = read_kernel_log(source);
  add_logged_denials(machine);
}

/// Facts of the process that could not be had, as places.
void add_unread_of_process(const ProcessFacts& process, std::vector<Unread>& unread) {
  const auto add = [&](const char* name, const auto& fact) {
    if (!fact && was_not_seen(fact.error())) unread.push_back({name, fact.error()});
  };
  add("process:environment", process.environment);
  add("process:cgroup", process.cgroup);
  add("process:uid", process.uid);
  add("process:groups", process.groups);
  add("process:limits", process.limits);
  add("process:seccomp", process.seccomp);
}

}  // namespace

Machine read_machine(Source& asked, const ReadOptions& options) {
  Machine machine;
  WatchedSource source(asked);
  machine.process = source.process();
  read_gpus(source, machine);
  read_system(source, machine);
  machine.app_log = read_app_log(source, options.app_log_file);
  read_software(source, machine, options.python);
  machine.tool_outputs = read_tool_outputs(source);
  machine.deep = read_deep(source);
  machine.unread = source.take();
  add_unread_of_process(machine.process, machine.unread);
  return machine;
}

}  // namespace rocvet
