#include "report/facts.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/gpu_kinds.h"

namespace rocvet {
namespace {

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(int value) {
  return std::to_string(value);
}
std::string text_of(std::uint64_t value) {
  return std::to_string(value);
}

class Facts {
 public:
  template <typename T>
  void add(const std::string& name, const Result<T>& fact) {
    if (fact) add(name, text_of(*fact));
  }
  void add(const std::string& name, std::string value) {
    if (!value.empty()) list.push_back({name, std::move(value)});
  }
  std::vector<MachineFact> list;
};

std::string link_of(const PcieLink& link) {
  if (!link.current_gts || !link.current_width) return "";
  return short_number(*link.current_gts) + " GT/s x" + std::to_string(*link.current_width);
}

/// "8 × gfx942 Instinct MI300X" for each kind, in the order of their names.
std::string gpus_of(const Machine& machine) {
  auto kinds = gpus_by_kind(machine, [](const Gpu& gpu) {
    return gpu.gfx.value_or(std::string("gfx unknown")) +
           (gpu.name ? " " + *gpu.name : std::string());
  });
  std::ranges::sort(kinds, {}, &GpusOfAKind::name);
  std::vector<std::string> parts;
  parts.reserve(kinds.size());
  for (const GpusOfAKind& kind : kinds)
    parts.push_back(std::to_string(kind.cards) + " × " + kind.name + in_partitions(kind));
  if (parts.empty()) return machine.gpus_readable ? "none" : "";
  return join(parts, ", ");
}

/// The different values over the GPUs of a machine, sorted.
template <typename Of>
std::string over_gpus(const Machine& machine, const Of& of) {
  std::set<std::string> values;
  for (const Gpu& gpu : machine.gpus) {
    if (std::string value = of(gpu); !value.empty()) values.insert(std::move(value));
  }
  return join(std::vector<std::string>(values.begin(), values.end()), ", ");
}

}  // namespace

std::vector<MachineFact> machine_facts(const Machine& machine) {
  Facts facts;
  facts.add("kernel", machine.kernel.release);
  facts.add("kernel command line", machine.kernel.command_line);
  if (machine.distro) facts.add("distribution", machine.distro->id + " " + machine.distro->version);
  if (machine.driver.amdgpu) {
    facts.add("amdgpu", machine.driver.amdgpu->version.value_or(std::string("in-tree")));
  } else if (machine.driver.amdgpu.is_missing()) {
    facts.add("amdgpu", std::string("not loaded"));
  }
  facts.add("GPUs", gpus_of(machine));
  facts.add("VBIOS",
            over_gpus(machine, [](const Gpu& gpu) { return gpu.vbios.value_or(std::string()); }));
  facts.add("PCIe link", over_gpus(machine, [](const Gpu& gpu) { return link_of(gpu.pcie); }));
  facts.add("partition", over_gpus(machine, [](const Gpu& gpu) {
              return gpu.partition.compute.value_or(std::string()) +
                     (gpu.partition.memory ? "/" + *gpu.partition.memory : std::string());
            }));
  std::set<std::string> rocm;
  for (const RocmInstall& install : machine.software.rocm) {
    if (install.version) rocm.insert(*install.version);
  }
  facts.add("ROCm",
            rocm.empty() ? "none" : join(std::vector<std::string>(rocm.begin(), rocm.end()), ", "));
  return std::move(facts.list);
}

std::vector<MachineFact> part_facts(const Machine& machine) {
  Facts facts;
  for (const Gpu& gpu : machine.gpus) {
    const std::string name = "GPU " + gpu.bdf.value_or(std::to_string(gpu.index)) + " ";
    facts.add(name + "target", gpu.gfx);
    facts.add(name + "name", gpu.name);
    facts.add(name + "compute units", gpu.compute_units);
    facts.add(name + "VRAM bytes", gpu.vram_bytes);
    facts.add(name + "VBIOS", gpu.vbios);
    facts.add(name + "driver", gpu.driver);
    facts.add(name + "KFD node", gpu.kfd_node);
    facts.add(name + "PCIe link", link_of(gpu.pcie));
    facts.add(name + "compute partition", gpu.partition.compute);
    facts.add(name + "memory partition", gpu.partition.memory);
  }
  for (const RocmInstall& install : machine.software.rocm) {
    facts.add("ROCm in " + install.root, install.version);
    if (install.is_default) facts.add("ROCm, default", install.root);
  }
  for (const PythonEnvironment& environment : machine.software.python) {
    for (const Framework& framework : environment.frameworks) {
      facts.add(framework.name + " in " + environment.root, framework.version);
    }
  }
  return std::move(facts.list);
}

std::string fact_value(const std::vector<MachineFact>& facts, const std::string& name) {
  const auto found = std::ranges::find(facts, name, &MachineFact::name);
  return found == facts.end() ? std::string() : found->value;
}

}  // namespace rocvet
