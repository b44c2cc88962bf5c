#include "checks/facts/gpus.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace rocvet {
namespace {

/// LLVM's generic targets and their members:
/// https://llvm.org/docs/AMDGPUUsage.html#generic-processor-versioning
bool generic_covers(std::string_view generic, std::string_view gfx) {
  const auto one_of = [&](std::initializer_list<std::string_view> members) {
    return std::find(members.begin(), members.end(), gfx) != members.end();
  };
  if (generic == "gfx9-generic")
    return one_of({"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"});
  if (generic == "gfx9-4-generic") return one_of({"gfx940", "gfx941", "gfx942", "gfx950"});
  if (generic == "gfx10-1-generic") return one_of({"gfx1010", "gfx1011", "gfx1012", "gfx1013"});
  if (generic == "gfx10-3-generic") return gfx.starts_with("gfx103");
  if (generic == "gfx11-generic") return gfx.starts_with("gfx110") || gfx.starts_with("gfx115");
  if (generic == "gfx12-generic") return gfx.starts_with("gfx120");
  return false;
}

}  // namespace

const DeviceNode* render_node(const Machine& machine, int minor) {
  const std::string path = "/dev/dri/renderD" + std::to_string(minor);
  const auto node = std::ranges::find(machine.render_nodes, path, &DeviceNode::path);
  return node == machine.render_nodes.end() ? nullptr : &*node;
}

std::string gpu_label(const Gpu& gpu) {
  std::string label = "gpu " + std::to_string(gpu.index);
  if (gpu.bdf) label += " (" + *gpu.bdf + ")";
  return label;
}

std::string gpu_name(const Gpu& gpu) {
  if (gpu.name && gpu.gfx) return *gpu.name + " (" + *gpu.gfx + ")";
  if (gpu.name) return *gpu.name;
  if (gpu.gfx) return *gpu.gfx;
  if (gpu.device_id) return "1002:" + *gpu.device_id;
  return "an AMD GPU";
}

std::string_view gfx_of(const Context& context, const Gpu& gpu) {
  if (gpu.gfx) return *gpu.gfx;
  return gpu.device_id ? context.db.gfx_of_device("1002", *gpu.device_id) : std::string_view();
}

bool has_gpu(const Machine& machine) {
  return !machine.gpus.empty() || (machine.surroundings.wsl && machine.dxg.stat.has_value());
}

std::optional<Finding> skip_without_gpu(const Context& context) {
  const Machine& machine = context.machine;
  if (has_gpu(machine)) return std::nullopt;
  if (!machine.gpus_readable)
    return none_here("no GPU was seen, and the lists of GPUs were not readable", Absence::gpu);
  return none_here(
      machine.surroundings.wsl ? "no GPU reaches this WSL" : "there is no AMD GPU here",
      Absence::gpu);
}

std::uint64_t kfd_pool(const Gpu& gpu) {
  std::uint64_t pool = 0;
  for (const MemoryBank& bank : gpu.banks) pool += bank.size_bytes;
  return pool;
}

std::vector<const Gpu*> kfd_gpus(const Machine& machine) {
  std::vector<const Gpu*> found;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.kfd_node) found.push_back(&gpu);
  }
  return found;
}

bool built_without_kfd(const Kernel& kernel) {
  if (!kernel.config) return false;
  const auto option = kernel.config->find("HSA_AMD");
  return option == kernel.config->end() || option->second == "n";
}

bool kfd_lists_no_gpu(const Machine& machine) {
  return machine.kfd_nodes.has_value() && kfd_gpus(machine).empty();
}

std::optional<int> gfx_major(std::string_view gfx) {
  if (!gfx.starts_with("gfx") || gfx.size() < 6) return std::nullopt;
  // The last two characters are minor version and stepping.
  const auto number =
      parse_number(gfx.substr(3, gfx.find(':') == gfx.npos ? gfx.size() - 5 : gfx.find(':') - 5));
  return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

std::string gfx_of_override(std::string_view version) {
  const auto parts = split(trim(version), '.');
  if (parts.size() != 3) return "";
  std::string gfx = "gfx";
  for (const std::string_view part : parts) {
    const auto number = parse_number(part);
    if (!number || *number > 99) return "";
    const bool first = gfx == "gfx";
    if (!first && *number > 15) return "";
    gfx += first || *number < 10 ? std::to_string(*number)
                                 : std::string(1, static_cast<char>('a' + *number - 10));
  }
  return gfx;
}

std::string override_of_gfx(std::string_view gfx) {
  const auto major = gfx_major(gfx);
  if (!major) return "";
  const auto minor = parse_number(gfx.substr(gfx.size() - 2, 1), 16);
  const auto stepping = parse_number(gfx.substr(gfx.size() - 1), 16);
  if (!minor || !stepping) return "";
  return std::to_string(*major) + "." + std::to_string(*minor) + "." + std::to_string(*stepping);
}

bool target_fits(std::string_view target, std::string_view gfx) {
  const std::string_view base = target.substr(0, target.find(':'));
  const std::string_view part = gfx.substr(0, gfx.find(':'));
  return base == part || generic_covers(base, part);
}

bool any_target_fits(const std::vector<std::string>& targets, std::string_view gfx) {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const std::string& target) { return target_fits(target, gfx); });
}

std::vector<std::string> gfx_present(const Machine& machine) {
  const bool some_in_kfd = !kfd_gpus(machine).empty();
  std::set<std::string> found;
  for (const Gpu& gpu : machine.gpus) {
    if (gpu.gfx && (gpu.kfd_node || !some_in_kfd)) found.insert(*gpu.gfx);
  }
  return {found.begin(), found.end()};
}

std::size_t card_count(const Machine& machine) {
  std::set<std::string> cards;
  for (const Gpu& gpu : machine.gpus) cards.insert(gpu.bdf ? *gpu.bdf : gpu_label(gpu));
  return cards.size();
}

}  // namespace rocvet
