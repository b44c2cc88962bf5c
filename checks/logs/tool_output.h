// What the captured outputs of ROCm's tools say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace rocvet {

/// "" when it was not captured.
std::string_view tool_output(const Machine& machine, std::string_view tool);
/// Whether rocminfo lists a GPU agent; nullopt when its output is not at hand.
std::optional<bool> rocminfo_lists_gpu(const Machine& machine);
/// Whether rocminfo names the target's ISA with xnack+ (true) or xnack- (false).
std::optional<bool> rocminfo_xnack(const Machine& machine, std::string_view gfx);

/// One device of `lspci -vv`: its address and the lines below it.
struct LspciDevice {
  std::string bdf, title;
  std::vector<std::string> lines;
  bool has(std::string_view text) const;
  /// The first line with the text, or "".
  std::string line_with(std::string_view text) const;
  bool is_bridge() const;
};
std::vector<LspciDevice> lspci_devices(const Machine& machine);

}  // namespace rocvet
