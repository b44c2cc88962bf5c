// Questions about the GPUs that many checks ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// "gpu 1 (0000:c1:00.0)".
std::string gpu_label(const Gpu& gpu);
/// "Radeon RX 7900 XTX (gfx1100)", or what is known of it.
std::string gpu_name(const Gpu& gpu);
/// Its gfx target: KFD's or a tool's word, else what the database has for its PCI id; "" unknown.
std::string_view gfx_of(const Context& context, const Gpu& gpu);
/// The reason to skip a check that needs an AMD GPU: there is none here, or nobody could look.
/// nullopt: there is one.
std::optional<Finding> skip_without_gpu(const Context& context);
/// Some GPU was seen: on the PCI bus, by KFD, or through WSL.
bool has_gpu(const Machine& machine);
/// The memory that KFD offers of a GPU; on an APU what it may have of the machine's. 0: not known.
std::uint64_t kfd_pool(const Gpu& gpu);
/// GPUs that KFD lists as nodes.
std::vector<const Gpu*> kfd_gpus(const Machine& machine);
/// True when KFD's topology was read and lists no GPU.
bool kfd_lists_no_gpu(const Machine& machine);
/// The kernel's configuration was read and is without KFD (CONFIG_HSA_AMD).
bool built_without_kfd(const Kernel& kernel);
/// "gfx1100" -> 11, "gfx90a" -> 9; nullopt for what is no gfx name.
std::optional<int> gfx_major(std::string_view gfx);
/// /dev/dri/renderDMINOR as it was found; nullptr when there is none.
const DeviceNode* render_node(const Machine& machine, int minor);
/// "gfx1030" for HSA_OVERRIDE_GFX_VERSION=10.3.0; "" when malformed.
std::string gfx_of_override(std::string_view version);
/// "10.3.0" for gfx1030.
std::string override_of_gfx(std::string_view gfx);
/// Whether a code object built for `target` ("gfx90a:xnack-", "gfx11-generic") runs on `gfx`.
bool target_fits(std::string_view target, std::string_view gfx);
/// Whether any of the targets does. No targets: false.
bool any_target_fits(const std::vector<std::string>& targets, std::string_view gfx);
/// The distinct gfx targets of the GPUs that count for compute (KFD nodes; else all).
std::vector<std::string> gfx_present(const Machine& machine);
/// Partitions and dies counted once: distinct PCI addresses.
std::size_t card_count(const Machine& machine);

}  // namespace rocvet
